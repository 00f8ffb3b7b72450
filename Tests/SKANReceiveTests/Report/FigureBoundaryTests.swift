import Testing

@testable import SKANReceive

/// For each figure of a report a postback that it counts, and one that differs in one thing and is not counted.
@Suite("Both sides of each figure of the report")
struct FigureBoundaryTests {
  struct Figure: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let count: @Sendable (ReportCounts) -> Int
    let counted: @Sendable (inout ReportLine) -> Void
    let neighbour: @Sendable (inout ReportLine) -> Void

    init(
      _ name: String, _ count: @escaping @Sendable (ReportCounts) -> Int,
      _ counted: @escaping @Sendable (inout ReportLine) -> Void,
      besides neighbour: @escaping @Sendable (inout ReportLine) -> Void
    ) {
      (testDescription, self.count, self.counted, self.neighbour) = (name, count, counted, neighbour)
    }
  }

  /// The count of a file with another postback and one with these changes, in both orders.
  private func counts(_ figure: Figure, _ change: (inout ReportLine) -> Void) throws -> [Int] {
    let other = ReportLine(id: "1", fine: "13")
    var line = ReportLine(id: "2")
    change(&line)
    func count(_ lines: [ReportLine]) throws -> Int {
      let report = try PostbackReport(lines)
      return [.apple, .unverified].map { report.total($0).map(figure.count) ?? 0 }.reduce(0, +)
    }
    let before = try count([other])
    return [try count([other, line]) - before, try count([line, other]) - before]
  }

  @Test("Sides", arguments: figures)
  func sides(figure: Figure) throws {
    #expect(try counts(figure, figure.counted) == [1, 1])
    #expect(try counts(figure, figure.neighbour) == [0, 0])
  }

  private static func later(_ index: Int, _ coarse: String? = nil) -> @Sendable (inout ReportLine) -> Void {
    { ($0.index, $0.fine, $0.coarse) = (index, nil, coarse) }
  }

  /// A copy of the other postback, an hour later.
  private static func copy(
    _ change: @escaping @Sendable (inout ReportLine) -> Void = { _ in }
  ) -> @Sendable (inout ReportLine) -> Void {
    { line in
      (line.id, line.fine, line.hour) = ("1", "13", 1)
      change(&line)
    }
  }

  private static func meaning(
    _ min: Double, below: Double?, currency: String = "USD", most: Int64? = nil
  ) -> @Sendable (inout ReportLine) -> Void {
    { $0.decoded = ReportLine.decoded(min, below: below, currency: currency, most: most) }
  }

  private static let figures: [Figure] = [
    Figure("postbacks", \.postbacks, { _ in }, besides: copy()),
    Figure("installs: won", \.installs, { _ in }, besides: { $0.hasWon = false }),
    Figure("installs: not again", \.installs, { _ in }, besides: { $0.isRedownload = true }),
    Figure("installs: the first window", \.installs, { _ in }, besides: later(1)),
    Figure("installs with a value", \.installsWithValue, { $0.fine = "0" }, besides: { $0.fine = nil }),
    Figure(
      "redownloads", \.redownloads, { $0.isRedownload = true },
      besides: { line in
        later(1)(&line)
        line.isRedownload = true
      }),
    Figure(
      "not won", \.notWon, { ($0.version, $0.campaign, $0.hasWon) = ("3.0", "42", false) },
      // Which has no such field.
      besides: { ($0.version, $0.campaign, $0.hasWon) = ("2.2", "42", false) }),
    Figure("window 0", { $0.windows[0] }, { _ in }, besides: later(1)),
    Figure("window 1", { $0.windows[1] }, later(1), besides: later(2)),
    Figure("window 2", { $0.windows[2] }, later(2), besides: later(3)),
    Figure(
      "without a value", \.withoutValue, { $0.fine = nil }, besides: { ($0.fine, $0.hasWon) = (nil, false) }),
    Figure(
      "fine values: the largest", { $0.fine.values.reduce(0, +) }, { $0.fine = "63" }, besides: { $0.fine = "64" }),
    Figure("fine values: the least", { $0.fine.values.reduce(0, +) }, { $0.fine = "0" }, besides: { $0.fine = "-1" }),
    Figure("fine values: each", { $0.fine[12] ?? 0 }, { _ in }, besides: { $0.fine = "11" }),
    Figure("coarse values: each", { $0.coarse[1][2] }, later(1, "high"), besides: later(1, "medium")),
    Figure("coarse values: their window", { $0.coarse[1][2] }, later(1, "high"), besides: later(2, "high")),
    Figure("odd values: fine", \.oddValues, { $0.fine = "64" }, besides: { $0.fine = "63" }),
    Figure("odd values: coarse", \.oddValues, later(1, "higher"), besides: later(1, "high")),
    Figure("odd values: a value at all", \.oddValues, later(1, "none"), besides: later(1)),
    Figure(
      "decoded", \.decoded, meaning(1, below: 2),
      besides: { $0.decoded = DecodedValue(model: "m.json", window: .p0, value: .fine(12), undecoded: "none") }),
    Figure(
      "undecoded", \.undecoded,
      { $0.decoded = DecodedValue(model: "m.json", window: .p0, value: .fine(12), undecoded: "none") },
      besides: { $0.decoded = nil }),
    Figure("without a model", \.withoutModel, { _ in }, besides: { $0.fine = nil }),
    Figure(
      "revenue: its currency", { $0.revenue["USD"]?.postbacks ?? 0 }, meaning(1, below: 2),
      besides: meaning(1, below: 2, currency: "EUR")),
    Figure(
      "revenue: from", { Int($0.revenue["USD"]?.min.millionths ?? 0) }, meaning(0.000_001, below: 2),
      besides: meaning(0.000_000_4, below: 2)),
    Figure(
      "revenue: below", { Int($0.revenue["USD"]?.below.millionths ?? 0) }, meaning(0, below: 0.000_001),
      besides: meaning(0, below: nil)),
    Figure(
      "revenue without an end", { $0.revenue["USD"]?.openEnded ?? 0 }, meaning(1, below: nil),
      besides: meaning(1, below: 2)),
    Figure(
      "events without an end", { $0.events["purchase"]?.openEnded ?? 0 }, meaning(1, below: 2),
      besides: meaning(1, below: 2, most: 1)),
    Figure("duplicates: the content", \.duplicates, copy(), besides: copy { $0.fine = "14" }),
    Figure("duplicates: the network", \.duplicates, copy(), besides: copy { $0.network = "b.example" }),
    Figure(
      "duplicates: the key", \.duplicates, copy(),
      besides: copy { $0.signature = ReceivedSignature(.valid, key: .development) }),
    Figure("conflicts", \.conflicts, copy { $0.fine = "14" }, besides: copy { ($0.fine, $0.index) = ("14", 1) }),
    Figure(
      "invalid", \.invalid, { $0.signature = ReceivedSignature(.invalid, why: "x") },
      besides: { $0.signature = ReceivedSignature(.notChecked, why: "x") }),
    Figure(
      "not checked", \.notChecked, { $0.signature = ReceivedSignature(.notChecked, why: "x") },
      besides: { $0.signature = ReceivedSignature(.invalid, why: "x") }),
  ]

  @Test(
    "A day begins at its first hour of UTC",
    arguments: [(23, ["2026-05-01"]), (24, ["2026-05-01", "2026-05-02"])] as [(Int64, [String])])
  func days(hour: Int64, days: [String]) throws {
    for lines in [
      [ReportLine(id: "1"), ReportLine(id: "2", hour: hour)], [ReportLine(id: "2", hour: hour), ReportLine()],
    ] {
      let table = try #require(try PostbackReport(lines).tables(by: .postbackDate, grouping: [.day]).first)
      #expect(table.rows.map { $0.group[0] } == days && table.total.postbacks == 2)
    }
  }
}
