import Foundation
import SKANDevice
import SKANStorage

/// Records of many devices in any order, divided into buckets of devices, from which each device's records come together
/// and in the order of time.
///
/// A bucket fits into memory; the rest waits in a temporary file without a name, of which nothing is left however the
/// process ends. Records of the same time stay in the order in which they were added.
///
///     let partitions = EventPartitions()
///     try partitions.append(&block)                      // the blocks of the input, in order
///     for bucket in partitions.buckets {
///       try partitions.read(bucket).forEachDevice { device in … }
///     }
package final class EventPartitions: @unchecked Sendable {
  /// A power of two: a tenth of a percent of all devices are in memory at once for each thread.
  static let bucketCount = 256
  /// How many bytes of a bucket are written at once.
  private static let pieceSize = 32 << 10

  @inline(__always)
  static func bucket(of key: DeviceKey) -> Int { Int(truncatingIfNeeded: key.low & UInt64(bucketCount - 1)) }

  /// Guards what follows.
  private let lock = NSLock()
  private let spool: SpoolFile
  /// What is not yet a piece, by bucket.
  private var pending = [[UInt8]](repeating: [], count: bucketCount)
  /// Where the pieces of each bucket are.
  private var pieces = [[Range<Int>]](repeating: [], count: bucketCount)
  /// How many records there are.
  package private(set) var count = 0

  /// - Parameters:
  ///   - limit: how many bytes stay in memory before anything is written.
  ///   - directory: for the temporary file; `TMPDIR`, else `/tmp`, when it is nil.
  package init(limit: Int = 32 << 20, directory: String? = nil) {
    spool = SpoolFile(limit: limit, directory: directory)
  }

  /// Adds the records of a block, and empties it.
  package func append(_ block: inout PartitionedBlock) throws(FileError) {
    lock.lock()
    defer { lock.unlock() }
    for index in 0..<Self.bucketCount where !block.buckets[index].isEmpty {
      pending[index] += block.buckets[index]
      if pending[index].count < Self.pieceSize { continue }
      pieces[index].append(try spool.append(pending[index]))
      pending[index].removeAll(keepingCapacity: true)
    }
    block.removeAll()
  }

  /// The indices of the buckets.
  package var buckets: Range<Int> { 0..<Self.bucketCount }

  /// The records of a bucket's devices.
  package func read(_ bucket: Int) throws(FileError) -> PartitionBucket {
    var bytes: [UInt8] = []
    lock.lock()
    defer { lock.unlock() }
    bytes.reserveCapacity(pieces[bucket].reduce(pending[bucket].count) { $0 + $1.count })
    for piece in pieces[bucket] { bytes += try spool.read(piece) }
    bytes += pending[bucket]
    return PartitionBucket(bytes)
  }
}
