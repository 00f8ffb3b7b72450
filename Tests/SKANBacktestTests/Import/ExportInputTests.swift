import SKANBase
import SKANDevice
import SKANRun
import Testing

@testable import SKANBacktest

@Suite("What the beginning of an input says")
struct ExportInputTests {
  /// Everything that an input comes to, as a line.
  private func open(_ source: ByteSource, blockSize: Int = 64) throws(ExportFailure) -> String {
    switch try ExportInput.open(source, file: "x", index: 0, blockSize: blockSize) {
    case .empty: return "empty"
    case .eventList: return "event list"
    case .rows(let blocks):
      var (rows, line) = (0, 0)
      while let block = try blocks.next() { (rows, line) = (rows + 1, block.firstLine) }
      return "\(blocks.layout.columns.map { String($0.prefix(9)) }.joined(separator: " ")): \(rows) from \(line)"
    }
  }

  private func failure(_ source: ByteSource, blockSize: Int = 64) -> ExportFailure? {
    do throws(ExportFailure) {
      _ = try open(source, blockSize: blockSize)
      return nil
    } catch { return error }
  }

  /// Gives some bytes, and then no more.
  private func failing(after bytes: [UInt8]) -> ByteSource {
    var isOver = false
    return ByteSource(isRegular: false) { buffer throws(SourceFailure) in
      if isOver { throw .unreadable("input/output error") }
      isOver = true
      buffer.copyBytes(from: bytes)
      return bytes.count
    }
  }

  private static let long = String(repeating: "n", count: 9000)

  @Test(
    "The first record may be longer than a read",
    arguments: [
      ("device,\(long)\na,1\n", "device nnnnnnnnn: 1 from 2"), ("device,\(long)", "device nnnnnnnnn: 0 from 0"),
      ("{\"a\":1,\"b\":{\"c\":\"\(long)\",\"d\":{}}}", "a b.c b.d: 1 from 1"),
      ("{\"a\":\"\(long)\"}\n{}\n", "a: 1 from 1"), ("{}\n", ": 1 from 1"),
      ("{\"name\":\"\(long)\",\"op\":\"event\"}", "event list"), ("# \(long)\n\n{\"op\":\"event\"}\n", "event list"),
      ("", "empty"), (" \r\n\n", "empty"), ("\n\(long)", "nnnnnnnnn: 0 from 0"),
    ])
  func beginnings(text: String, expected: String) throws { #expect(try open(ByteSource(Array(text.utf8))) == expected) }

  @Test(
    "What is no export",
    arguments: [
      (Array("a,b\n1,2\n3,\0\n".utf8), 3, "this line has a NUL byte: is it a text?"),
      (Array("\0".utf8), 1, "this line has a NUL byte: is it a text?"),
      (Array("{\"a\":1,}\n".utf8), 1, "not JSON: "),
      (Array("# list\n{\"a\":x}\n".utf8), 2, "not JSON: "),
      (Array("{\"a\":1".utf8), 1, "not JSON: the text ends too early"),
      ([0xFF, 0xFE, 0x61, 0], 1, "this is UTF-16: iconv -f UTF-16 -t UTF-8 FILE | skan … - reads it"),
      (Array("PK\u{3}\u{4}".utf8), 1, "this is a ZIP archive: unzip -p FILE | skan … reads what is in it"),
    ] as [([UInt8], Int, String)])
  func refused(bytes: [UInt8], line: Int, message: String) {
    guard case .content(line, let said)? = failure(ByteSource(bytes)) else {
      Issue.record("\(String(describing: failure(ByteSource(bytes))))")
      return
    }
    #expect(message.hasSuffix(" ") ? said.hasPrefix(message) : said == message)
  }

  @Test("The first record ends within a mebibyte") func firstRecord() {
    #expect(
      failure(ByteSource(Array(repeating: 0x61, count: 3 << 20)))
        == .content(line: 1, message: "its first record has more than 1048576 bytes"))
  }

  @Test("A record that never ends is named by its line") func recordNever() {
    let text = "a,b\n1,2\n3,\"" + String(repeating: "x\n", count: 1 << 20) + "\"\n4,5\n"
    #expect(
      failure(ByteSource(Array(text.utf8)), blockSize: 1 << 20)
        == .content(line: 3, message: "the record of this line has more than 1048576 bytes: is a quote missing?"))
  }

  @Test("A record may be longer than a block") func recordMay() throws {
    let text = "a,b\n" + String(repeating: "\(Self.long)\(Self.long),x\n", count: 3)
    #expect(try open(ByteSource(Array(text.utf8))) == "a b: 3 from 4")
  }

  @Test("A source that fails is that, and no end") func sourceFails() {
    let reason = ExportFailure.source(.unreadable("input/output error"))
    #expect(failure(failing(after: [])) == nil)
    #expect(failure(failing(after: Array("a,b".utf8))) == reason)
    #expect(failure(failing(after: Array("a,b\n\(String(repeating: "1,2\n", count: 1023))".utf8))) == reason)
  }
}

@Suite("The first record of a table")
struct ExportHeaderTests {
  private func read(_ text: String, isAtEnd: Bool = true) -> ExportHeader? {
    ExportHeader(Array(text.utf8)[...], isAtEnd: isAtEnd)
  }

  @Test(
    "Columns, and where the rows begin",
    arguments: [
      ("device,time\nx", ",", ["device", "time"], 12, 1), ("device\r\nx", ",", ["device"], 8, 1),
      ("a;\"b,c\";d\nx", ";", ["a", "b,c", "d"], 10, 1), ("a\t\"b\"\t c \nx", "\t", ["a", "b", "c"], 10, 1),
      // Two quotes are one of the name, and a line end in quotes is part of it.
      ("\"a \"\"b\"\"\nc\"|d\nx", "|", ["a \"b\"\nc", "d"], 14, 2),
      // A quote within a name opens nothing.
      ("5\" screen,b\nx", ",", ["5\" screen", "b"], 12, 1),
    ])
  func columns(text: String, separator: Character, columns: [String], end: Int, lines: Int) throws {
    for isAtEnd in [true, false] {
      let header = try #require(read(text, isAtEnd: isAtEnd))
      #expect(header.separator == separator.asciiValue)
      #expect(header.columns == columns)
      #expect(header.end == end && header.lines == lines)
    }
  }

  @Test(
    "Without its end more must be read, unless there is no more",
    arguments: [("device,time", ["device", "time"]), ("a,\"b\nc", ["a", "b\nc"])])
  func open(text: String, columns: [String]) {
    #expect(read(text, isAtEnd: false) == nil)
    #expect(read(text)?.columns == columns)
    #expect(read(text)?.end == text.utf8.count)
  }
}

@Suite("Where records end")
struct RecordScanTests {
  @Test(
    "End",
    arguments: [
      ("a\nb", 2), ("a,\"b\nc", 0), ("x\na,\"b\nc\"\nd", 10), ("x\na,\"b\"", 2), ("a,b\"\nc", 5), ("a,\"b\"\"", 0),
      // Two quotes are one of the field, which goes on behind them.
      ("a,\"b\"\"\nc", 0), ("a,\"b\"\"\nc\"\n", 10), ("a,\"b\"\"\"\nc", 8), ("", 0),
    ])
  func end(text: String, end: Int) {
    let scan = Array(text.utf8).withUnsafeBufferPointer { RecordScan($0, separator: UInt8(ascii: ",")) }
    #expect(scan.end == end, "\(text)")
  }

  @Test("Quotes mean nothing where there is no separator") func quotesMean() {
    let scan = { (text: String) in Array(text.utf8).withUnsafeBufferPointer { RecordScan($0, separator: nil).end } }
    #expect(scan("{\"a\n\"}") == 4)
    #expect(scan("{\"a\"}") == 0)
    #expect(RecordScan(UnsafeBufferPointer(start: nil, count: 0), separator: nil).end == 0)
    #expect(Array("\"a\nb".utf8).withUnsafeBufferPointer { RecordScan($0, separator: 0x2C).openQuote } == 0)
  }
}

@Suite struct DeviceBeginningTests {
  /// Minutes after the first row, or nil where there is none.
  @Test(
    "Starts",
    arguments: [
      (nil, nil, nil), (0, nil, 0), (60, nil, 60), (61, nil, nil), (nil, 0, 0), (nil, -60, -60), (nil, -61, nil),
      (nil, 60, 0), (nil, 61, nil), (61, -5, -5), (0, -5, 0),
    ] as [(Int64?, Int64?, Int64?)])
  func starts(installRow: Int64?, installed: Int64?, expected: Int64?) {
    let first = Instant.listStart
    func moment(_ minutes: Int64?) -> Instant? { minutes.map { first.later(by: .minutes($0)) } }
    let rows =
      [DeviceBeginning.Row(first, .event, nil)]
      + [moment(installRow)].compactMap { $0.map { DeviceBeginning.Row($0, .install, nil) } }
    let start = DeviceBeginning.start(of: rows, installed: moment(installed))
    #expect(start == moment(expected))
  }
}

@Suite struct ExportedRowTests {
  @Test("a currency is its three letters") func currencyThree() {
    #expect(CurrencyCode("EUR")?.name == "EUR")
    #expect(CurrencyCode("eur") == nil)
  }
}

@Suite struct ImportReportTests {
  private static let table = """
    device,time,name,revenue,currency
    a,1767225600,short,1
    a,1767225600,"bad"x,1,USD
    ,1767225600,nobody,,
    a,never,when,,
    a,2026-01-01 00:00:00,where,,
    a,1767225600,,,
    a,1767225600,amount,1x,USD
    a,1767225600,comma,"1,5",USD
    a,1767225600,bare,1,
    a,1767225600,free,0,
    a,1767225600,spaces,  ,
    """

  private func report(_ text: String, _ unit: ExportMoneyUnit = .units) throws -> ImportReport {
    let export = try ExportText(text) { if unit != .units { $0.revenue[0].unit = unit } }
    let columns = try #require(export.layout?.columns)
    var report = ImportReport(ExportPreset(columns: columns)?.mapping, models: [], rates: nil)
    report.tally = export.tally
    return report
  }

  @Test("Every reason has name and message") func everyReasonHasNameAndMessage() throws {
    let rejected =
      try report(Self.table).rejected
      + report("{\"event\":\"x\",\"properties\":{\"time\":1,\"$device_id\":\"a\"}}\n[1]\n").rejected.prefix(1)
      + report("device,time,name,revenue,currency\na,1767225600,x,4.99,USD\n", .cents).rejected
    #expect(
      rejected.map { "\($0.count) \($0.reason.name): \($0.reason.message)" } == [
        "1 fields: its number of fields differs from the header's",
        "1 quotes: text follows the quote that ends a field", "1 no-device: it names no device",
        "1 time: its time cannot be read, or is not between 2000 and 2100", "1 time-zone: its time has no zone",
        "1 no-name: it has neither an event's name nor revenue", "1 amount: its amount is not a decimal number",
        "1 decimal-comma: its amount has a comma; a decimal point is read, and nothing between thousands",
        "1 currency: it has revenue without a currency (three letters)", "1 json: it is not a JSON object",
        "1 cents: its amount is not a whole number of cents, although the mapping says that it is in cents",
      ])
    // A quantity needs a preset that has one: PresetTableTests.
    #expect(Set(rejected.map(\.reason)) == Set(ImportRejection.allCases).subtracting([.quantity]))
  }

  @Test("Json") func json() throws {
    let json = try report(Self.table).json
    #expect(
      json["rejected"].map { JSONWriter.text($0) }
        == #"{"amount":1,"currency":1,"decimal-comma":1,"fields":1,"no-device":1,"no-name":1,"quotes":1,"time":1,"time-zone":1}"#
    )
    guard case .array(let rows)? = json["rejected_rows"] else {
      Issue.record("no rows")
      return
    }
    #expect(rows.count == 9)
    #expect(JSONWriter.text(rows[0]) == #"{"file":"export","line":2,"reason":"fields","value":null}"#)
    #expect(JSONWriter.text(rows[6]) == #"{"file":"export","line":8,"reason":"amount","value":"1x"}"#)
    #expect(json["rows"]?["read"] == .integer(11))
    #expect(json["zero_amounts"] == .integer(1))
    #expect(
      json["time"].map { JSONWriter.text($0) }
        == #"{"first":1767225600,"forms":{"Unix seconds":2},"last":1767225600}"#)
    #expect(json["missing"] == .null && json["unused"] == .null && json["steps"] == .null)
    let none = ImportReport(nil, models: [], rates: nil).json
    #expect(none["mapping"] == .string("none"))
    #expect(none["time"].map { JSONWriter.text($0) } == #"{"first":null,"forms":{},"last":null}"#)
  }

  @Test(
    "Time forms",
    arguments: [
      ("1767225600", "Unix seconds"), ("1767225600123", "Unix milliseconds"), ("1767225600123456", "Unix microseconds"),
      ("1767225600123456789", "Unix nanoseconds"),
    ])
  func timeForms(time: String, form: String) throws {
    let json = try report("device,time,name\na,\(time),x\n").json
    #expect(json["time"]?["forms"] == .object([(form, .integer(1))]))
  }
}

/// An export in memory, and what a mapping makes of it.
struct ExportText {
  var rows: [String] = []
  var tally = ImportTally()
  var layout: ExportLayout?

  /// - Parameters:
  ///   - mapping: of the preset that the columns are of, where it is nil.
  ///   - pieces: how many bytes a read gives at most.
  init(
    _ text: String, _ mapping: ExportMapping? = nil, blockSize: Int = 1 << 20, pieces: Int = 1 << 16,
    change: (inout ExportMapping) -> Void = { _ in }
  ) throws {
    let bytes = Array(text.utf8)
    var position = 0
    let source = ByteSource(isRegular: false) { buffer throws(SourceFailure) in
      let count = min(buffer.count, bytes.count - position, pieces)
      buffer.copyBytes(from: bytes[position..<position + count])
      position += count
      return count
    }
    guard case .rows(let blocks) = try ExportInput.open(source, file: "export", index: 0, blockSize: blockSize)
    else { return }
    layout = blocks.layout
    guard var mapping = mapping ?? ExportPreset(columns: blocks.layout.columns)?.mapping else { return }
    change(&mapping)
    let parser = ExportParser(mapping)
    while let block = try blocks.next() {
      tally += parser.parse(block) { rows.append(Self.text($0)) }
    }
  }

  /// Device, time, kind and what else the row has.
  private static func text(_ row: ExportedRow) -> String {
    var parts = [text(row.device), row.time.description, "\(row.kind)"]
    if row.name.count > 0 { parts.append(text(row.name)) }
    if let revenue = row.revenue {
      parts.append("\(revenue.amount) \(revenue.currency.name)\(revenue.isAdMonetization ? " ad" : "")")
    }
    if let installed = row.installed { parts.append("installed \(installed)") }
    if row.group.count > 0 { parts.append("of \(text(row.group))") }
    return parts.joined(separator: " | ")
  }

  private static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}
