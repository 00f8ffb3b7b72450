import SKANBase

/// A part of all devices: one of `count` parts, by a hash of the identifier that is part of the contract, so that parts
/// made on different machines belong together.
package struct Shard: Sendable, Equatable {
  /// All devices.
  package static let whole = Shard(index: 1, count: 1)
  private static let largestCount = 1_000_000

  /// From 1 to `count`.
  package let index: Int
  package let count: Int

  /// - Parameters:
  ///   - index: from 1 to `count`.
  ///   - count: at least 1.
  package init(index: Int, count: Int) {
    self.index = index
    self.count = count
  }

  /// Reads ``text`` again: `K/N`, from `1/N` to `N/N`; nil when it is something else.
  package init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let index = numbers[0], let count = numbers[1], (1...Self.largestCount).contains(count),
      (1...count).contains(index)
    else { return nil }
    self.init(index: index, count: count)
  }

  /// As `--shard` takes it: `2/3`.
  package var text: String { "\(index)/\(count)" }
  package var isWhole: Bool { count == 1 }

  /// Whether a device is in it: the FNV-1a hash (64 bits) of its identifier's UTF-8 bytes, modulo the count.
  @inline(__always)
  package func contains(_ device: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe isWhole || fnv1a(device) % UInt64(count) == UInt64(index - 1)
  }
}
