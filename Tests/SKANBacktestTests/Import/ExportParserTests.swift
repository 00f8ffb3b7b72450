import SKANDevice
import Testing

@testable import SKANBacktest

@Suite struct ExportParserTests {
  /// Everything that a table may have: a mark, quotes with line ends and quotes in them, CRLF, empty lines, the header
  /// again, and rows that cannot be used.
  private static let table = """
    \u{FEFF}device,time,name,revenue,currency,note\r
    a,2026-01-01T00:00:00Z,install,,,\r
    a,1767225605,"level ""up""
    done",,,"two
    lines"\r
    device,time,name,revenue,currency,note\r

    b,1767225606123,purchase,9.99,USD,5" screen
    c,1767225607,broken,1
    c,1767225608,"bad"x,1,USD,
    \u{FEFF}device,time,name,revenue,currency,note
    ,1767225609,nobody,,,
    b,yesterday,when,,,
    b,1767225610,comma,"1,5",USD,
    b,1767225611,bare,1.5,,
    b,1767225612,,-1.5,eur,"last"
    """

  private static let rows = [
    "a | 2026-01-01T00:00:00Z | install", "a | 2026-01-01T00:00:05Z | event | level \"up\"\ndone",
    "b | 2026-01-01T00:00:06.123Z | event | purchase | 9.99 USD", "b | 2026-01-01T00:00:12Z | revenue | -1.5 EUR",
  ]

  @Test("Rows and tally") func rowsAndTally() throws {
    let export = try ExportText(Self.table)
    #expect(export.rows == Self.rows)
    let tally = export.tally
    #expect((tally.rows, tally.mappedRows, tally.rejectedRows, tally.repeatedHeaders) == (10, 4, 6, 2))
    #expect(tally.places.map(\.line) == [9, 10, 12, 13, 14, 15])
    #expect(tally.places.map(\.reason) == [.width, .quotes, .device, .time, .decimalComma, .currency])
    #expect(tally.places.map(\.value) == [nil, nil, nil, "yesterday", "1,5", ""])
    #expect(tally.timeForms == [2, 1, 0, 0, 1, 0])
    #expect(tally.first?.description == "2026-01-01T00:00:00Z")
    #expect(tally.last?.description == "2026-01-01T00:00:12Z")
  }

  @Test("Division changes nothing", arguments: [1, 2, 3, 7, 64, 100, 333])
  func divisionChangesNothing(size: Int) throws {
    let whole = try ExportText(Self.table)
    for pieces in [1, 5, 64, 4096] {
      let divided = try ExportText(Self.table, blockSize: size, pieces: pieces)
      #expect(divided.rows == whole.rows)
      #expect(divided.tally == whole.tally)
    }
  }

  /// Each block by a parser of its own, and the tallies added up from the last to the first.
  @Test("Threads change nothing") func threadsChangeNothing() async throws {
    let table =
      Self.table + (0..<500).map { "\nd\($0 % 7),17672256\($0 % 90 + 10),x,\($0 % 5 == 0 ? "1,5" : ""),," }.joined()
    let whole = try ExportText(table)
    guard
      case .rows(let blocks) = try ExportInput.open(.init(Array(table.utf8)), file: "export", index: 0, blockSize: 256)
    else { return }
    var all: [ExportBlock] = []
    while let block = try blocks.next() { all.append(block) }
    #expect(all.count > 10)
    let tallies = await withTaskGroup(of: (Int, ImportTally).self) { group in
      for (index, block) in all.enumerated() {
        group.addTask { (index, ExportParser(ExportPreset.plain.mapping).parse(block) { _ in }) }
      }
      var tallies: [(Int, ImportTally)] = []
      for await tally in group { tallies.append(tally) }
      return tallies.sorted { $0.0 > $1.0 }.map(\.1)
    }
    #expect(tallies.reduce(into: ImportTally()) { $0 += $1 } == whole.tally)
  }

  @Test("Objects") func objects() throws {
    let text = """
      {"event":"$ae_first_open","properties":{"time":1767225600,"distinct_id":"d","$device_id":null}}
      {"event":"say \\"hi\\"","properties":{"time":1767225601,"$device_id":"e","amount":"2.50"}}

      [1]
      {"event":"broken"
      {"event":"x","properties":{"time":17,"$device_id":"e"}}
      """
    for size in [64, 1 << 20] {
      let export = try ExportText(text, blockSize: size) { $0.currency = .init("USD") }
      #expect(
        export.rows == [
          "d | 2026-01-01T00:00:00Z | install", "e | 2026-01-01T00:00:01Z | event | say \"hi\" | 2.5 USD",
        ])
      #expect(export.tally.rejectedRows == 3)
      #expect(export.tally.places.map(\.line) == [4, 5, 6])
      #expect(export.tally.devices == [1, 1])
    }
  }

  @Test("Duplicate keys") func duplicateKeys() throws {
    let text = """
      device,time,name,transaction
      a,1767225600,buy,t1
      a,1767225601,buy,t1
      a,1767225602,buy,
      a,1767225602,buy,
      a,1767225602,sell,
      """
    func keys(_ fields: Set<DuplicateField>) throws -> [UInt64?] {
      var keys: [UInt64?] = []
      guard case .rows(let blocks) = try ExportInput.open(.init(Array(text.utf8)), file: "", index: 0) else {
        return []
      }
      var mapping = ExportPreset.plain.mapping
      mapping.duplicateFields = fields
      let parser = ExportParser(mapping)
      while let block = try blocks.next() { _ = parser.parse(block) { keys.append($0.duplicateKey) } }
      return keys
    }
    let transactions = try keys([.transaction, .device])
    #expect(transactions[0] == transactions[1] && transactions[0] != nil)
    #expect(transactions[2...] == [nil, nil, nil])
    let all = try keys([.transaction, .device, .name, .time])
    #expect(all[0] != all[1] && all[2] == all[3] && all[3] != all[4])
    #expect(try keys([]).allSatisfy { $0 == nil })
  }

  @Test("Unclosed quote") func unclosedQuote() throws {
    #expect(throws: ExportFailure.content(line: 3, message: "a quote in this line opens a field that never ends")) {
      try ExportText("device,time,name\na,1767225600,x\nb,\"1767225600,y\nc,1,z\n")
    }
  }

  @Test("Line ends of two characters") func lineEndsOfTwoCharacters() throws {
    let export = try ExportText("device,time,name\r\n\r\na,1767225600,first\r\n\r\n\r\na,1767225601,\"last\"\r\n")
    #expect(
      export.rows == [
        "a | 2026-01-01T00:00:00Z | event | first", "a | 2026-01-01T00:00:01Z | event | last",
      ])
    #expect(export.tally.rows == 2 && export.tally.rejectedRows == 0)
  }

  @Test("Revenue alone without revenue") func revenueAloneWithoutRevenue() throws {
    var mapping = ExportPreset.plain.mapping
    mapping.revenueOnly = ExportCondition(nil, ["tip"])
    let export = try ExportText(
      "device,time,name,revenue,currency\na,1767225600,tip,,\na,1767225600,tip,2,USD\n", mapping)
    #expect(export.rows == ["a | 2026-01-01T00:00:00Z | revenue | 2.0 USD"])
    #expect(export.tally.places.map { "\($0.line) \($0.reason.name)" } == ["2 no-name"])
  }
}

@Suite struct ExportTimeReaderTests {
  private func read(_ text: String, _ zone: String? = nil, _ unit: ExportTimeUnit? = nil) -> String {
    var reader = ExportTimeReader(zone: zone.flatMap { ExportTimeZone($0) })
    var text = text
    switch text.withUTF8({ reader.read($0, unit: unit) }) {
    case .time(let time, let form): return "\(Instant(microseconds: time)) \(form)"
    case .invalid: return "invalid"
    case .withoutZone: return "withoutZone"
    }
  }

  @Test(
    "Forms",
    arguments: [
      ("1767225600", "2026-01-01T00:00:00Z seconds"), ("1767225600.25", "2026-01-01T00:00:00.25Z seconds"),
      ("1767225600123", "2026-01-01T00:00:00.123Z milliseconds"),
      ("1767225600123.25", "2026-01-01T00:00:00.12325Z milliseconds"),
      ("1767225600123456", "2026-01-01T00:00:00.123456Z microseconds"),
      ("1767225600123456789", "2026-01-01T00:00:00.123456Z nanoseconds"),
      ("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z textWithZone"),
      ("2026-01-01 00:00:00.5 UTC", "2026-01-01T00:00:00.5Z textWithZone"),
      ("2026-01-01 00:00:00+02:00", "2025-12-31T22:00:00Z textWithZone"),
      ("2026-01-01 00:00:00-0530", "2026-01-01T05:30:00Z textWithZone"),
      ("2026-01-01 00:00:00.123456+00", "2026-01-01T00:00:00.123456Z textWithZone"),
      ("2026-01-01 00:00:00", "withoutZone"), ("2026-02-30 00:00:00Z", "invalid"), ("2026-01-01", "invalid"),
      // A leap second is the first of the next minute.
      ("2026-01-01 00:00:59Z", "2026-01-01T00:00:59Z textWithZone"),
      ("2026-01-01 00:00:60Z", "2026-01-01T00:01:00Z textWithZone"), ("2026-01-01 00:00:61Z", "invalid"),
      ("2026-01-01 24:00:00Z", "invalid"), ("2026-01-01 00:60:00Z", "invalid"), ("2026-01-01 00:00:00 CET", "invalid"),
      ("", "invalid"), ("0", "invalid"), ("17672256000", "invalid"), ("1767225600x", "invalid"), ("now", "invalid"),
      ("1.7672256e9", "invalid"), ("1767225600.", "invalid"),
      ("1767225600123456.75", "2026-01-01T00:00:00.123456Z microseconds"),
      ("2026-01-01 00:00:00.Z", "invalid"), ("2026-01-01 00:x0:00Z", "invalid"), ("2026-01-01 00:00:00+2", "invalid"),
      ("2026-01-01 00:00:00+0x", "invalid"), ("2026-01-01 00:00:00+15:00", "invalid"),
      ("2026-01-01 00:00:00+02:60", "invalid"), ("2026-01-01 00:00:00 +02:30", "2025-12-31T21:30:00Z textWithZone"),
    ])
  func forms(text: String, expected: String) { #expect(read(text) == expected) }

  @Test("The date of the row before serves again only if all of it is the same") func dateRow() {
    var reader = ExportTimeReader(zone: nil)
    for day in ["2026-01-01", "2026-01-02", "2016-01-02", "2026-01-02", "2026-02-02", "2026-02-02"] {
      var text = "\(day)T00:00:00Z"
      let read = text.withUTF8 { reader.read($0, unit: nil) }
      #expect(read == .time(Instant(iso8601: text)?.microseconds ?? 0, .textWithZone), "\(day)")
    }
  }

  /// A column of seconds with milliseconds in it is a mistake, and not the year 57,970.
  @Test("Unit of column") func unitOfColumn() {
    #expect(read("1767225600", nil, .seconds) == "2026-01-01T00:00:00Z seconds")
    #expect(read("1767225600123", nil, .seconds) == "invalid")
    #expect(read("1767225600", nil, .milliseconds) == "invalid")
    #expect(read("1767225600", nil, .text) == "invalid")
    #expect(read("1767225600123456789", nil, .nanoseconds) == "2026-01-01T00:00:00.123456Z nanoseconds")
    #expect(read("1767225600123456", nil, .microseconds) == "2026-01-01T00:00:00.123456Z microseconds")
    #expect(read("2026-01-01T00:00:00Z", nil, .seconds) == "invalid")
  }

  @Test("Zones") func zones() {
    #expect(read("2026-01-01 12:00:00", "UTC") == "2026-01-01T12:00:00Z textWithoutZone")
    #expect(read("2026-01-01 12:00:00", "-03:30") == "2026-01-01T15:30:00Z textWithoutZone")
    #expect(read("2026-07-01 12:00:00", "Europe/Berlin") == "2026-07-01T10:00:00Z textWithoutZone")
    #expect(read("2026-01-01 12:00:00", "Europe/Berlin") == "2026-01-01T11:00:00Z textWithoutZone")
    // In the night of the change: before, twice, after; and the hour that there is not.
    #expect(read("2026-10-25 01:59:59", "Europe/Berlin") == "2026-10-24T23:59:59Z textWithoutZone")
    #expect(read("2026-10-25 02:30:00", "Europe/Berlin") == "2026-10-25T00:30:00Z textWithoutZone")
    #expect(read("2026-10-25 03:00:00", "Europe/Berlin") == "2026-10-25T02:00:00Z textWithoutZone")
    #expect(read("2026-03-29 02:30:00", "Europe/Berlin") == "2026-03-29T01:30:00Z textWithoutZone")
    #expect(["CET", "Europe/Nowhere", "+2:00", "+15:00", ""].allSatisfy { ExportTimeZone($0) == nil })
  }
}

@Suite struct AmountTextTests {
  private func read(_ text: String, in unit: ExportMoneyUnit = .units) -> AmountText {
    var text = text
    return text.withUTF8 { AmountText($0, in: unit) }
  }

  @Test(
    "Numbers",
    arguments: [
      "0", "0.0", "-0.5", "9.99", "0.1", "1234567.891", "123456789012345", "1234567890123456789",
      "0.000000000000000000000001",
      "0.30000000000000004", "68555560979280.19334", "0.19227903782410814", "6396356.178965625561",
      "41061089663.92415344",
      "3.4028234e38", "-3e38", ".5", "5.", "1e3", "-2.5E-3", "0000000000000000000001.5", "+1.5",
    ])
  func numbers(text: String) throws {
    #expect(read(text) == .amount(try #require(Double(text.hasSuffix(".") ? text + "0" : text))))
  }

  @Test(
    "Others",
    arguments: [
      "-", ".", "-.", "x", "1x", "1..2", "0x10", "nan", "inf", "1e", "$1", "1 2", "1e999", "1e39", "-3.5e38",
    ])
  func others(text: String) { #expect(read(text) == .invalid) }

  @Test("Special") func special() {
    #expect(read("") == .empty)
    #expect(read("  ") == .empty)
    #expect(read(" 1.5 ") == .amount(1.5))
    #expect(read("1,5") == .comma)
    #expect(read("1,000.00") == .comma)
    #expect(read("4990000", in: .micros) == .amount(4.99))
    #expect(read("1e6", in: .micros) == .amount(1))
  }
}
