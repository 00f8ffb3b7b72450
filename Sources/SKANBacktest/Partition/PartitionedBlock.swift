import SKANDevice

/// What the records of a block of input come to, divided by device: made by one thread, and then added to
/// ``EventPartitions`` in the order of the input.
package struct PartitionedBlock {
  /// By the index of the bucket.
  private(set) var buckets: [[UInt8]]

  package init() { buckets = Array(repeating: [], count: EventPartitions.bucketCount) }

  /// Adds a record.
  ///
  /// - Parameter payload: at most 2^32 − 1 bytes.
  @inline(__always)
  package mutating func append(_ key: DeviceKey, at time: Instant, payload: UnsafeRawBufferPointer) {
    let header = RecordHeader(key: key, time: time, count: UInt32(truncatingIfNeeded: payload.count))
    let index = EventPartitions.bucket(of: key)
    unsafe withUnsafeBytes(of: header) { unsafe buckets[index].append(contentsOf: $0) }
    unsafe buckets[index].append(contentsOf: payload)
  }

  /// Empties it, so that its memory is used again.
  mutating func removeAll() {
    for index in buckets.indices { buckets[index].removeAll(keepingCapacity: true) }
  }
}

/// What stands before the payload of a record.
struct RecordHeader {
  var key: DeviceKey
  var time: Instant
  /// Bytes of the payload.
  var count: UInt32

  /// As it lies in memory, without the padding behind it.
  static let size = 28
}
