import SKANDevice
import SKANJSON
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
    let run = BacktestRun(BacktestPlan(model, other: model, currency: .usd))
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

  @Test(arguments: [list, ""], [Shard.whole, Shard(index: 2, count: 3)])
  func readsBack(list: String, shard: Shard) throws {
    let summary = try summary(list)
    let part = BacktestPart(summary, shard: shard)
    let again = try BacktestPart(line: Array(part.line.utf8))
    #expect(again == part)
    #expect(part.line.contains("\"shard\"") == !shard.isWhole)
    #expect((again.summary.input.span == nil) == list.isEmpty)
    var twice = summary
    twice.add(again.summary)
    #expect(twice.input.rejected == ["it names no device": 4])
    #expect(twice.input.filtered == ["os is web": 6])
    #expect(twice.input.withoutRate == ["EUR": 8])
  }

  @Test(
    arguments: [
      ("kind", "\"part\""), ("format", nil), ("format", "1.5"), ("header", "null"), ("input", "[]"), ("groups", "[]"),
      ("header/model", "5"), ("header/model/name", "5"), ("header/model/hash", "\"x\""), ("header/model/fine", "[]"),
      ("header/model/coarse/0", "[]"), ("header/model/coarse/0", "7"), ("header/model/locks", "[]"),
      ("header/other", "{}"), ("header/other", nil), ("header/currency", "1"), ("header/options", "\"-\""),
      ("header/names", "\"buy\""), ("header/names/0", "1"), ("header/group_column", nil), ("header/mapping", nil),
      ("input/rows", "\"1\""), ("input/rejected", "[]"), ("input/rejected/it names no device", "0.5"),
      ("input/starts", "null"), ("input/starts", "{\"today\":1}"), ("input/starts", "{\"1\":\"1\"}"),
      ("input/span", nil), ("input/span", "5"), ("input/span", "[2,1]"), ("input/span", "[1]"),
      ("input/span", "[1,2.5]"),
      ("groups/", "{}"), ("groups//model", "{}"), ("groups//model/numbers", "[]"), ("groups//model/numbers/0", "0.5"),
      ("groups//model/departures", "[]"), ("groups//model/departures", "{\"x\":[1,2,3]}"),
      ("groups//model/departures", "{\"1\":[1,2]}"), ("groups//changes", "[1]"), ("groups//other", "null"),
      ("groups//other/numbers/3", nil), ("shard", "2"), ("shard", "null"), ("shard", "\"4/3\""), ("shard", "\"0/3\""),
      ("shard", "\"1/1000001\""), ("shard", "\"1\""),
    ] as [(String, String?)])
  func others(path: String, value: String?) throws {
    let shard = Shard(index: 2, count: 3)
    let part = try JSONReader.read(Array(BacktestPart(try summary(Self.list), shard: shard).line.utf8)).value
    let keys = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let value = try value.map { try JSONReader.read(Array($0.utf8)).value }
    let line = JSONWriter.text(try #require(changed(part, keys[...], to: value)))
    #expect(line != JSONWriter.text(part))
    #expect(throws: BacktestPart.LineError.notPart) { try BacktestPart(line: Array(line.utf8)) }
  }

  @Test func `Counts stay at the end of their range`() {
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
