import SKANBase

/// Everything that one operation did, as data; texts are made of it where it is shown.
///
/// A class, as it is large, is put together in several places, and then only looked at.
package final class StepReport {
  package var outcome: Outcome
  package var explanation: Explanation
  /// The call into Apple's framework, if there was one: no operation makes two.
  package var framework: FrameworkCall?
  /// What Apple made of the call.
  package var frameworkAnswer: FrameworkAnswer?
  package var handler: HandlerCall?
  /// What the app keeps while the handler runs, where that is recorded (``UpdateOptions/recordsKeptInHandler``).
  package var keptInHandler: KeptState? { sharedKeptInHandler?.value }
  /// Shared, as a report is made for every step and most have none.
  var sharedKeptInHandler: SharedValue<KeptState>?
  package var crash: Crash?
  /// What a tester must hear about, apart from what ``frameworkAnswer``, ``changesKept`` and ``wentBack`` say.
  package var found: [Warning] = []
  /// Whether an answer left the store other than it was: then reading the details too early gives old values.
  package var changesKept = false
  /// How far the phone's clock went back before the step.
  package var wentBack: TimeSpan?

  /// Everything that a tester must hear about.
  package var warnings: [Warning] {
    found + (frameworkAnswer?.effects.warnings ?? []) + (changesKept ? [.detailsStale] : [])
      + (wentBack.map { [.clockWentBack($0)] } ?? [])
  }

  /// Whether the app's completion handler was called.
  var callsHandler: Bool { if case nil = handler { false } else { true } }

  /// Whether something is wrong in the app or the endpoint, which `--strict` counts. What is not among ``found`` does not count.
  package var hasFinding: Bool { !found.isEmpty && found.contains { $0.level == .finding } }

  /// The first warning of level finding.
  package var firstFinding: WarningCode? { found.first { $0.level == .finding }?.kind }

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

extension Crash: JSONObjectWritable {
  package static let fields = JSONFields<Crash> {
    JSONField("reason", "the exception, and what raised it") { $0.reason }
  }
}

/// What a report tells where it is a part of another one.
extension StepReport: JSONObjectWritable {
  package static let fields = JSONFields<StepReport> {
    JSONField("explanation", "what happened and why, a sentence") { "\($0.explanation)" }
    JSONField("framework", "the calls into Apple's framework") { $0.framework.map { [$0] } ?? [] }
    JSONField("outcome", "how it ended") { $0.outcome }
  }
}
