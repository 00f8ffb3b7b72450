import SKANBase
import SKANDevice
import SKANRun
import Testing

@testable import SKANReceive

@Suite("Details of the report's forms, and limits")
struct ReportDetailTests {
  private func below(_ decoded: [DecodedValue]) throws -> JSON? {
    let report = try PostbackReport(decoded.enumerated().map { ReportLine(id: "\($0)", decoded: $1) })
    let revenue = ShownPostbackReport(report, by: .postbackDate, grouping: []).json["apple"]?["total"]?["revenue"]
    guard case .array(let sums)? = revenue, sums.count == 1 else { return nil }
    return sums[0]["below"]
  }

  @Test("The upper end of revenue is absent only where no range has one") func upperEnd() throws {
    let (closed, open) = (ReportLine.decoded(1, below: 5), ReportLine.decoded(2, below: nil))
    #expect(try below([closed]) == .double(5) && below([closed, open]) == .double(5))
    #expect(try below([open]) == .null && below([open, open]) == .null)
  }

  @Test("The page has no values of what is not verified") func pageHas() throws {
    func page(_ verdict: ReceivedSignature) throws -> String {
      try PostbackReport(
        [("a.example", 0), ("b.example", 30)].map { ReportLine(network: $0, signature: verdict, hour: $1) }
      )
      .html(by: .postbackDate, grouping: [.network])
    }
    let (valid, invalid) = (
      try page(ReceivedSignature(.valid, key: .apple)), try page(ReceivedSignature(.invalid, why: "x"))
    )
    for words in ["By network", "Values by network", "Installs by day"] {
      #expect(valid.contains(words) && invalid.contains(words) == (words == "By network"), "\(words)")
    }
  }

  @Test("A body has 64 KiB at most, and its line fits a reader of lines however it is escaped") func bodyHas() throws {
    #expect(PostbackIntake.longestBody == 65_536)
    let body = String(repeating: "\u{1}", count: PostbackIntake.longestBody)
    let line = Samples.record(#"{"a":""# + body + #""}"#).line
    var lines = 0
    _ = try? ReceivedFile(ByteSource(line + Samples.record(Samples.text()).line)) { _, _, _ in lines += 1 }
    #expect(line.count > 6 * PostbackIntake.longestBody && lines == 1)
  }
}
