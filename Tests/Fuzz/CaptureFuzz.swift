import SKANBase

@testable import SKANBacktest
@testable import SKANDevice
@testable import SKANHTTP
@testable import SKANModel
@testable import SKANRun
@testable import SKANTraffic

// Captured traffic: HAR, logs, journals and URLs, by their content.

private struct Read: Equatable {
  var requests: [CapturedRequest] = []
  var problems: [String] = []
}

private func read(_ bytes: [UInt8], pieces: Int) -> Read {
  var read = Read()
  var hosts = TrafficHosts()
  hosts.add("proxy.example", as: .s2s)
  var reader = CaptureReader(hosts: hosts, zone: { _ in 7200 }) { request, _ in read.requests.append(request) }
  var rest = bytes[...]
  let source = ByteSource(isRegular: true, size: bytes.count) { (buffer) throws(SourceFailure) in
    let piece = rest.prefix(min(pieces, buffer.count))
    buffer.copyBytes(from: piece)
    rest = rest.dropFirst(piece.count)
    return piece.count
  }
  guard (try? reader.read(source, file: "f")) != nil else { preconditionFailure("bytes in memory cannot fail") }
  let lines = bytes.count { $0 == 0x0A } + 1
  for problem in reader.tally.problems + reader.tally.remarks {
    precondition(!problem.message.isEmpty && (1...lines).contains(problem.location.line), "\(problem)")
    read.problems.append("\(problem.location) \(problem.message)")
  }
  return read
}

/// However the bytes arrive, the requests are the same, and each survives being set aside and can be checked.
func fuzzCapture(_ bytes: [UInt8]) {
  guard let (first, rest) = bytes.choice else { return }
  let whole = read(rest, pieces: .max)
  precondition(read(rest, pieces: Int(first) + 1) == whole, "the pieces change what is read")
  var checker = TrafficChecker()
  let hosts = TrafficHosts()
  for captured in whole.requests {
    let packed = [UInt8](writing: captured.write)
    let again = packed.reading { CapturedRequest(from: &$0, at: captured.location) }
    precondition(again == captured, "set aside it became another")
    guard case .endpoint(let kind) = hosts.destination(of: captured.request.target) else { continue }
    for finding in checker.check(captured, kind: kind) { precondition(!finding.message.isEmpty) }
  }
  for finding in checker.finish() { precondition(!finding.message.isEmpty) }
}

private let endpoint: ReferenceEndpoint = ReferenceEndpoint(defaultModel: try? ConversionModel(Array("{}".utf8)))

/// The parameters that an app's server sends. The first byte says to which endpoint.
func fuzzForwarded(_ bytes: [UInt8]) {
  guard let (first, rest) = bytes.choice, let sent = SentParameters(rest) else { return }
  let all = EndpointKind.reports
  let receiver = all[Int(first) % all.count]
  for problem in ParameterCheck.problems(of: sent, at: receiver) { precondition(!problem.explanation.isEmpty) }
  var memory = InstallMemory.none
  let answer = endpoint.forwardedAnswer(to: sent, at: receiver, Instant(microseconds: 0), memory: &memory)
  precondition(!answer.explanation.isEmpty)
}

/// What the program tells itself across processes.
func fuzzFrame(_ bytes: [UInt8]) {
  guard let outcome = try? Frame.outcome(bytes) else { return }
  let written = Frame.of(outcome)
  // A frame begins with its length.
  guard let again = try? Frame.outcome(Array(written.dropFirst(8))) else { preconditionFailure("it cannot be read") }
  precondition(Frame.of(again) == written, "written and read again it is another")
}

// Exports of events and the files that say what their columns are.

/// What became of an export: each row, the tally, and why it ends.
private struct Parsed: Equatable {
  var rows: [String] = []
  var tally = ImportTally()
  var failure: ExportFailure?
}

private func parsed(_ bytes: [UInt8], _ mapping: ExportMapping?, blockSize: Int) -> Parsed {
  var result = Parsed()
  do throws(ExportFailure) {
    guard case .rows(let blocks) = try ExportInput.open(ByteSource(bytes), file: "f", index: 0, blockSize: blockSize)
    else { return result }
    guard let mapping = mapping ?? ExportPreset(columns: blocks.layout.columns)?.mapping,
      mapping.problems(with: blocks.layout).isEmpty
    else { return result }
    let parser = ExportParser(mapping)
    while let block = try blocks.next() {
      result.tally += parser.parse(block) { row in
        precondition(!row.device.isEmpty && row.line > 0, "a row without a device")
        precondition((row.kind == .event) != row.name.isEmpty, "an event without a name, or a name without an event")
        precondition(row.revenue.map { $0.amount.isFinite } ?? true, "an amount that is no number")
        result.rows.append(
          "\(row.line) \(row.kind) \(Array(row.device)) \(Array(row.name)) \(row.time) "
            + "\(String(describing: row.revenue)) \(String(describing: row.installed))")
      }
    }
  } catch {
    result.failure = error
  }
  precondition(result.tally.mappedRows == result.rows.count, "the tally counts other rows")
  precondition(
    result.tally.rows == result.tally.mappedRows + result.tally.filteredRows + result.tally.rejectedRows,
    "a row is neither mapped nor left out")
  return result
}

/// Whatever the blocks are, the rows are the same. The first byte gives a preset, beyond them it is recognised.
func fuzzExport(_ bytes: [UInt8]) {
  guard let (first, rest) = bytes.choice else { return }
  let presets = ExportPreset.allCases
  var mapping = Int(first) < presets.count ? presets[Int(first)].mapping : nil
  mapping?.timeZone = ExportTimeZone("UTC")
  let whole = parsed(rest, mapping, blockSize: 1 << 20)
  let pieces = parsed(rest, mapping, blockSize: 64)
  guard whole.failure == nil else { return precondition(pieces.failure != nil, "blocks change what is refused") }
  precondition(pieces == whole, "the blocks change what is read")
}

private let table = Array(
  """
  device,time,name,revenue,currency,kind
  d1,2026-05-01T09:00:00Z,buy,1.5,USD,a
  d2,1777626000,"open, again",,EUR,b
  d1,2026-05-01 10:00:00.5,,-2,,a

  """.utf8)

func fuzzMapping(_ bytes: [UInt8]) {
  let read = { (bytes: [UInt8]) throws(SourceProblems) in try ExportMapping(bytes, file: "m") }
  guard let mapping = value(of: bytes, read) else { return }
  precondition(value(of: bytes, read) == mapping)
  precondition(parsed(table, mapping, blockSize: 64) == parsed(table, mapping, blockSize: 1 << 20))
}

func fuzzPartial(_ bytes: [UInt8]) {
  do throws(BacktestPart.LineError) {
    let part = try BacktestPart(line: bytes)
    let again = try? BacktestPart(line: Array(part.line.utf8))
    precondition(again?.line == part.line, "written and read again it is another")
  } catch {
    if case .json(let problems) = error { check(problems.notes(in: bytes), in: bytes) }
  }
}
