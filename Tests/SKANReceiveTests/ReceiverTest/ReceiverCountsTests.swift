import SKANBase
import SKANDevice
import SKANModel
import SKANSigning
import Testing

@testable import SKANReceive

@Suite("A receiver's own counts beside what it was sent")
struct ReceiverCountsTests {
  private static let time = Instant(microseconds: 1_780_315_200_000_000)

  /// The plan, with the answers of a receiver that is right but at these deliveries.
  private static func findings(
    wrong: [String] = [], limited: [String] = [], missing: [String] = []
  ) throws -> (ReceiverPlan, [ReceiverFinding]) {
    let plan = try ReceiverPlan(app: .sample, seed: 1, model: nil) { "\($0.count)" }
    return (
      plan,
      plan.deliveries.map { delivery in
        let id = delivery.id
        return ReceiverFinding(
          delivery,
          wrong.contains(id)
            ? .wrong("500")
            : limited.contains(id) ? .limited("429") : missing.contains(id) ? .notEvaluated("https") : .right("200"))
      }
    )
  }

  /// The counts of a receiver that is right.
  private static let right = Result { counts(try findings()) }

  private static func counts(_ findings: (ReceiverPlan, [ReceiverFinding])) -> ReceiverCounts {
    findings.0.expectedCounts(findings.1, by: DecodingModels(), at: time)
  }

  /// The report of a receiver that keeps all, as `skan report --json` has it.
  private static func report(_ findings: (ReceiverPlan, [ReceiverFinding])) -> JSON {
    findings.0.expectedReport(findings.1, by: DecodingModels(), at: time)
  }

  /// Some members of a report's totals.
  private static func total(_ text: String, rest: String = "") throws -> ReportNumbers {
    ReportNumbers(try JSONReader.read(Array(#"{"simulated":{"total":{\#(text)}}\#(rest)}"#.utf8)).value)
  }

  @Test("Each number of the report of a receiver that is right agrees")
  func right() throws {
    let findings = try Self.findings()
    let right = try Self.right.get()
    let comparison = right.compared(with: ReportNumbers(Self.report(findings)))
    #expect(comparison.differences.isEmpty && comparison.unknown.isEmpty && comparison.agreed > 80)
    #expect(
      right.summary
        == "84 to 85 installs, 1 redownload, 12 to 14 duplicates, 3 to 5 conflicts; 2 forgeries, which must not count")
  }

  @Test(
    "Counts that are right, and such that are not",
    arguments: [
      (#""installs":85,"duplicates":15"#, []), (#""installs":85,"duplicates":12,"conflicts":3"#, []),
      // Version 2.0 by a P-192 key.
      (#""installs":84,"duplicates":12,"conflicts":3"#, []),
      // One id for three windows.
      (#""installs":85,"duplicates":14,"conflicts":3,"windows":{"p0":88,"p1":2,"p2":2}"#, []),
      (#""installs":85,"duplicates":12,"conflicts":5,"windows":{"p0":88,"p1":2,"p2":2}"#, []),
      (#""installs":85,"duplicates":12,"conflicts":5,"windows":{"p0":88,"p1":3,"p2":3}"#, ["conflicts"]),
      (#""installs":85,"duplicates":17"#, []), (#""installs":85,"duplicates":18"#, ["duplicates"]),
      // A unique index with a null.
      (#""installs":86,"duplicates":14"#, ["installs"]),
      (#""installs":86,"duplicates":11,"conflicts":3"#, ["installs", "duplicates"]),
      // A forgery that took the genuine one's place; forgeries that count.
      (#""installs":83"#, ["installs"]), (#""installs":87"#, ["installs"]),
      (#""redownloads":0,"not_won":3"#, ["redownloads", "not_won"]),
      (
        #""fine_values":[{"value":12,"postbacks":1}]"#,
        [
          "fine_values[12].postbacks", "fine_values[0].postbacks", "fine_values[33].postbacks",
          "fine_values[62].postbacks",
        ]
      ),
      (
        #""revenue":[{"currency":"EUR","postbacks":1,"min":1,"below":2,"open_ended":0}]"#,
        ["revenue[EUR].postbacks", "revenue[EUR].min", "revenue[EUR].below"]
      ),
    ] as [(String, Set<String>)])
  func cases(members: String, differing: Set<String>) throws {
    let comparison = try Self.right.get().compared(with: try Self.total(members))
    #expect(Set(comparison.differences.map { String($0.path.dropFirst("simulated.total.".count)) }) == differing)
    #expect(comparison.unknown.isEmpty)
  }

  @Test("What was not acknowledged may count or not; what was not sent does not")
  func answers() throws {
    let installs = { (counts: ReceiverCounts, count: Int) in
      counts.compared(with: try Self.total("\"installs\":\(count)")).differences.isEmpty
    }
    for findings in [try Self.findings(wrong: ["web-ad"]), try Self.findings(limited: ["web-ad"])] {
      let counts = Self.counts(findings)
      #expect(try [83, 84, 85, 86].map { try installs(counts, $0) } == [true, true, true, false])
    }
    let missing = Self.counts(try Self.findings(missing: ["web-ad"]))
    #expect(try [82, 83, 84, 85].map { try installs(missing, $0) } == [false, true, true, false])
    // Advice that was refused is in no report.
    let advised = Self.report(try Self.findings(wrong: ["chunked"]))
    let must = Self.report(try Self.findings(wrong: ["web-ad"]))
    #expect(advised["simulated"]?["total"]?["installs"] == .integer(84))
    #expect(must["simulated"]?["total"]?["installs"] == .integer(85))
  }

  @Test("Forgeries, and what may be refused, may be kept apart or not")
  func unverified() throws {
    for count in 0...3 {
      let numbers = ReportNumbers(
        .object([("unverified", .object([("total", .object([("invalid", .integer(Int64(count)))]))]))]))
      let comparison = try Self.right.get().compared(with: numbers)
      // 3 with version 2.0, which a receiver may not be able to check.
      #expect(comparison.differences.isEmpty)
    }
    #expect(
      try Self.right.get().compared(with: Self.total("", rest: #","apple":{"total":{"installs":2}}"#))
        .differences.map(\.path) == ["apple.total.installs"])
  }

  @Test("Keys that no report has are said, and no number is passed over")
  func unknown() throws {
    let unknown = { (report: String) in
      try Self.right.get().compared(with: ReportNumbers(try JSONReader.read(Array(report.utf8)).value))
        .unknown
    }
    #expect(try unknown(#"{"simulated":{"total":{"instals":81}}}"#) == ["simulated.total.instals"])
    #expect(try unknown(#"{"simulated":{"total":{"installs":"81"}}}"#) == ["simulated.total.installs"])
    #expect(try unknown(#"{"simulated":{"installs":81},"own":{"x":1},"status":"ok"}"#) == ["simulated.installs"])
    #expect(try unknown(#"{"group":["app"],"simulated":{"groups":[{"group":{"app":"1"},"installs":9}]}}"#) == [])
    #expect(
      try unknown(#"{"simulated":{"groups":[{"group":{"app":"1"},"instals":9}]}}"#) == ["simulated.groups[1].instals"])
  }

  @Test("A number that is null counts as 0 with its table; what a URL said before does not count")
  func since() throws {
    let right = try Self.right.get()
    let none = ReportNumbers(try JSONReader.read(Array(#"{"simulated":null}"#.utf8)).value)
    let differences = right.compared(with: none).differences
    #expect(
      differences.contains {
        $0.path == "simulated.total.installs" && $0.actualText == "0" && ["84", "85"].contains($0.expectedText)
      })
    let (before, after) = (
      try Self.total("\"installs\":5,\"duplicates\":1"), try Self.total("\"installs\":90,\"duplicates\":16")
    )
    let change = try #require(after.since(before))
    #expect(right.compared(with: change).differences.isEmpty)
    #expect(after.since(after) == nil)
  }

  @Test("The hint of a number names the deliveries that it depends on")
  func hints() throws {
    let comparison = try Self.right.get().compared(
      with: try Self.total(#""installs":86,"duplicates":11,"conflicts":3"#))
    #expect(comparison.differences.map { $0.hint?.contains("v3.0-duplicate") } == [true, true])
    let fewer = try Self.right.get().compared(with: try Self.total("\"installs\":7"))
    #expect(fewer.differences.first?.hint?.contains("genuine-after") == true)
  }
}
