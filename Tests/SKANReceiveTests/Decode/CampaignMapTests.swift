import SKANBase
import SKANDevice
import SKANModel
import SKANReceive
import Testing

@Suite("The map of campaigns")
struct CampaignMapTests {
  private static let header = "network,identifier,from,until,campaign_id,campaign_name,country\n"

  private static func map(_ rows: [String]) throws(SourceNotes) -> CampaignMap {
    try CampaignMap(Array((header + rows.joined(separator: "\n")).utf8), file: "c.csv")
  }

  /// What a map says of a postback that was received at 2026-06-01T12:00:00Z, so that the install was about 84 h earlier
  /// with version 4, and 36 h with version 3.
  private static func text(_ rows: [String], _ body: String, isDevelopment: Bool = false) throws -> String {
    let result = try map(rows).campaign(
      of: try Samples.document(body), receivedAt: Instant(microseconds: 1_780_315_200_000_000),
      isDevelopment: isDevelopment)
    return switch result {
    case .match(let campaign): "\(campaign.id) \(campaign.name ?? "-") \(campaign.country ?? "-")"
    case .finding(let code, let message): "\(code.rawValue): \(message)"
    case nil: "none"
    }
  }

  private static func v4(_ identifier: String, network: String = "a.skadnetwork") -> String {
    #"{"version":"4.0","ad-network-id":"\#(network)","source-identifier":"\#(identifier)","postback-sequence-index":0}"#
  }

  private static func v3(_ campaign: Int) -> String {
    #"{"version":"3.0","ad-network-id":"a.skadnetwork","campaign-id":\#(campaign)}"#
  }

  private static let time = "2026-05-29T00:00:00Z"

  @Test(
    "The row whose digits agree",
    arguments: [
      (["a.skadnetwork,5239,,,7,Spring,DE"], v4("5239"), "7 Spring DE"),
      (["a.skadnetwork,5239,,,7,Spring,"], v4("39"), "7 Spring -"),
      (["a.skadnetwork,5239,,,7,,"], v4("239"), "7 - -"),
      (["a.skadnetwork,39,,,7,,"], v4("5239"), "7 - -"),
      (["A.SKAdNetwork,39,,,7,,"], v4("39", network: "a.skadnetwork"), "7 - -"),
      (["a.skadnetwork,39,,,7,,", "a.skadnetwork,5239,,,8,,"], v4("5239"), "8 - -"),
      (["a.skadnetwork,39,,,7,,", "a.skadnetwork,5239,,,8,,"], v4("6139"), "7 - -"),
      (
        ["a.skadnetwork,39,,,7,,", "a.skadnetwork,5239,,,8,,"], v4("39"),
        "campaign-ambiguous: c.csv has several campaigns (7, 8) for source identifier 39 of a.skadnetwork at the time of "
          + "its install, about \(time): lines 2, 3."
      ),
      (["a.skadnetwork,5239,,,7,,", "a.skadnetwork,6139,,,7,,"], v4("39"), "7 - -"),
      (
        (1...7).map { "a.skadnetwork,\($0)39,,,\($0),," }, v4("39"),
        "campaign-ambiguous: c.csv has several campaigns (1, 2, 3, 4, 5, …) for source identifier 39 of a.skadnetwork at "
          + "the time of its install, about \(time): lines 2, 3, 4, 5, 6, …."
      ),
      (
        ["a.skadnetwork,52,,,7,,"], v4("5239"),
        "campaign-unknown: c.csv has no row for source identifier 5239 of a.skadnetwork."
      ),
      (
        ["a.skadnetwork,5239,,,7,,"], v4("5239", network: "b.skadnetwork"),
        "campaign-unknown: c.csv has no row for source identifier 5239 of b.skadnetwork."
      ),
      (["a.skadnetwork,5,,,7,,", "a.skadnetwork,05,,,8,,"], v4("05"), "8 - -"),
      // A campaign id of one digit is none of a source identifier.
      (
        ["a.skadnetwork,5,,,7,,"], v4("05"),
        "campaign-unknown: c.csv has no row for source identifier 05 of a.skadnetwork."
      ),
      (["a.skadnetwork,5,,,7,,"], v3(5), "7 - -"), (["a.skadnetwork,05,,,7,,"], v3(5), "7 - -"),
      (["a.skadnetwork,100,,,7,,"], v3(100), "7 - -"),
      (
        ["a.skadnetwork,5239,,,7,,"], v3(39),
        "campaign-unknown: c.csv has no row for campaign id 39 of a.skadnetwork."
      ),
      (["a.skadnetwork,39,,,7,,"], #"{"version":"9.9"}"#, "none"),
      (
        ["a.skadnetwork,39,,,7,,"], #"{"version":"4.0"}"#,
        "campaign-unknown: It has no identifier that c.csv could name."
      ),
      (
        ["a.skadnetwork,39,,,7,,"], v3(39).replacing("39", with: #""x""#),
        "campaign-unknown: It has no identifier that c.csv could name."
      ),
      (
        ["a.skadnetwork,39,,,7,,"], v4("x"), "campaign-unknown: It has no identifier that c.csv could name."
      ),
    ])
  func digits(rows: [String], body: String, expected: String) throws {
    #expect(try Self.text(rows, body) == expected)
  }

  @Test("Name and country only where all rows agree")
  func common() throws {
    let row = { (rest: String) in "a.skadnetwork,39,,,7,\(rest)" }
    #expect(try Self.text([row("Spring,DE"), row("Spring,AT")], Self.v4("39")) == "7 Spring -")
    #expect(try Self.text([row("Spring,DE"), row("Spring,")], Self.v4("39")) == "7 Spring -")
    #expect(try Self.text([row("Spring,DE"), row("Summer,DE")], Self.v4("39")) == "7 - DE")
  }

  @Test(
    "A row is valid from its first day to the end of its last, at the time of the install",
    arguments: [
      ("2026-05-29,2026-05-29", true), ("2026-05-28,2026-05-28", false), ("2026-05-30,", false), (",2026-05-28", false),
      ("2026-05-29T00:00:00Z,2026-05-29T00:00:01Z", true), (",2026-05-29T00:00:00Z", false),
      ("2026-05-29T00:00:01Z,", false),
    ])
  func validity(times: String, isValid: Bool) throws {
    let text = try Self.text(["a.skadnetwork,39,\(times),7,,"], Self.v4("39"))
    #expect(
      text
        == (isValid
          ? "7 - -"
          : "campaign-unknown: c.csv has no row for source identifier 39 of a.skadnetwork at the time of its install, "
            + "about \(Self.time)."))
  }

  @Test("The time of the install by version and kind of impression")
  func estimates() throws {
    let rows = [
      "a.skadnetwork,39,,2026-05-30,old,,", "a.skadnetwork,39,2026-05-31,2026-06-01T11:30:00Z,mid,,",
      "a.skadnetwork,39,2026-06-01T11:30:00Z,,new,,",
    ]
    #expect(try Self.text(rows, Self.v4("39")) == "old - -")
    #expect(try Self.text(rows, Self.v3(39)) == "mid - -")
    #expect(try Self.text(rows, Self.v4("39"), isDevelopment: true) == "new - -")
  }

  @Test("Everything that is wrong with a map, with its line and column")
  func problems() throws {
    let error = #expect(throws: SourceNotes.self) {
      try Self.map([
        ",39,,,7,,", "a,,,,7,,", "a,39,,,,,", "a,12345,,,7,,", "a,x,,,7,,", "a,39,1.5.2026,,7,,", "a,39,,tomorrow,7,,",
        "a,39,2026-05-02,2026-05-01,7,,", "a,39,,,7",
      ])
    }
    let digits = "identifier must be a campaign id from 1 to 100, or two to four digits of a source identifier"
    let time = "must be a date of UTC (2026-05-01) or an instant (2026-05-01T09:00:00Z)"
    #expect(
      error?.notes.map { "\($0.location.line):\($0.location.column): \($0.message)" } == [
        "2:1: network is empty", "3:3: identifier is empty", "4:8: campaign_id is empty", "5:3: \(digits)",
        "6:3: \(digits)", "7:6: from \(time); a spreadsheet may have changed it", "8:7: until \(time)",
        "9:17: until is not after from: the row is never valid", "10:1: this row has 5 fields, the header has 7",
      ])
    let empty = #expect(throws: SourceNotes.self) { try Self.map([]) }
    #expect(empty?.notes.map(\.message) == ["there is no row under the header"])
  }
}
