import SKANBase
import SKANDevice
import SKANModel
import SKANRun
import Testing

@testable import SKANBacktest

/// A part of a backtest as one line, and lines that are none.
@Suite struct BacktestPartialTests {
  private static let model = """
    {"fineGrainedConversionValueMappings":[{"fineGrainedConversionValue":1,"conversionValueMapping":{"mappedEvents":[
      {"mappedEventName":"buy","eventOccurrenceRange":{"minEventCount":1}}]}}],
     "postbackMappings":[{"postbackSequenceIndex":0,"lockWindowFineConversionValue":1}]}
    """

  private func summary(_ list: String) throws -> BacktestSummary {
    let model = BacktestModel(name: "m.json", hash: 7, try ConversionModel(Array(Self.model.utf8)))
    let run = BacktestRun(BacktestPlan([model, model], currency: .usd))
    try run.add(ListReader("list", ByteSource(Array(list.utf8))))
    var summary = try run.summary(jobs: 1)
    summary.input.rejected = ["it names no device": 2]
    summary.input.filtered = ["os is web": 3]
    summary.input.withoutRate = ["EUR": 4]
    return summary
  }

  private static let list = """
    {"op":"register","at":8640000}
    {"op":"event","name":"buy","after":"1h"}
    """

  /// The value with another one at a path of keys and indices, or without it.
  private func changed(_ json: JSON, _ path: ArraySlice<String>, to value: JSON?) -> JSON? {
    guard let first = path.first else { return value }
    switch json {
    case .object(let members):
      return .object(
        members.compactMap { member in
          guard member.key == first else { return member }
          return changed(member.value, path.dropFirst(), to: value).map { (member.key, $0) }
        })
    case .array(let items):
      return .array(
        items.enumerated().compactMap { index, item in
          "\(index)" == first ? changed(item, path.dropFirst(), to: value) : item
        })
    default: return nil
    }
  }

  private static let third = Shard(index: 2, count: 3)

  @Test(
    "Reads back",
    arguments: [list, ""],
    [
      (.shard(.whole), nil), (.shard(third), "\"shard\":\"2/3\""),
      (.divided(third, run: "may"), "\"part\":\"2/3\""),
    ] as [(BacktestPart.Origin, String?)])
  func readsBack(list: String, origin: (BacktestPart.Origin, String?)) throws {
    let summary = try summary(list)
    let part = BacktestPart(summary, origin: origin.0, inputHash: 0xAB)
    let again = try BacktestPart(line: Array(part.line.utf8))
    #expect(again == part)
    #expect(part.line.contains("\"input_hash\":\"00000000000000ab\""))
    #expect(part.line.contains("\"kind\":\"skan-backtest-partial\""))
    if case .divided = origin.0 { #expect(part.line.contains("\"run\":\"may\"")) }
    #expect(origin.1.map(part.line.contains) ?? !(part.line.contains("\"shard\"") || part.line.contains("\"part\"")))
    #expect((again.summary.input.span == nil) == list.isEmpty)
  }

  @Test(
    "Others",
    arguments: [
      ("kind", "\"part\""), ("format", nil), ("format", "1.5"), ("header", "null"), ("input", "[]"), ("groups", "[]"),
      ("header/models", "5"), ("header/models", "[]"), ("header/models/0", nil), ("header/models/1/name", "5"),
      ("header/models/0/hash", "\"x\""), ("header/models/0/fine", "[]"), ("header/models/0/coarse/0", "[]"),
      ("header/models/0/coarse/0", "7"), ("header/models/0/locks", "[]"), ("header/models/1/events", "null"),
      ("header/currency", "1"), ("header/options", "\"-\""),
      ("header/names", "\"buy\""), ("header/names/0", "1"), ("header/group_column", nil), ("header/mapping", nil),
      ("input/rows", "\"1\""), ("input/rejected", "[]"), ("input/rejected/it names no device", "0.5"),
      ("input/young", "null"), ("input/young", "[1,2]"), ("input/young", "[1,2,-3]"), ("input/young", "[1,2,3,\"4\"]"),
      ("header/until", nil), ("header/until", "\"x\""), ("header/until", "9223372036854775807"),
      ("input/span", nil), ("input/span", "5"), ("input/span", "[2,1]"), ("input/span", "[1]"),
      ("input/span", "[1,2.5]"),
      ("groups/", "{}"), ("groups//models/0", "{}"), ("groups//models/0/numbers", "[]"),
      ("groups//models/0/numbers/0", "0.5"), ("groups//models/0/departures", "[]"),
      ("groups//models/0/departures", "{\"x\":[1,2,3]}"), ("groups//models/0/departures", "{\"1\":[1,2]}"),
      ("groups//changes", "[1]"), ("groups//changes", "[[1]]"), ("groups//changes", "[]"), ("groups//models", "null"),
      ("groups//models/1", nil), ("groups//models/1/numbers/3", nil), ("shard", "2"), ("shard", "null"),
      ("shard", "\"4/3\""), ("shard", "\"0/3\""),
      ("shard", "\"1/1000001\""), ("shard", "\"1\""), ("input_hash", "\"x\""), ("input_hash", "5"),
    ] as [(String, String?)])
  func others(path: String, value: String?) throws {
    let origin = BacktestPart.Origin.shard(Self.third)
    let part = try JSONReader.read(
      Array(BacktestPart(try summary(Self.list), origin: origin, inputHash: 1).line.utf8)
    ).value
    let keys = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let value = try value.map { try JSONReader.read(Array($0.utf8)).value }
    let line = JSONWriter.text(try #require(changed(part, keys[...], to: value)))
    #expect(line != JSONWriter.text(part))
    #expect(throws: BacktestPart.LineError.notPart) { try BacktestPart(line: Array(line.utf8)) }
  }

  @Test(
    "A part of a divided input has both its number and its run, and no shard",
    arguments: [
      ("part", nil), ("run", nil), ("run", "1"), ("part", "\"3/2\""),
      ("kind", "\"skan-backtest-partial\",\"shard\":\"1/2\""),
    ])
  func divided(key: String, value: String?) throws {
    let line = BacktestPart(try summary(""), origin: .divided(Self.third, run: "may"), inputHash: nil).line
    let members = ["part": "\"2/3\"", "run": "\"may\"", "kind": "\"skan-backtest-partial\""]
    let member = "\"\(key)\":\(try #require(members[key]))"
    let other = line.replacing(member, with: value.map { "\"\(key)\":\($0)" } ?? "\"x\":1")
    #expect(other != line)
    #expect(try BacktestPart(line: Array(line.utf8)).inputHash == nil)
    #expect(throws: BacktestPart.LineError.notPart) { try BacktestPart(line: Array(other.utf8)) }
  }

  /// The hash of some files that are read in pieces of a size.
  private func hash(_ files: [String], pieces: Int) throws -> UInt64 {
    let hash = InputHash()
    for file in files {
      let source = hash.watching(ByteSource(Array(file.utf8)))
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: pieces, alignment: 1)
      defer { buffer.deallocate() }
      while try source.read(buffer) > 0 {}
    }
    return hash.finish()
  }

  @Test("An input is hashed by its bytes, whatever the pieces in which they come") func inputHashed() throws {
    let text = "device,time,name\na,1767225600,install\n"
    let whole = try hash([text], pieces: 1 << 16)
    for pieces in [1, 3, 7, 8, 9, 16, 31] { #expect(try hash([text], pieces: pieces) == whole) }
    let inputs = [
      [text], [text + "b"], [text + "b\0"], [text + "\0"], [String(text.dropLast())], [text, text], [text, ""],
      [text, "b"],
      ["b", text],
      [], [""], ["", ""], [text.replacing("a,", with: "b,")], ["device,time,name\n", "a,1767225600,install\n"],
    ]
    #expect(Set(try inputs.map { try hash($0, pieces: 10) }).count == inputs.count)
  }

  @Test("Counts stay at the end of their range") func countsStay() {
    var count = Int.max - 1
    count.add(1)
    #expect(count == .max)
    count.add(1)
    #expect(count == .max)
    count = .min
    count.add(-1)
    #expect(count == .min)
  }
}

@Suite struct FiguresTests {
  @Test("numbers are rounded to their decimals") func numbersRounded() {
    #expect(Figures.money(12_345_678) == "12.35")
    #expect(Figures.money(-5_000) == "-0.01")
    #expect(Figures.money(-4_000) == "0.00")
    #expect(Figures.money(1, decimals: 6) == "0.000001")
    #expect(Figures.signedPercent(1, of: 8) == "+12.5 %")
    #expect(Figures.signedPercent(-1, of: 8) == "-12.5 %")
    #expect(Figures.mean(10_000_000, of: 3) == "3.3333")
    #expect(Figures.hours(5400, of: 1) == "1.5")
    #expect(Figures.decimal(7.5, 0) == "8")
  }

  @Test("days begin at midnight, before 1970 too") func daysBegin() {
    #expect(86_399.dividedDown(by: 86_400) == 0)
    #expect((-1).dividedDown(by: 86_400) == -1)
    #expect(BacktestReport.day(20_574) == "2026-05-01")
  }
}
