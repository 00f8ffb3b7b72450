import SKANBacktest
import SKANModel
import SKANSystem
import SKANRun

/// One run of `skan import`: reads every row, and then every device.
struct ImportRun {
  /// How many bytes of the list are written at once.
  private static let pieceSize = 1 << 18

  private let invocation: Invocation
  private let sorter: ExportSorter
  private let knowledge: ([ConversionModel], ExchangeRates?)
  private(set) var report: ImportReport

  init(_ invocation: Invocation, keepsTexts: Bool) throws(CommandError) {
    self.invocation = invocation
    sorter = ExportSorter(keepsTexts: keepsTexts, mostRows: invocation.environment.mostRowsOfDevice)
    knowledge = try ImportCommand.knowledge(invocation)
    report = ImportReport(nil, models: knowledge.0, rates: knowledge.1)
  }

  /// Reads the rows of all inputs.
  mutating func read() throws(CommandError) {
    var files = try ExportFiles(invocation, invocation.positional)
    var columns: [String] = []
    while let input = try files.next() {
      switch input {
      case .eventList(_, let file):
        throw .lines(["\(file.oneLine): this is an event list already: 'skan replay' and 'skan backtest' read it"])
      case .rows(let blocks, let mapping):
        report.mapping = mapping
        columns += blocks.layout.columns
        try read(blocks, mapping, most: files.mostErrors)
      }
    }
    try invocation.checkTransactions(report.mapping, report.tally, columns: columns)
  }

  private mutating func read(_ blocks: ExportBlocks, _ mapping: ExportMapping, most: Int) throws(CommandError) {
    let parser = ExportParser(mapping)
    while let block = try nextBlock(of: blocks) {
      if invocation.environment.isInterrupted() { throw .interrupted }
      let tally = unsafe parser.parse(block) { row in
        unsafe report.add(row)
        unsafe sorter.add(row)
      }
      report.tally += tally
      try invocation.check(report.tally, most: most)
      do throws(FileError) { try sorter.flush() } catch { throw invocation.failed(.file(error)) }
    }
  }

  private func nextBlock(of blocks: ExportBlocks) throws(CommandError) -> ExportBlock? {
    do throws(ExportFailure) { return try blocks.next() } catch { throw CommandError(error, file: blocks.layout.file) }
  }

  /// Counts the devices.
  mutating func count() throws(CommandError) { try forEachDevice { _ in } }

  /// Writes the steps of all devices, and counts them.
  mutating func write(to path: String) throws(CommandError) {
    var steps = ImportedSteps()
    if path == "-" {
      let environment = invocation.environment
      try write(&steps) { (bytes) throws(CommandError) in try environment.writeOutput(bytes) }
    } else {
      try publish(&steps, to: path)
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
      if steps.bytes.count < Self.pieceSize { return }
      try write(steps.bytes)
      steps.removeBytes()
    }
    if !steps.bytes.isEmpty { try write(steps.bytes) }
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
      case .rows(let error): throw invocation.failed(error)
      }
    }
  }
}
