import SKANSystem

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

  /// What the threads call; they share it without changing anything in it.
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

  /// What the threads share.
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
