import SKANBase
import SKANDevice
import SKANModel
import Testing

@testable import SKANReceive

/// The forms of the report say what its tables do.
@Suite("The report's forms")
struct ReportFormTests {
  private func report() throws -> PostbackReport {
    try PostbackReport([
      ReportLine(id: "1", decoded: ReportLine.decoded(0.1, below: 5)),
      ReportLine(id: "2", decoded: ReportLine.decoded(20, below: nil)),
      ReportLine(id: "2", fine: "1", repetition: .conflict),
      ReportLine(id: "3", campaign: "39", fine: nil, coarse: "low"),
      ReportLine(id: "4", signature: ReceivedSignature(.valid, key: .simulated)),
      ReportLine(id: "5", signature: ReceivedSignature(.invalid)),
    ])
  }

  /// The rows of a CSV without quoted fields.
  private func rows(_ csv: String) -> [[String: String]] {
    let lines = csv.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    return lines.dropFirst().map { Dictionary(uniqueKeysWithValues: zip(lines[0], $0)) }
  }

  @Test(
    "Of CSV no postback is in two lines, whatever it is grouped by",
    arguments: [[], [.network, .fineValue], [.day]] as [[ReportDimension]])
  func csv(dimensions: [ReportDimension]) throws {
    let rows = rows(try report().csv(by: .postbackDate, grouping: dimensions))
    let values: [String] = rows.map { $0["skan_conversion_value"] ?? "none" }
    #expect(values.sorted() == ["", "", "12", "12"])
    let sum = { (kind: String, column: String) in
      rows.filter { $0["signed_by"] == kind }.compactMap { $0[column].flatMap(Int.init) }.reduce(0, +)
    }
    #expect(sum("apple", "postbacks") == 3 && sum("apple", "skan_installs") == 3 && sum("apple", "conflicts") == 1)
    #expect(sum("simulated", "postbacks") == 1 && sum("", "invalid") == 1)
  }

  @Test("Revenue and events of CSV, and the names of the columns of the day")
  func meanings() throws {
    let csv = try report().csv(by: .estimatedInstallDate, grouping: [.day, .mappedName, .country])
    #expect(
      csv.hasPrefix(
        "signed_by,skan_validated,estimated_install_date,tracker_campaign_name,country_field,skan_conversion_value,"
          + "coarse_conversion_value,revenue_currency,skan_installs,"))
    #expect(
      csv.contains(",20.10,5.00,1,\"[{\"\"count_max\"\":null,\"\"count_min\"\":2,\"\"event\"\":\"\"purchase\"\","))
    let open = try PostbackReport([ReportLine(decoded: ReportLine.decoded(20, below: nil))])
    #expect(open.csv(by: .postbackDate, grouping: []).contains(",20.00,,1,"))
    let json = ShownPostbackReport(open, by: .postbackDate, grouping: []).json
    #expect(
      json["apple"]?["total"]?["revenue"]
        == .array([
          .object([
            ("currency", .string("USD")), ("postbacks", .integer(1)), ("min", .double(20)), ("below", .null),
            ("open_ended", .integer(1)),
          ])
        ]))
    #expect(json["simulated"] == .null && json["received"] == .integer(1))
  }

  @Test("What stands in a postback is escaped in every form")
  func escapes() throws {
    let evil = "=<script>alert(\"1\")</script>&,\u{202E}\n"
    let report = try PostbackReport([
      ReportLine(network: evil, match: CampaignMatch(id: evil, name: evil, country: evil)),
      ReportLine(id: "2", match: nil),
    ])
    let page = report.html(by: .postbackDate, grouping: [.network, .mappedName, .country])
    #expect(!page.contains("<script") && !page.contains("\u{202E}"))
    #expect(page.contains("=&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;,\\u202e\\u000a"))
    #expect(report.csv(by: .postbackDate, grouping: [.network]).contains("\"'=<script>alert(\"\"1\"\")</script>&,"))
  }

  @Test("The page has a section a table, a row a group, and a bar with its number a value")
  func page() throws {
    let page = try report().html(by: .estimatedInstallDate, grouping: [.campaign, .day])
    let count = { (text: String) in page.components(separatedBy: text).count - 1 }
    #expect(count("<section>") == 3 && count("<h2>") == 3 && count("<details>") == 2)
    #expect(page.contains("<td class=\"bar\" title=\"12: 2\">"))
    #expect(page.contains("<span style=\"width:calc((100% - 4rem)*0.500)\"></span>\n<b>1</b>"))
    #expect(page.contains("estimated: the receipt minus the middle"))
    for name in ["html", "head", "body", "main", "section", "table", "tr", "td", "th", "div", "dl", "details", "p"] {
      #expect(count("<\(name)>") + count("<\(name) ") == count("</\(name)>"), "\(name)")
    }
  }

  @Test("Each dimension has its column, and its value in each row")
  func dimensions() throws {
    let report = try PostbackReport([
      ReportLine(
        network: "net", decoded: ReportLine.decoded(1, below: 5),
        match: CampaignMatch(id: "m1", name: "Spring", country: "DE")),
      ReportLine(
        id: "2", campaign: "7", version: "3.0", fine: nil, signature: ReceivedSignature(.valid, key: .simulated)),
    ])
    let rows = rows(report.csv(by: .postbackDate, grouping: ReportDimension.allCases))
    let names = [
      "skan_network_id", "skan_campaign_id", "skan_app_id", "skan_version", "postback_sequence_index",
      "tracker_campaign_id",
      "tracker_campaign_name", "country_field", "skan_conversion_value", "coarse_conversion_value", "revenue_currency",
    ]
    #expect(
      rows.map { row in names.map { row[$0] ?? "?" } } == [
        ["net", "5239", "525463029", "4.0", "0", "m1", "Spring", "DE", "12", "", "USD"],
        ["com.example", "7", "525463029", "3.0", "0", "", "", "", "", "", ""],
      ])
  }

  @Test("Days are UTC's, before 1970 as well")
  func days() {
    let day = { (microseconds: Int64) in Instant(microseconds: microseconds).count(of: .hours(24)) }
    #expect([-1, 0, 86_399_999_999, 86_400_000_000, -86_400_000_001].map(day) == [-1, 0, 0, 1, -2])
    #expect(ReportDate.postbackDate.explanation == ["Days are the days of receipt, in UTC."])
  }
}
