import SKANRun

/// Counts the steps of a list for the progress bar.
final class ProgressObserver: StepObserver {
  private let progress: ReplayProgress
  /// The bar is drawn once in this many steps.
  private let interval: Int
  /// Whether the bytes that were read count: of several threads that read one list one counts them.
  private let countsBytes: Bool
  private var steps = 0
  private var bytes = 0

  init(_ progress: ReplayProgress, interval: Int, countsBytes: Bool) {
    self.countsBytes = countsBytes
    self.progress = progress
    self.interval = interval
  }

  func wantsResult(of step: Step) -> Bool { false }

  func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
    if case .retried = event { return true }
    steps += 1
    if steps == interval { end(consumed: reader.consumed) }
    return true
  }

  /// Counts what was not counted yet.
  ///
  /// - Parameter consumed: bytes of the list that were read.
  func end(consumed: Int) {
    progress.advance(read: countsBytes ? consumed - bytes : 0, steps: steps)
    (bytes, steps) = (consumed, 0)
  }
}
