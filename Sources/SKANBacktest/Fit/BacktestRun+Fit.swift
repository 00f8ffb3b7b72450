extension BacktestRun {
  /// What a fit needs of all devices, instead of running them.
  ///
  /// - Parameters:
  ///   - events: the named events; the plan's model asks for them.
  ///   - jobs: how many threads; the fit does not depend on it.
  ///   - isInterrupted: asked now and then; the result is of no use then.
  package func fitInput(
    events: [String], jobs: Int, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(EventPartitions.ReadFailure) -> FitInput {
    try partitions.reduce(
      into: FitInput(eventCount: events.count), jobs: jobs, isInterrupted: isInterrupted,
      makeWorker: { [plan] in FitCollector(plan, events: events) },
      visit: { collector, key, records in collector.add(key, records) },
      add: { input, collector in input.add(collector.result) })
  }
}
