import SKANBase
import SKANDevice

/// What the records of a block of input come to, divided by device: made by one thread, and then added to
/// ``EventPartitions`` in the order of the input.
package struct PartitionedBlock {
  /// By the index of the bucket.
  private(set) var buckets: [[UInt8]]

  package init() { buckets = Array(repeating: [], count: EventPartitions.bucketCount) }

  /// Adds a record.
  ///
  /// - Parameter payload: writes at most 2^32 − 1 bytes.
  @inline(__always)
  package mutating func append(_ key: DeviceKey, at time: Instant, payload: (inout ByteWriter) -> Void) {
    buckets[EventPartitions.bucket(of: key)].append { writer in
      RecordHeader(key: key, time: time, count: 0).write(to: &writer)
      payload(&writer)
      writer.replace(
        at: RecordHeader.size - MemoryLayout<UInt32>.size,
        fixed: UInt32(truncatingIfNeeded: writer.count - RecordHeader.size))
    }
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

  /// Its bytes.
  static let size = 28

  init(key: DeviceKey, time: Instant, count: UInt32) {
    (self.key, self.time, self.count) = (key, time, count)
  }

  @inline(__always)
  func write(to writer: inout ByteWriter) {
    writer.put(fixed: key.high)
    writer.put(fixed: key.low)
    writer.put(fixed: time.microseconds)
    writer.put(fixed: count)
  }

  @inline(__always)
  init(from reader: inout ByteReader) {
    key = DeviceKey(high: reader.fixed(), low: reader.fixed())
    time = Instant(microseconds: reader.fixed())
    count = reader.fixed()
  }
}
