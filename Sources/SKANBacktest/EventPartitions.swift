import SKANBase
import SKANDevice
import SKANRun
import SKANSystem

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

extension EventPartitions {
  /// Gives the records of every device to workers, of which each thread has one, and makes one value of what they find.
  ///
  /// - Parameters:
  ///   - start: the value without any device.
  ///   - jobs: how many threads, at least 1.
  ///   - isInterrupted: asked now and then; the value is of no use then.
  ///   - makeWorker: called once in each thread.
  ///   - visit: is given a worker of its own thread and a device.
  ///   - add: adds what a worker found; called by one thread at a time.
  func reduce<Value, Worker>(
    into start: Value, jobs: Int, isInterrupted: @escaping @Sendable () -> Bool, makeWorker: @escaping () -> Worker,
    visit: @escaping (inout Worker, DeviceKey, DeviceRecords) -> Void, add: @escaping (inout Value, Worker) -> Void
  ) throws(ReadFailure) -> Value {
    let shared = SharedResult(start, buckets: buckets)
    let functions = Functions(isInterrupted: isInterrupted, makeWorker: makeWorker, visit: visit, add: add)
    ThreadGroup.run(jobs) { [self] in run(functions, shared) }
    return try shared.result()
  }

  /// The function that the threads call; they share it without changing anything in it.
  private struct Functions<Value, Worker>: @unchecked Sendable {
    let isInterrupted: () -> Bool
    let makeWorker: () -> Worker
    let visit: (inout Worker, DeviceKey, DeviceRecords) -> Void
    let add: (inout Value, Worker) -> Void
  }

  /// One thread's part.
  private func run<Value, Worker>(_ functions: Functions<Value, Worker>, _ shared: SharedResult<Value>) {
    var worker = functions.makeWorker()
    while let bucket = shared.nextBucket(), !functions.isInterrupted() {
      do throws(ReadFailure) {
        try read(bucket).forEachDevice { key, records in functions.visit(&worker, key, records) }
      } catch {
        shared.fail(error)
      }
    }
    shared.change { functions.add(&$0, worker) }
  }

  /// The state that the threads share.
  private final class SharedResult<Value>: Sendable {
    private struct State {
      var value: Value
      var buckets: Range<Int>
      var failure: ReadFailure?
    }

    private let state: Monitor<State>

    init(_ value: Value, buckets: Range<Int>) { state = Monitor(State(value: value, buckets: buckets)) }

    /// The next bucket; nil after the last, and after a failure.
    func nextBucket() -> Int? { state.withLock { $0.failure == nil ? $0.buckets.popFirst() : nil } }

    func fail(_ error: ReadFailure) { state.withLock { $0.failure = $0.failure ?? error } }

    func change(_ change: (inout Value) -> Void) { state.withLock { change(&$0.value) } }

    func result() throws(ReadFailure) -> Value {
      try state.withLock { (state) throws(ReadFailure) in
        if let failure = state.failure { throw failure }
        return state.value
      }
    }
  }
}

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

/// The header of a record.
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
