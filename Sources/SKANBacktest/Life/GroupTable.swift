import SKANBase
import SKANSystem

/// The groups of a backtest, each with an index; several threads share one table.
final class GroupTable: Sendable {
  /// More of them are rather identifiers than groups.
  static let mostGroups = 10_000

  private struct State {
    let table = NameTable()
    /// Whether there are more groups than are counted.
    var isFull = false
  }

  private let state = Monitor(State())

  /// With one group, the empty one.
  init() { state.withLock { _ = $0.table.insert("") } }

  /// The index of a group, which is the next one when it did not come yet; nil when there are too many.
  func index(of name: UnsafeBufferPointer<UInt8>) -> UInt32? {
    state.withLock { state in
      if let index = unsafe state.table.index(of: name) { return UInt32(truncatingIfNeeded: index) }
      guard state.table.names.count <= Self.mostGroups else {
        state.isFull = true
        return nil
      }
      return unsafe UInt32(truncatingIfNeeded: state.table.insert(name))
    }
  }

  var overflowed: Bool { state.withLock { $0.isFull } }

  /// By their indices.
  var names: [String] { state.withLock { $0.table.names } }
}
