import SKANBase
import SKANDevice
import Synchronization

/// A progress bar with rate and time left, shown on a terminal once the work takes longer than a second.
package final class ProgressBar: Sendable {
  private struct State {
    package var start: Instant
    var read = 0
    package var steps = 0
    var shownAt: Instant
    var isShown = false
  }

  private static let width = 24
  /// Clears the bar, and leaves the cursor at the beginning of its line.
  package static let clear = "\r\u{1B}[K"

  /// The unit of a rate.
  package enum Unit: Sendable { case steps, bytes }

  private let environment: Environment
  private let total: Int
  private let unit: Unit
  private let state: Mutex<State>

  /// - Parameters:
  ///   - total: how much there is to read, such as the size of all lists in bytes; 0 if it is not known, as for a pipe.
  ///   - unit: what the rate counts.
  package init(_ environment: Environment, total: Int, of unit: Unit = .steps) {
    self.environment = environment
    self.total = total
    self.unit = unit
    let now = environment.now()
    state = Mutex(State(start: now, shownAt: now))
  }

  /// Starts the second before the bar appears.
  package func begin() {
    let now = environment.now()
    state.withLock { $0.start = now }
  }

  /// Adds how much was read of the total, and the number of steps that were run, or of unpacked bytes.
  package func advance(read: Int, steps: Int) {
    let now = environment.now()
    state.withLock { state in
      state.read += read
      state.steps += steps
      let seconds = now.since(state.start).seconds
      guard seconds >= 1, !state.isShown || now.since(state.shownAt).seconds >= 0.1 else { return }
      state.shownAt = now
      state.isShown = true
      show(Self.clear + bar(state.read, state.steps, seconds))
    }
  }

  /// Hides the bar while `body` writes. It reappears with the next update.
  package func hidden(_ body: () -> Void) {
    state.withLock { state in
      if state.isShown { show(Self.clear) }
      state.isShown = false
      body()
    }
  }

  package func end() { hidden {} }

  private func show(_ text: String) {
    try? environment.write(ByteText(Array(text.utf8)), to: .messages, unredacted: "the bar holds only numbers")
  }

  private func bar(_ read: Int, _ steps: Int, _ seconds: Double) -> String {
    let rate = Double(steps) / seconds
    if unit == .bytes { return bytesBar(read, steps, rate, seconds) }
    // A slow endpoint allows less than one step per second, which must not be shown as 0.
    let speed =
      switch rate {
      case 1_000_000...: "\((rate / 100_000).rounded() / 10)M"
      case 1000...: "\(Int(rate / 1000))k"
      case 10...: "\(Int(rate))"
      default: "\((rate * 10).rounded() / 10)"
      }
    guard total > 0 else { return "\(steps) steps, \(speed)/s" }
    return bar(read, seconds, steps == 0 ? "checking" : "\(speed) steps/s")
  }

  private func bytesBar(_ read: Int, _ bytes: Int, _ rate: Double, _ seconds: Double) -> String {
    let speed = "\(Int(rate) >> 20) MiB/s"
    return read == 0 || total == 0 ? "\(bytes >> 20) MiB read, \(speed)" : bar(read, seconds, speed)
  }

  private func bar(_ read: Int, _ seconds: Double, _ speed: String) -> String {
    let share = min(1, Double(read) / Double(total))
    let filled = Int(share * Double(Self.width))
    let left = TimeSpan(seconds: Int64(((1 - share) * seconds / max(share, 0.001)).rounded(.up)))
    return "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: Self.width - filled))] "
      + "\(Int(share * 100))%  \(speed)  \(left) left"
  }
}
