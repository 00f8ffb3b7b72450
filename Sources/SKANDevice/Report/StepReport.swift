/// Everything that one operation did, as data; texts are made of it where it is shown.
package struct StepReport: Sendable {
  package var outcome: Outcome
  package var explanation: Explanation
  package var framework: [FrameworkCall] = []
  /// Apple's answer to the last call, when it was an error.
  package var frameworkErrorCode: Int64?
  package var handler: HandlerCall?
  package var crash: Crash?
  package var request: ConversionRequest?
  package var answer: EndpointAnswer?
  package var warnings: [Warning] = []
  /// The store right after the call returned, before an answer came; nil when it is the store after the step.
  package var keptBefore: KeptState?

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
