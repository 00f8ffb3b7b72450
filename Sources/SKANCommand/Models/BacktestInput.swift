import SKANBacktest
import SKANBase
import SKANCommandLine
import SKANRun

/// Reads the input of a backtest, and runs it.
struct BacktestInput {
  private let invocation: Invocation
  private let environment: Environment
  private let run: BacktestRun
  private let options: RowOptions
  private let jobs: Int
  /// Nil unless the rows of each device are consecutive.
  private var grouped: GroupedRun?
  /// The mapping of the exports that were read; nil if there were none.
  private var mapping: ExportMapping?
  /// The columns of the exports that were read; for JSON Lines, the keys of the first object.
  private var columns: [String] = []
  /// Hashes all input; nil if the hash is not needed.
  private let hash: InputHash?
  /// Whether only devices that `model fit` holds out count; nil if they do when models are compared of which one says that
  /// it was fitted to this input.
  private let holdsOut: Bool?
  /// The hash of all input, once it is read; nil if it is not needed.
  private(set) var inputHash: UInt64?
  /// Receives pieces of the rows of devices; returns false to stop.
  private let list: ([UInt8]) -> Bool

  init(
    _ invocation: Invocation, _ plan: BacktestPlan, _ options: RowOptions, hash: InputHash? = nil,
    holdsOut: Bool? = false, list: @escaping ([UInt8]) -> Bool = { _ in true }
  ) throws(CommandError) {
    self.list = list
    self.invocation = invocation
    self.options = options
    self.hash = hash
    environment = invocation.environment
    run = BacktestRun(plan, mostRows: environment.mostRowsOfDevice)
    jobs = options.jobs ?? environment.cores()
    self.holdsOut = holdsOut
    if holdsOut ?? false { run.holdOut() }
    if options.isGrouped { grouped = GroupedRun(run, list: list) }
  }

  /// - Parameter isDivided: whether the rows are a part, which need not contain a transaction.
  private mutating func readFiles(isDivided: Bool = false) throws(CommandError) {
    var files = try ExportFiles(invocation, options.export, saysGuess: options.saysGuess, hash: hash)
    var counted = ImportTally()
    while let input = try files.next() {
      switch input {
      case .eventList(let source, let file): try add(list: source, file)
      case .rows(let blocks, let rows): try add(blocks, rows, &counted)
      }
    }
    inputHash = hash?.finish()
    try counted.checkShare(options.export.mostErrors)
    if !isDivided {
      try mapping?.checkTransactions(counted, columns: columns)
      try mapping?.checkForms(counted)
    }
  }

  /// Reads all files, and returns the input of a fit.
  mutating func fitInput(_ request: FitRequest) throws(CommandError) -> FitInput {
    try readFiles()
    let input: FitInput
    do throws(EventPartitions.ReadFailure) {
      input = try run.fitInput(request, jobs: jobs, isInterrupted: environment.isInterrupted)
    } catch {
      throw invocation.failed(error, options.export)
    }
    if environment.isInterrupted() { throw .interrupted }
    return input
  }

  /// Reads all files, and returns the sums of worths.
  mutating func worth(_ request: WorthRequest) throws(CommandError) -> WorthSummary {
    try readFiles()
    if run.hasTooManyWorthGroups {
      throw invocation.usage(
        "\(invocation.name(of: BacktestOptions.by)): worths are learned for at most \(WorthRequest.mostGroups) groups, and "
          + "the column has more values: name one with fewer")
    }
    let summary: WorthSummary
    do throws(EventPartitions.ReadFailure) {
      summary = try run.worth(request, jobs: jobs, isInterrupted: environment.isInterrupted)
    } catch {
      throw invocation.failed(error, options.export)
    }
    if environment.isInterrupted() { throw .interrupted }
    try checkGroups(summary.backtest)
    return summary
  }

  /// Reads all files, and returns their totals.
  ///
  /// - Parameters:
  ///   - isPart: whether other parts will be added to the totals.
  ///   - isDivided: whether the rows were divided by device beforehand.
  mutating func summary(isPart: Bool, isDivided: Bool) throws(CommandError) -> BacktestSummary {
    try readFiles(isDivided: isDivided)
    let isFitted = run.plan.models.contains { $0.model.fittedTo != nil && $0.model.fittedTo == inputHash?.hexText }
    // Devices of grouped rows have run by now.
    if holdsOut == nil, grouped == nil, isFitted, run.plan.models.count > 1 { run.holdOut() }
    var summary = try ran()
    summary.header.mapping = mapping?.stableHash
    if run.hasTooManyGroups {
      throw invocation.usage(
        "\(invocation.name(of: BacktestOptions.by)): more than \(BacktestRun.mostGroups) groups are in the input: name a "
          + "column with fewer values")
    }
    if !isPart { try checkGroups(summary) }
    return summary
  }

  /// Throws if the groups' column is in no object of JSON Lines. For a table, reading the header already throws.
  private func checkGroups(_ summary: BacktestSummary) throws(CommandError) {
    guard let column = summary.header.groupColumn, Array(summary.groups.keys) == [""],
      let problem = ExportMapping.noValue(in: [ExportColumn(column)], of: columns)
    else { return }
    throw .unusable(problem)
  }

  private mutating func ran() throws(CommandError) -> BacktestSummary {
    let summary: BacktestSummary
    do throws(EventPartitions.ReadFailure) {
      if let grouped = try grouped?.summary(jobs: jobs, isInterrupted: environment.isInterrupted) {
        summary = grouped
      } else {
        summary = try run.summary(jobs: jobs, isInterrupted: environment.isInterrupted, list: list)
      }
    } catch {
      throw invocation.failed(error, options.export)
    }
    if environment.isInterrupted() { throw .interrupted }
    return summary
  }

  private mutating func add(
    _ blocks: ExportBlocks, _ rows: ExportMapping, _ counted: inout ImportTally
  ) throws(CommandError) {
    mapping = rows
    columns += blocks.layout.columns
    var (tally, total, failure) = (ImportTally(), counted, CommandError?.none)
    let report = { [options] (block: ImportTally) -> Bool in
      tally += block
      total += block
      do throws(CommandError) { try total.check(most: options.export.mostErrors) } catch { failure = error }
      return failure == nil
    }
    defer { counted = total }
    do throws(BacktestRun.IntakeFailure) {
      if grouped == nil {
        try run.add(blocks, rows, jobs: jobs, isInterrupted: environment.isInterrupted, report: report)
      } else {
        try grouped?.add(blocks, rows, by: run, isInterrupted: environment.isInterrupted, report: report)
      }
    } catch {
      throw failure ?? failed(error, blocks.layout.file)
    }
    let input = InputTally(tally, rows, in: run.plan.shard)
    if grouped == nil { run.add(input) } else { grouped?.add(input) }
  }

  private func failed(_ failure: BacktestRun.IntakeFailure, _ file: String) -> CommandError {
    switch failure {
    case .export(let failure): CommandError(failure, file: file)
    case .file(let error): invocation.failed(.file(error), nil)
    case .interrupted, .stopped: .interrupted
    case .broken(let broken): self.broken(broken, file)
    }
  }

  private func broken(_ broken: GroupedRun.Broken, _ file: String) -> CommandError {
    let place = "\(file):\(broken.line)"
    return switch broken.reason {
    case .cameBack:
      .lines([
        .at(place, "this device had rows before, and another one since: leave out --grouped, or sort the input")
      ])
    case .tooManyRows: invocation.tooManyRows(at: place)
    case .file(let error): invocation.failed(.file(error), nil)
    case .stopped: .interrupted
    }
  }

  private mutating func add(list source: ByteSource, _ file: String) throws(CommandError) {
    if options.export.group != nil {
      throw invocation.usage(
        "\(invocation.name(of: BacktestOptions.by)) names a column, and \(file.oneLine) is an event list, which has none"
      )
    }
    let reader = ListReader(file, source, ListReader.Options())
    do throws(ListIntake.Failure) {
      if grouped == nil {
        try run.add(reader, isInterrupted: environment.isInterrupted)
      } else {
        try grouped?.add(reader, by: run, isInterrupted: environment.isInterrupted)
      }
    } catch {
      switch error {
      case .wrong(let problems): throw .lists(problems, count: problems.count)
      case .unreadable(let failure): throw CommandError(failure, file: file)
      case .interrupted: throw .interrupted
      case .file(let error): throw invocation.failed(.file(error), nil)
      case .broken(let broken): throw self.broken(broken, file)
      }
    }
  }
}
