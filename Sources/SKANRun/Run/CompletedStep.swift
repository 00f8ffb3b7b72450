import SKANDevice

/// What became of a step, before anything is made of it to show.
package struct CompletedStep {
  package var at: Instant
  package var endedAt: Instant
  package var report: StepReport
  /// What came back, when a request went out and the step ran for its result.
  var answer: RecordedAnswer?
  /// The report of the app's server, if there was one.
  var forwarded: ForwardedCall?
}

/// An answer that a result shows.
///
/// A class, as an answer is large and most steps run without a result.
final class RecordedAnswer {
  let answer: Answer

  init(_ answer: Answer) { self.answer = answer }
}
