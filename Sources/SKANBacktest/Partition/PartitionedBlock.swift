import SKANBase
import SKANDevice

/// What the records of a block of input come to, divided by device: made by one thread, and then added to
/// ``EventPartitions`` in the order of the input.
@safe package final class PartitionedBlock {
  /// By the index of the bucket.
  private let buckets = UnsafeMutablePointer<ByteWriter>.allocate(capacity: EventPartitions.bucketCount)

  package init() {
    for index in 0..<EventPartitions.bucketCount { unsafe (buckets + index).initialize(to: ByteWriter()) }
  }

  deinit {
    unsafe buckets.deinitialize(count: EventPartitions.bucketCount)
    unsafe buckets.deallocate()
  }

  /// The records of a bucket, valid until the next change.
  subscript(index: Int) -> UnsafeRawBufferPointer { unsafe buckets[index].written }

  /// Adds a record.
  ///
  /// - Parameter payload: writes at most 2^32 − 1 bytes.
  @inline(__always)
  package func append(_ key: DeviceKey, at time: Instant, payload: (inout ByteWriter) -> Void) {
    let bucket = unsafe buckets + EventPartitions.bucket(of: key)
    let start = unsafe bucket.pointee.count + RecordHeader.size
    unsafe RecordHeader(key: key, time: time, count: 0).write(to: &bucket.pointee)
    unsafe payload(&bucket.pointee)
    unsafe bucket.pointee.replace(
      at: start - MemoryLayout<UInt32>.size, fixed: UInt32(truncatingIfNeeded: bucket.pointee.count - start))
  }

  /// Empties it, so that its memory is used again.
  func removeAll() {
    for index in 0..<EventPartitions.bucketCount { unsafe buckets[index].removeAll() }
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
