import SKANDevice
import SKANRun
import Synchronization

/// How far a replay is, for a person at a terminal: a bar with rate and time left, once it takes longer than a second.
final class ReplayProgress: Sendable {
  private struct State {
    var start: Instant
    var read = 0
    var steps = 0
    var shownAt: Instant
    var isShown = false
  }

  private static let width = 24
  /// Takes the bar away, and leaves the cursor at the beginning of its line.
  private static let clear = "\r\u{1B}[K"

  private let environment: Environment
  private let total: Int
  private let state: Mutex<State>

  /// - Parameter total: bytes of all lists; 0 when it is not known, as a pipe's are not.
  init(_ environment: Environment, total: Int) {
    self.environment = environment
    self.total = total
    let now = environment.now()
    state = Mutex(State(start: now, shownAt: now))
  }

  /// The second that goes without a bar begins here.
  func begin() {
    let now = environment.now()
    state.withLock { $0.start = now }
  }

  /// Adds bytes of lists that were read, and steps that ran.
  func advance(read: Int, steps: Int) {
    let now = environment.now()
    state.withLock { state in
      state.read += read
      state.steps += steps
      let seconds = now.since(state.start).seconds
      guard seconds >= 1, !state.isShown || now.since(state.shownAt).seconds >= 0.1 else { return }
      state.shownAt = now
      state.isShown = true
      environment.writeError(Self.clear + bar(state.read, state.steps, seconds))
    }
  }

  /// Takes the bar away while `body` writes; it comes back by itself.
  func hidden(_ body: () -> Void) {
    state.withLock { state in
      if state.isShown { environment.writeError(Self.clear) }
      state.isShown = false
      body()
    }
  }

  /// Takes the bar away.
  func end() { hidden {} }

  private func bar(_ read: Int, _ steps: Int, _ seconds: Double) -> String {
    let rate = Double(steps) / seconds
    // An endpoint that answers slowly lets less than one step a second run, which is not none.
    let speed =
      switch rate {
      case 1_000_000...: "\((rate / 100_000).rounded() / 10)M"
      case 1000...: "\(Int(rate / 1000))k"
      case 10...: "\(Int(rate))"
      default: "\((rate * 10).rounded() / 10)"
      }
    guard total > 0 else { return "\(steps) steps, \(speed)/s" }
    let share = min(1, Double(read) / Double(total))
    let filled = Int(share * Double(Self.width))
    let left = TimeSpan(seconds: Int64(((1 - share) * seconds / max(share, 0.001)).rounded(.up)))
    return "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: Self.width - filled))] "
      + "\(Int(share * 100))%  \(steps == 0 ? "checking" : "\(speed) steps/s")  \(left) left"
  }
}

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
