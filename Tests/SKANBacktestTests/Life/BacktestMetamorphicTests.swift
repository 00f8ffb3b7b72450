import Foundation
import SKANBase
import SKANDevice
import SKANModel
import SKANRun
import TestSupport
import Testing

@testable import SKANBacktest

/// Changes of lists and exports that change nothing in what comes of them, or only what they must.
@Suite("Lists and exports changed without a change of what they say")
struct BacktestMetamorphicTests {
  private func summary(_ lists: [[String]], until: Instant? = .afterAll) throws -> BacktestSummary {
    let bytes = Array(try Data(contentsOf: Checkout.fixtures.appending(path: "models/mixed.json")))
    let model = BacktestModel(name: "mixed.json", hash: 1, try ConversionModel(bytes))
    let run = BacktestRun(BacktestPlan([model], currency: .usd, startsAtFirstRow: true, until: until))
    for list in lists { try run.add(ListReader("list", ByteSource(Array(list.joined(separator: "\n").utf8)))) }
    return try run.summary(jobs: 1)
  }

  /// The lines of each phone.
  private func phones(_ seed: Int, currencies: [String] = ["USD", "EUR"]) throws -> [[String]] {
    let list = RandomList(
      seed: UInt64(seed) + 70, phones: 40, steps: 20, kinds: RandomList.kinds, currencies: currencies)
    let named = Dictionary(grouping: list.lines) { $0.firstMatch(of: /"device":"([^"]+)"/)?.1 ?? "" }
    return named.sorted { $0.key < $1.key }.map(\.value)
  }

  @Test("Phones in another order, and in several lists", arguments: Rounds.of(4))
  func order(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    let phones = try phones(seed)
    let whole = try summary([phones.flatMap(\.self)])
    let shuffled = phones.shuffled(using: &random)
    #expect(try summary([shuffled.flatMap(\.self)]) == whole)
    let cut = Int.random(in: 1..<phones.count, using: &random)
    #expect(try summary([shuffled[cut...].flatMap(\.self), shuffled[..<cut].flatMap(\.self)]) == whole)
  }

  @Test("All times later by some days, and other names of phones", arguments: Rounds.of(4), [1, 400])
  func times(seed: Int, days: Int) throws {
    let lines = try phones(seed).flatMap(\.self)
    let moved = lines.map { line in
      line.replacing(/"at":(\d+)/) { #""at":\#((Int($0.1) ?? 0) + days * 86_400)"# }
        .replacing(#""device":""#, with: #""device":"phone "#)
    }
    // Until the last row, in which some devices are young.
    let (one, two) = (try summary([lines], until: nil), try summary([moved], until: nil))
    var expected = one.total.model
    expected.departures = Dictionary(uniqueKeysWithValues: expected.departures.map { ($0 + days, $1) })
    #expect(two.total.model == expected)
    #expect(two.input.devices == one.input.devices && two.input.withoutRate == one.input.withoutRate)
    #expect(two.input.young == one.input.young)
    #expect(two.header.until == one.header.until?.later(by: .hours(Int64(days) * 24)))
  }

  /// Rows of an export that the preset `plain` reads.
  private func rows(_ random: inout SplitMix64) -> [(device: String, time: Int, rest: String)] {
    (0..<60).map { _ in
      let rest = [
        "install,,", "__SESSION__,,", "level,,", "purchase,9.99,EUR", "purchase,-1,USD", ",0.5,USD", ",,",
        "level,x,USD",
        "level,1,",
      ].randomElement(using: &random)
      return ("d\(Int.random(in: 1...5, using: &random))", Int.random(in: 0...900_000, using: &random), rest ?? "")
    }
  }

  private func export(_ rows: [(device: String, time: Int, rest: String)], blockSize: Int = 1 << 20) throws
    -> ExportText
  {
    let lines = rows.map { "\($0.device),\(1_767_225_600 + $0.time),\($0.rest)\n" }
    return try ExportText("device,time,name,revenue,currency\n" + lines.joined(), blockSize: blockSize)
  }

  @Test("Rows in another order, in blocks, of other devices, and later", arguments: Rounds.of(4))
  func exports(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 90)
    let rows = rows(&random)
    let whole = try export(rows)
    func expectSame(_ other: ExportText, _ change: (String) -> String = { $0 }) {
      #expect(other.rows.sorted() == whole.rows.map(change).sorted())
      #expect(other.tally.rejected == whole.tally.rejected && other.tally.mapped == whole.tally.mapped)
    }
    expectSame(try export(rows.shuffled(using: &random)))
    expectSame(try export(rows, blockSize: 100))
    expectSame(try export(rows.map { ("other \($0.device)", $0.time, $0.rest) })) { "other \($0)" }
    let later = try export(rows.map { ($0.device, $0.time + 86_400 * 365, $0.rest) })
    expectSame(later) { $0.replacing("2026-", with: "2027-") }
    let (first, second) = (try export(Array(rows[..<25])), try export(Array(rows[25...])))
    #expect(first.rows + second.rows == whole.rows)
    var tally = second.tally
    tally += first.tally
    #expect(tally.mapped == whole.tally.mapped && tally.rejected == whole.tally.rejected)
    #expect(tally.first == whole.tally.first && tally.last == whole.tally.last)
  }
}
