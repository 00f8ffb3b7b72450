/// Everything that one operation did, as data; texts are made of it where it is shown.
package struct StepReport: Sendable {
  package var outcome: Outcome
  package var explanation: Explanation
  /// The call into Apple's framework, if there was one: no operation makes two.
  package var framework: FrameworkCall?
  /// Apple's answer to the call, when it was an error.
  package var frameworkErrorCode: Int64?
  package var handler: HandlerCall?
  package var crash: Crash?
  package var warnings: [Warning] = []
  /// Whether an answer left the store other than it was.
  package var changesKept = false

  package init(_ outcome: Outcome, _ explanation: Explanation) {
    self.outcome = outcome
    self.explanation = explanation
  }
}

/// What killed the app.
package struct Crash: Sendable, Equatable {
  /// The exception, and what in the answer or the store raised it.
  package var reason: String
}
