import SKANDevice

/// Watches the steps of a list as they run: lines on a terminal, a report, progress, a recording, the time line.
///
/// A new output is a new observer. One that fails keeps its failure and stops the list.
package protocol StepObserver: AnyObject {
  /// Whether it looks at the result of a step. Of a step whose result no observer wants, only the report is made, which
  /// takes a fraction of the time.
  func wantsResult(of step: Step) -> Bool

  /// A step begins whose result is wanted.
  func stepBegins(_ step: Step)

  /// Something happened to a step.
  ///
  /// - Parameter reader: of the list, at that step: its location and its line.
  /// - Returns: false to stop the list.
  func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool
}

extension StepObserver {
  package func stepBegins(_ step: Step) {}
}

/// What happens to a step of a list.
package enum StepEvent {
  /// It ran.
  ///
  /// - Parameters:
  ///   - verdicts: of its expectations; empty for a step that is not selected.
  ///   - isSelected: whether it is to be shown, checked and reported.
  case ran(StepResult, verdicts: [Expectation.Verdict], isSelected: Bool)
  /// It ran, and no observer wanted its result.
  case completed(StepReport, at: Instant, isSelected: Bool)
  /// It was passed over, for the reason that the list gives.
  case skipped(reason: String, isSelected: Bool)
  /// It ran, and runs again on the phone as it was before: the endpoint gave no answer, or not the expected one.
  case retried(StepResult, reason: String, attempt: Int)
}
