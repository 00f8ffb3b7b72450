import SKANCommandLine
import SKANRun

/// Counts the steps of a list for the progress bar.
final class ProgressObserver: StepObserver {
  private let progress: ProgressBar
  /// The number of steps after which the bar is updated.
  private let interval: Int
  /// Whether to count the bytes read. If several threads read one list, only one of them does.
  private let countsBytes: Bool
  private var steps = 0
  private var bytes = 0

  init(_ progress: ProgressBar, interval: Int, countsBytes: Bool) {
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

  /// Adds the steps and bytes that are not counted yet.
  ///
  /// - Parameter consumed: the number of bytes of the list that were read.
  func end(consumed: Int) {
    progress.advance(read: countsBytes ? consumed - bytes : 0, steps: steps)
    (bytes, steps) = (consumed, 0)
  }
}
