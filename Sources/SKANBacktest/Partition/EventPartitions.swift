import SKANDevice
import SKANSystem
import SKANRun

/// Records of many devices in any order, divided into buckets of devices, from which each device's records come together
/// and in the order of time.
///
/// A bucket fits into memory, since a device has a bounded number of records. The rest waits in a temporary file without a
/// name, of which nothing is left however the process ends. Records of the same time stay in the order in which they were
/// added.
///
///     let partitions = EventPartitions()
///     try partitions.append(block)                       // the blocks of the input, in order
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

  private struct State {
    /// The bytes of each bucket that are not a piece yet.
    var pending = [[UInt8]](repeating: [], count: bucketCount)
    /// Where the pieces of each bucket are.
    var pieces = [[Range<Int>]](repeating: [], count: bucketCount)
  }

  private let state = Monitor(State())
  /// Used with the lock of ``state`` alone.
  let spool: SpoolFile
  /// How many records of one device there may be.
  let mostRecords: Int

  /// All records of a device are in memory at once, some 200 bytes each. A phone with a row a minute has as many in a year; an
  /// identifier with more is mostly none, but what an export writes where it knows no device.
  package static let mostRecords = 500_000

  /// - Parameters:
  ///   - limit: how many bytes stay in memory before anything is written.
  ///   - directory: for the temporary file; `TMPDIR`, else `/tmp`, when it is nil.
  ///   - mostRecords: how many records of one device there may be.
  package init(limit: Int = 32 << 20, directory: String? = nil, mostRecords: Int = EventPartitions.mostRecords) {
    self.mostRecords = mostRecords
    spool = SpoolFile(limit: limit, directory: directory)
  }

  /// Adds the records of a block, and empties it.
  package func append(_ block: PartitionedBlock) throws(FileError) {
    try state.withLock { (state) throws(FileError) in
      for index in 0..<Self.bucketCount where unsafe !block[index].isEmpty {
        unsafe state.pending[index].append(contentsOf: block[index])
        if state.pending[index].count < Self.pieceSize { continue }
        state.pieces[index].append(try spool.append(state.pending[index]))
        state.pending[index].removeAll(keepingCapacity: true)
      }
    }
    block.removeAll()
  }

  /// The indices of the buckets.
  package var buckets: Range<Int> { 0..<Self.bucketCount }

  /// Why records do not come back.
  package enum ReadFailure: Error, Equatable {
    case file(FileError)
    /// A device has more records than there may be.
    case tooManyRecords(of: DeviceKey, count: Int)
  }

  /// The records of a bucket's devices.
  package func read(_ bucket: Int) throws(ReadFailure) -> PartitionBucket {
    try state.withLock { (state) throws(ReadFailure) in
      var bytes: [UInt8] = []
      let (pieces, pending) = (state.pieces[bucket], state.pending[bucket])
      let size = pieces.reduce(pending.count) { $0 + $1.count }
      // Fewer bytes hold fewer records.
      if size > mostRecords * RecordHeader.size { try checkCounts(pieces, pending) }
      bytes.reserveCapacity(size)
      for piece in pieces { bytes += try read(piece) }
      bytes += pending
      return PartitionBucket(bytes)
    }
  }

  private func read(_ piece: Range<Int>) throws(ReadFailure) -> [UInt8] {
    do throws(FileError) { return try spool.read(piece) } catch { throw .file(error) }
  }

  /// Counts the records of each device, a piece at a time.
  private func checkCounts(_ pieces: [Range<Int>], _ pending: [UInt8]) throws(ReadFailure) {
    var counts: [DeviceKey: Int] = [:]
    for piece in pieces { PartitionBucket(try read(piece)).count(into: &counts) }
    PartitionBucket(pending).count(into: &counts)
    guard let (key, count) = counts.max(by: { $0.value < $1.value }), count > mostRecords else { return }
    throw .tooManyRecords(of: key, count: count)
  }
}
