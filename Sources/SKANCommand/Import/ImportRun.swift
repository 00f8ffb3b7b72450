import SKANBacktest
import SKANModel
import SKANSystem
import SKANRun

/// One run of `skan import`: reads every row, and then every device.
struct ImportRun {
  /// How many bytes of the list are written at once.
  private static let pieceSize = 1 << 18

  private let invocation: Invocation
  private let options: ImportCommand.Options
  private let sorter: ExportSorter
  private let knowledge: ([ConversionModel], ExchangeRates?)
  private(set) var report: ImportReport

  init(_ invocation: Invocation, _ options: ImportCommand.Options) throws(CommandError) {
    self.invocation = invocation
    self.options = options
    sorter = ExportSorter(keepsTexts: options.output != nil, mostRows: invocation.environment.mostRowsOfDevice)
    knowledge = try ImportCommand.knowledge(options, invocation)
    report = ImportReport(nil, models: knowledge.0, rates: knowledge.1)
  }

  /// Reads the rows of all inputs.
  mutating func read() throws(CommandError) {
    var files = try ExportFiles(invocation, options.export, saysGuess: !options.isQuiet)
    var columns: [String] = []
    while let input = try files.next() {
      switch input {
      case .eventList(_, let file):
        throw .lines(["\(file.oneLine): this is an event list already: 'skan replay' and 'skan backtest' read it"])
      case .rows(let blocks, let mapping):
        report.mapping = mapping
        columns += blocks.layout.columns
        try read(blocks, mapping)
      }
    }
    try report.mapping?.checkTransactions(report.tally, columns: columns)
  }

  private mutating func read(_ blocks: ExportBlocks, _ mapping: ExportMapping) throws(CommandError) {
    let parser = ExportParser(mapping)
    while let block = try nextBlock(of: blocks) {
      if invocation.environment.isInterrupted() { throw .interrupted }
      report.tally += sorter.add(block, parser, &report)
      try report.tally.check(most: options.export.mostErrors)
      do throws(FileError) { try sorter.flush() } catch { throw invocation.failed(.file(error), nil) }
    }
  }

  private func nextBlock(of blocks: ExportBlocks) throws(CommandError) -> ExportBlock? {
    do throws(ExportFailure) { return try blocks.next() } catch { throw CommandError(error, file: blocks.layout.file) }
  }

  /// Counts the devices.
  mutating func count() throws(CommandError) { try forEachDevice { _ in } }

  /// Writes the steps of all devices, and counts them.
  mutating func write(to file: OutputFile) throws(CommandError) {
    var steps = ImportedSteps()
    if file.isStandardOutput {
      let environment = invocation.environment
      try write(&steps) { (bytes) throws(CommandError) in try environment.writeOutput(bytes) }
    } else {
      try publish(&steps, to: file.path)
    }
    report.steps = steps.count
  }

  private mutating func publish(_ steps: inout ImportedSteps, to path: String) throws(CommandError) {
    var failure: CommandError?
    do throws(CommandError) {
      try invocation.environment.files.publishPieces(path) { (write) throws(FileError) in
        do throws(CommandError) {
          try self.write(&steps) { (bytes) throws(CommandError) in
            do throws(FileError) { try write(bytes) } catch {
              throw .cannotWrite(file: path, reason: error.reason)
            }
          }
        } catch {
          // So that the file stays as it was.
          failure = error
          throw FileError(.write, path, .inputOutput)
        }
      }
    } catch {
      throw failure ?? error
    }
  }

  private mutating func write(
    _ steps: inout ImportedSteps, _ write: ([UInt8]) throws(CommandError) -> Void
  ) throws(CommandError) {
    try forEachDevice { (device) throws(CommandError) in
      steps.add(device)
      if steps.byteCount >= Self.pieceSize { try write(steps.takeBytes()) }
    }
    if steps.byteCount > 0 { try write(steps.takeBytes()) }
  }

  private mutating func forEachDevice(_ body: (ImportedDevice) throws(CommandError) -> Void) throws(CommandError) {
    do throws(SortFailure<CommandError>) {
      try sorter.forEachDevice { (device) throws(CommandError) in
        if invocation.environment.isInterrupted() { throw .interrupted }
        report.add(device)
        try body(device)
      }
    } catch {
      switch error {
      case .body(let error): throw error
      case .rows(let error): throw invocation.failed(error, options.export)
      }
    }
  }
}
