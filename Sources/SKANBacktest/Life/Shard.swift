import SKANText

/// A part of all devices: one of `count` parts, by a hash of the identifier that is part of the contract, so that parts
/// made on different machines belong together.
package struct Shard: Sendable, Equatable {
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

  /// Whether a device is in it: the FNV-1a hash (64 bits) of its identifier's UTF-8 bytes, modulo the count.
  @inline(__always)
  package func contains(_ device: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe count == 1 || fnv1a(device) % UInt64(count) == UInt64(index - 1)
  }
}
