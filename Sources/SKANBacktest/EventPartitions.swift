import SKANBase
import SKANDevice
import SKANRun
import SKANSystem

/// Records of many devices in any order, divided into buckets of devices. A bucket provides each device's records
/// together and in order of time.
///
/// A bucket fits into memory, since a device has a limited number of records. The rest is stored in an unnamed
/// temporary file, which disappears however the process ends. Records with equal times stay in the order in which they
/// were added.
///
///     let partitions = EventPartitions()
///     try partitions.append(block)                       // the blocks of the input, in order
///     for bucket in partitions.buckets {
///       try partitions.read(bucket).forEachDevice { device in … }
///     }
package final class EventPartitions: @unchecked Sendable {
  /// A power of two. Each thread has 1/256 of all devices in memory at once.
  static let bucketCount = 256
  /// The bytes of a bucket that are written at once.
  private static let pieceSize = 32 << 10

  @inline(__always)
  static func bucket(of key: DeviceKey) -> Int { Int(truncatingIfNeeded: key.low & UInt64(bucketCount - 1)) }

  private struct State {
    /// The bytes of each bucket that are not written yet.
    var pending = [[UInt8]](repeating: [], count: bucketCount)
    /// The ranges of each bucket's written pieces.
    var pieces = [[Range<Int>]](repeating: [], count: bucketCount)
  }

  private let state = Monitor(State())
  /// Only used while ``state`` is locked.
  let spool: SpoolFile
  /// The most records of one device.
  let mostRecords: Int

  /// The default for the most records of one device. All of them are in memory at once, with about 200 bytes each. A
  /// phone with a row every minute has as many in a year; an identifier with more is usually a placeholder that an
  /// export writes for unknown devices.
  package static let mostRecords = 500_000

  /// - Parameters:
  ///   - limit: the bytes that stay in memory before anything is written.
  ///   - directory: the directory for the temporary file; nil for `TMPDIR`, or else `/tmp`.
  ///   - mostRecords: the most records of one device.
  package init(limit: Int = 32 << 20, directory: String? = nil, mostRecords: Int = EventPartitions.mostRecords) {
    self.mostRecords = mostRecords
    spool = SpoolFile(limit: limit, directory: directory)
  }

  /// Adds the records of a block, and empties the block.
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

  package var buckets: Range<Int> { 0..<Self.bucketCount }

  /// Why records cannot be read back.
  package enum ReadFailure: Error, Equatable {
    case file(FileError)
    /// A device has more than the most records.
    case tooManyRecords(of: DeviceKey, count: Int)
    /// The caller has stopped it.
    case stopped
  }

  /// Reads the records of a bucket.
  package func read(_ bucket: Int) throws(ReadFailure) -> PartitionBucket {
    try state.withLock { (state) throws(ReadFailure) in
      var bytes: [UInt8] = []
      let (pieces, pending) = (state.pieces[bucket], state.pending[bucket])
      let size = pieces.reduce(pending.count) { $0 + $1.count }
      // A bucket of this size cannot contain too many records.
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

  /// Counts the records of each device, piece by piece, and throws if one has too many.
  private func checkCounts(_ pieces: [Range<Int>], _ pending: [UInt8]) throws(ReadFailure) {
    var counts: [DeviceKey: Int] = [:]
    for piece in pieces { PartitionBucket(try read(piece)).count(into: &counts) }
    PartitionBucket(pending).count(into: &counts)
    guard let (key, count) = counts.max(by: { $0.value < $1.value }), count > mostRecords else { return }
    throw .tooManyRecords(of: key, count: count)
  }
}

extension EventPartitions {
  /// Passes the records of every device to a worker, with one worker per thread, and combines their results.
  ///
  /// - Parameters:
  ///   - start: the initial value.
  ///   - jobs: the number of threads, at least 1.
  ///   - isInterrupted: asked regularly; the value is meaningless after an interruption.
  ///   - makeWorker: called once in each thread.
  ///   - visit: receives the thread's worker and a device.
  ///   - deliver: receives the thread's worker after each bucket, in the order of the buckets and by one thread at a time;
  ///     returns false to stop.
  ///   - add: adds a worker's result; called by one thread at a time.
  func reduce<Value, Worker>(
    into start: Value, jobs: Int, isInterrupted: @escaping @Sendable () -> Bool, makeWorker: @escaping () -> Worker,
    visit: @escaping (inout Worker, DeviceKey, DeviceRecords) -> Void,
    deliver: ((inout Worker) -> Bool)? = nil, add: @escaping (inout Value, Worker) -> Void
  ) throws(ReadFailure) -> Value {
    let shared = SharedResult(start, buckets: buckets)
    let functions = Functions(
      isInterrupted: isInterrupted, makeWorker: makeWorker, visit: visit, deliver: deliver, add: add)
    ThreadGroup.run(jobs) { [self] in run(functions, shared) }
    return try shared.result()
  }

  /// The functions that the threads share; they do not change.
  private struct Functions<Value, Worker>: @unchecked Sendable {
    let isInterrupted: () -> Bool
    let makeWorker: () -> Worker
    let visit: (inout Worker, DeviceKey, DeviceRecords) -> Void
    let deliver: ((inout Worker) -> Bool)?
    let add: (inout Value, Worker) -> Void
  }

  /// Runs one thread's part.
  private func run<Value, Worker>(_ functions: Functions<Value, Worker>, _ shared: SharedResult<Value>) {
    var worker = functions.makeWorker()
    // Each bucket that is taken has its turn, so that no thread waits for ever.
    while !functions.isInterrupted(), let bucket = shared.nextBucket() {
      do throws(ReadFailure) {
        try read(bucket).forEachDevice { key, records in functions.visit(&worker, key, records) }
      } catch {
        shared.fail(error)
      }
      if let deliver = functions.deliver { shared.inTurn(of: bucket) { deliver(&worker) } }
    }
    shared.change { functions.add(&$0, worker) }
  }

  /// The state that the threads share.
  private final class SharedResult<Value>: Sendable {
    private struct State {
      var value: Value
      var buckets: Range<Int>
      /// The bucket whose turn it is.
      var turn = 0
      var failure: ReadFailure?
    }

    private let state: Monitor<State>

    init(_ value: Value, buckets: Range<Int>) { state = Monitor(State(value: value, buckets: buckets)) }

    /// The next bucket; nil after the last, and after a failure.
    func nextBucket() -> Int? { state.withLock { $0.failure == nil ? $0.buckets.popFirst() : nil } }

    func fail(_ error: ReadFailure) { state.withLock { $0.failure = $0.failure ?? error } }

    /// Calls `body`, which returns false to stop, when all earlier buckets have had their turn; not after a failure.
    func inTurn(of bucket: Int, _ body: () -> Bool) {
      // Others take buckets meanwhile.
      let hasFailed = state.wait(until: { $0.turn == bucket }) { $0.failure != nil }
      if !hasFailed, !body() { fail(.stopped) }
      state.change { $0.turn += 1 }
    }

    func change(_ change: (inout Value) -> Void) { state.withLock { change(&$0.value) } }

    func result() throws(ReadFailure) -> Value {
      try state.withLock { (state) throws(ReadFailure) in
        if let failure = state.failure { throw failure }
        return state.value
      }
    }
  }
}

/// The records of a block of input, divided by device. One thread makes it, and then adds it to ``EventPartitions`` in
/// the order of the input.
@safe package final class PartitionedBlock {
  /// The records by index of the bucket.
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

  /// Removes all records, and keeps the memory.
  func removeAll() {
    for index in 0..<EventPartitions.bucketCount { unsafe buckets[index].removeAll() }
  }
}

/// The header of a record.
struct RecordHeader {
  var key: DeviceKey
  var time: Instant
  /// The size of the payload in bytes.
  var count: UInt32

  /// The size of the header in bytes.
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
