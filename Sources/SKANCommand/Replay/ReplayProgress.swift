import SKANDevice
import Synchronization

/// How far a replay is, for a person at a terminal: a bar with rate and time left, once it takes longer than a second.
final class ReplayProgress: Sendable {
  private struct State {
    var read: [String: Int] = [:]
    var steps = 0
    var shownAt: Instant
    var isShown = false
  }

  private static let width = 24

  private let environment: Environment
  private let total: Int
  private let start: Instant
  private let state: Mutex<State>

  /// - Parameter total: bytes of all lists.
  init(_ environment: Environment, total: Int) {
    self.environment = environment
    self.total = total
    start = environment.now()
    state = Mutex(State(shownAt: start))
  }

  /// So many more steps of a list were lived, and so many of its bytes are read by now.
  func advance(_ source: ReplaySource, read: Int, steps: Int) {
    let now = environment.now()
    let text: String? = state.withLock { state in
      state.read[source.name] = read
      state.steps += steps
      guard now.since(start).seconds >= 1, !state.isShown || now.since(state.shownAt).seconds >= 0.1 else { return nil }
      state.shownAt = now
      state.isShown = true
      return bar(state.read.values.reduce(0, +), state.steps, now.since(start).seconds)
    }
    if let text { environment.writeError("\r\u{1B}[K\(text)") }
  }

  /// Takes the bar away.
  func end() {
    let wasShown = state.withLock { state in
      defer { state.isShown = false }
      return state.isShown
    }
    if wasShown { environment.writeError("\r\u{1B}[K") }
  }

  private func bar(_ read: Int, _ steps: Int, _ seconds: Double) -> String {
    let rate = Double(steps) / seconds
    let speed =
      rate >= 1_000_000 ? "\((rate / 100_000).rounded() / 10)M" : rate >= 1000 ? "\(Int(rate / 1000))k" : "\(Int(rate))"
    // A pipe's end is not known.
    guard total > 0 else { return "\(steps) steps, \(speed)/s" }
    let share = min(1, Double(read) / Double(total))
    let filled = Int(share * Double(Self.width))
    let left = share > 0 ? Int(((1 - share) * seconds / share).rounded(.up)) : 0
    return "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: Self.width - filled))] "
      + "\(Int(share * 100))%  \(speed) steps/s  \(left) s left"
  }
}
