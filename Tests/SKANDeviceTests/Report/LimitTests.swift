import SKANBase
import TestSupport
import Testing

@testable import SKANDevice

@Suite("Both sides of every limit")
struct LimitTests {
  private static func members(_ count: Int, _ key: (Int) -> String = { "zzzz-\($0)-zzzz" }) -> String {
    (0..<count).map { ",\"\(key($0))\":1" }.joined()
  }

  private static func added(_ members: String) throws -> [(code: PostbackFinding.Code, message: String)] {
    try PostbackReadTests.read(PostbackReadTests.v4.dropLast() + members + "}").findings.map { ($0.code, $0.message) }
  }

  private static func jws(header: String = "", claims: String = "") throws -> [PostbackFinding] {
    let payload =
      #"{"postback-identifier":"0B1C2D3E-4F50-4A6B-8C7D-9E0F1A2B3C4D","ad-network-identifier":"com.example","#
      + #""source-identifier":"52","advertised-item-identifier":1,"impression-type":"app-impression","#
      + #""conversion-type":"download","did-win":true,"postback-sequence-index":0\#(claims)}"#
    let parts = [#"{"kid":"own/0","alg":"ES256"\#(header)}"#, payload, String(repeating: "a", count: 64)]
    let jws = parts.map { Base64URL.encode($0.utf8) }.joined(separator: ".")
    let body = #"{"jws-string":"\#(jws)","ad-interaction-type":"click"}"#
    return try #require(AdAttributionKitPostback(JSONReader.read(Array(body.utf8)))).findings
  }

  private static func breaches(_ keys: (Int) -> String, _ count: Int) -> [ContractBreach] {
    ContractBreach.all(in: .response(status: 200, body: Array("{\"status\":\"ok\"\(members(count, keys))}".utf8)))
  }

  @Test("What a message does not name it counts")
  func rest() throws {
    try expectRest(beyond: 20, "added keys") { try Self.added(Self.members($0)).map(\.message).joined() }
    try expectRest(beyond: 20, "unknown claims") { try Self.jws(claims: Self.members($0)).map(\.message).joined() }
    try expectRest(beyond: 20, "members of a header") { try Self.jws(header: Self.members($0)).map(\.message).joined() }
    try expectRest(beyond: 5, "keys of an answer") { count in
      Self.breaches({ "zzzz\($0)" }, count).map(\.message).joined()
    }
  }

  @Test("What is named at most")
  func named() throws {
    let misspelled = { (number: Int) in "conversion_value" + String(repeating: "_", count: number + 1) }
    expectLimit(5, "misspelled keys of an answer") { Self.breaches(misspelled, $0).count == $0 }
    try expectLimit(50, "keys that are near to a field") { count in
      try Self.added(Self.members(count) { "conversion-valu\($0)" }).map(\.code)
        == Array(repeating: .mistypedKey, count: count)
    }
    try expectLimit(32, "a key that is near to a field") { count in
      let name = "coarse-conversion-value"
      return try Self.added(Self.members(1) { _ in name + String(repeating: "x", count: count - name.count) })
        .map(\.code) == [.mistypedKey]
    }
    expectLimit(256, "a key for which a documented one may be meant") { count in
      ContractBreach.documentedKey(meantBy: "conversion_value" + String(repeating: "_", count: count - 16)) != nil
    }
    expectLimit(40, "a key in a message") { count in
      !ContractBreach.misspelledKey(String(repeating: "x", count: count), meant: "y").message.contains("…")
    }
    try expectLimit(40, "a value in a finding") { count in
      let value = "\"\(String(repeating: "x", count: count - 2))\""
      return try PostbackReadTests.findings(PostbackReadTests.with("app-id", value, in: PostbackReadTests.v4))
        .contains { $0.contains("xxx") }
    }
  }

  @Test("Impressions that lost: Apple considers six")
  func lost() {
    expectLimit(5, "impressions that lost") { count in
      let lost = (0..<count).map { "{\"network\":\"n\($0)\"}" }.joined(separator: ",")
      return (try? AdAttribution(Array("{\"lost\":[\(lost)]}".utf8)))?.lost.count == count
    }
  }

  @Test("Failed events whose revenue may be added again")
  func revenue() throws {
    try expectLimit(8, "failed events") { count in
      var device = Device.phone()
      for number in 0..<count {
        _ = try device.addRevenue(Double(number + 1), currency: "USD", isAdMonetization: false, at: moment(1))
        device.note(event: "e\(number)", .transportError)
      }
      let report = try device.addRevenue(1, currency: "USD", isAdMonetization: false, at: moment(2))
      return report.warnings.contains(.revenueAgain(1, "USD", event: "e0"))
    }
  }

  @Test("Characters of an event's name, and digits and parts of an iOS version")
  func names() {
    for letter in ["a", "ü", "\u{1D11E}"] {
      expectLimit(32, "characters") { count in
        !Warning.about(eventName: String(repeating: letter, count: count)).contains(.nameTooLong(count))
      }
    }
    expectLimit(4, "digits of a part") { IOSVersion("17." + String(repeating: "1", count: $0)) != nil }
    expectLimit(3, "parts") { IOSVersion(Array(repeating: "17", count: $0).joined(separator: ".")) != nil }
  }
}
