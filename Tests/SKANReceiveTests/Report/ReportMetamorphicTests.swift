import SKANBase
import SKANDevice
import SKANRun
import TestSupport
import Testing

@testable import SKANReceive

/// Changes of files of received postbacks that change nothing in their report, or only what they must.
@Suite("Received postbacks changed without a change of what they say")
struct ReportMetamorphicTests {
  private func lines(_ seed: Int) -> [ReportLine] {
    var random = SplitMix64(seed: UInt64(seed) + 4000)
    return (0..<40).map { _ in
      var line = ReportLine(id: "id\(Int.random(in: 0..<15, using: &random))")
      line.network = ["com.example", "b.example"].randomElement(using: &random) ?? ""
      line.index = Int.random(in: 0...2, using: &random)
      line.fine = line.index > 0 ? nil : ["12", "63", "99", nil].randomElement(using: &random) ?? nil
      line.coarse = line.index == 0 ? nil : ["low", "high", nil].randomElement(using: &random) ?? nil
      line.hasWon = Int.random(in: 0...4, using: &random) > 0
      line.repetition = Repetition.allCases.randomElement(using: &random) ?? .first
      line.hour = Int64.random(in: 0...60, using: &random)
      line.decoded = [nil, ReportLine.decoded(0.1, below: 0.7)].randomElement(using: &random) ?? nil
      line.signature = ReceivedSignature(
        .valid, key: [.apple, .apple, .simulated, .development].randomElement(using: &random))
      return line
    }
  }

  /// The rows of each kind, and the total.
  private func rows(_ lines: [ReportLine], _ date: ReportDate = .postbackDate) throws -> [String] {
    try PostbackReport(lines).tables(by: date, grouping: [.network, .window, .day, .fineValue]).flatMap { table in
      table.rows.map { "\(table.kind) \($0.group) \($0.counts.sorted)" } + ["\(table.kind) \(table.total.sorted)"]
    }
  }

  @Test("Other transaction ids, in upper or lower case", arguments: Rounds.of(5))
  func names(seed: Int) throws {
    let lines = lines(seed)
    let renamed = lines.map { line in
      var line = line
      line.id = "other-\(line.id.uppercased())"
      return line
    }
    let cased = lines.enumerated().map { index, line in
      var line = line
      if index % 2 == 0 { line.id = line.id.uppercased() }
      return line
    }
    #expect(try rows(renamed) == rows(lines))
    // The case of an id is no part of it, but of the content of its postback.
    let counts = { (lines: [ReportLine]) in
      let report = try PostbackReport(lines)
      return [ReportTable.Kind.apple, .simulated, .development].map { report.total($0)?.postbacks }
    }
    #expect(try counts(cased) == counts(lines))
  }

  @Test("All days later by some", arguments: Rounds.of(5), [1, 30])
  func times(seed: Int, days: Int64) throws {
    let lines = lines(seed)
    let later = lines.map { line in
      var line = line
      line.hour += 24 * days
      return line
    }
    let withoutDays = { (rows: [String]) in rows.map { $0.replacing(/2026-\d\d-\d\d/, with: "day") } }
    for date in ReportDate.allCases {
      #expect(try withoutDays(rows(later, date)) == withoutDays(rows(lines, date)))
      #expect(try rows(later, date) != rows(lines, date))
    }
  }

  @Test("The postbacks of another network are rows of their own", arguments: Rounds.of(5))
  func otherNetwork(seed: Int) throws {
    let lines = lines(seed)
    let other = lines.map { line in
      var line = line
      line.network = "z.example"
      return line
    }
    let both = try rows(lines + other)
    #expect(try rows(lines).filter { $0.contains("[") && $0.contains(".example") }.allSatisfy(both.contains))
    let totals = { (lines: [ReportLine]) in try PostbackReport(lines).total(.apple)?.installs ?? 0 }
    #expect(try totals(lines + other) == totals(lines) + totals(other))
  }
}

extension ReportCounts {
  /// A text that does not depend on the order in dictionaries.
  fileprivate var sorted: String {
    let values = fine.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return
      "\(postbacks) \(installs) \(windows) \(coarse) \(values) \(duplicates) \(conflicts) \(withoutModel) \(decoded) "
      + "\(sortedRevenue.map { "\($0.currency) \($0.sum)" }) \(sortedEvents.map { "\($0.name) \($0.sum)" })"
  }
}
