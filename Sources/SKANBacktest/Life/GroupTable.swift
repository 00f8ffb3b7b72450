import Foundation
import SKANBase

/// The groups of a backtest, each with an index; several threads share one table.
final class GroupTable: @unchecked Sendable {
  /// More of them are rather identifiers than groups.
  static let mostGroups = 10_000

  private let lock = NSLock()
  private let table = NameTable()
  /// Whether there are more groups than are counted.
  private var isFull = false

  /// With one group, the empty one.
  init() { _ = table.insert("") }

  /// The index of a group, which is the next one when it did not come yet; nil when there are too many.
  func index(of name: UnsafeBufferPointer<UInt8>) -> UInt32? {
    lock.lock()
    defer { lock.unlock() }
    if let index = unsafe table.index(of: name) { return UInt32(truncatingIfNeeded: index) }
    guard table.names.count <= Self.mostGroups else {
      isFull = true
      return nil
    }
    return unsafe UInt32(truncatingIfNeeded: table.insert(name))
  }

  var overflowed: Bool {
    lock.lock()
    defer { lock.unlock() }
    return isFull
  }

  /// By their indices.
  var names: [String] {
    lock.lock()
    defer { lock.unlock() }
    return table.names
  }
}
