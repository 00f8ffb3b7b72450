import SKANBase
import SKANDevice
import SKANSigning
import TestSupport
import Testing

@testable import SKANReceive

@Suite("Both sides of every limit")
struct LimitTests {
  private static func message(_ rows: String, country: String = "") throws -> String {
    let map = try CampaignMap(Array("network,identifier,campaign_id,country\n\(rows)".utf8), file: "m.csv")
    let body =
      #"{"version":"4.0","ad-network-id":"a.b","source-identifier":"52","postback-sequence-index":0\#(country)}"#
    let document = try PostbackDocument(Array(body.utf8))
    let result = map.campaign(of: document, receivedAt: Instant(microseconds: 0), isDevelopment: false)
    switch result {
    case .finding(_, let message): return message
    case .match(let match): return match.contradiction ?? ""
    case nil: return ""
    }
  }

  @Test("The campaigns and the lines that a message names")
  func campaigns() throws {
    // One campaign in all rows but the first: the lines alone are more.
    try expectLimit(5, "campaigns") { count in
      try !Self.message((0..<count).map { "a.b,52,c\($0),\n" }.joined()).contains("…")
    }
    try expectLimit(5, "lines") { count in
      try !Self.message((0..<count).map { "a.b,52,c\(min($0, 1)),\n" }.joined()).contains("…")
    }
    try expectLimit(5, "lines of a country") { count in
      let message = try Self.message(
        String(repeating: "a.b,52,c,DE\n", count: count), country: #","country-code":"US""#)
      #expect(message.contains("DE"))
      #expect(message.split(separator: "line").last?.matches(of: /\d+/).count == min(count, 5), "\(message)")
      return !message.contains("…")
    }
  }

  @Test("The digits of an identifier in a map, and of one in a postback")
  func identifiers() throws {
    expectLimit(4, "digits") { count in
      (try? Self.message("a.b,\(String(repeating: "5", count: count)),c,\n")) != nil
    }
  }
}
