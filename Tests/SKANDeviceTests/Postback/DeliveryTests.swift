import SKANBase
import Testing

@testable import SKANDevice

@Suite("Attempts to deliver a postback")
struct DeliveryTests {
  private static let postback: Postback? = {
    var life = Life()
    for hours in [0.0, 50, 200] { life.update(1, .low, at: hours) }
    return life.postbacks(at: 1000).first
  }()

  private static func attempt(
    _ id: String, _ window: ConversionWindow = .p0, _ recipient: Delivery.Recipient = .network, status: Int64 = 200
  ) -> Delivery {
    Delivery(
      at: h(80), transactionID: id, window: window, recipient: recipient, url: "http://localhost/",
      result: .answered(status: status))
  }

  @Test("An attempt counts for the postback of its transaction, window and recipient, and for no other")
  func whose() throws {
    let postback = try #require(Self.postback)
    let departure = try #require(postback.sendsAt)
    let id = try #require(postback.content?.transactionID)
    let other = id.reversed().map(String.init).joined()
    func next(_ attempts: [Delivery], _ recipient: Delivery.Recipient = .network) -> Double? {
      Delivery.nextAttempt(of: postback, to: recipient, after: attempts)?.since(departure).seconds
    }
    #expect(next([]) == 0 && next([Self.attempt(id)]) == nil)
    for foreign in [Self.attempt(other), Self.attempt(id, .p1), Self.attempt(id, .p0, .developer), Self.attempt("")] {
      #expect(!foreign.isOf(postback) || foreign.recipient == .developer)
      #expect(next([foreign]) == 0)
    }
    #expect(next([Self.attempt(id, .p0, .developer)], .developer) == nil)
  }

  @Test("After each attempt that did not arrive a day passes; after the tenth it is given up")
  func retries() throws {
    let postback = try #require(Self.postback)
    let departure = try #require(postback.sendsAt)
    let failed = Self.attempt(try #require(postback.content?.transactionID), status: 503)
    for count in 0..<12 {
      let next = Delivery.nextAttempt(of: postback, to: .network, after: Array(repeating: failed, count: count))
      #expect(next.map { $0.since(departure).seconds } == (count < 10 ? Double(count) * 86_400 : nil))
    }
  }
}

@Suite("The signed text")
struct SignedTextTests {
  static let start =
    #""ad-network-id":"abc123.skadnetwork","app-id":7,"transaction-id":"0B1C2D3E-4F50-4a6b-8c7d-9e0f1a2b3c4d","redownload""#
  static let id = "0B1C2D3E-4F50-4a6b-8c7d-9e0f1a2b3c4d"

  static func read(_ json: String) throws -> ReceivedPostback {
    try ReceivedPostback.read(JSONReader.read(Array(json.utf8))).get()
  }

  @Test(
    "Byte by byte: values in the version's order, joined by E2 81 A3; what is absent is left out with its separator",
    arguments: [
      (
        #"{\#(start):false,"version":"4.0","source-identifier":"5239","source-app-id":1234567891,"fidelity-type":1,"did-win":true,"postback-sequence-index":0,"conversion-value":63}"#,
        "4.0|abc123.skadnetwork|5239|7|\(id)|false|1234567891|1|true|0"
      ),
      (
        #"{\#(start):true,"version":"4.0","source-identifier":"523","source-domain":"example.com","fidelity-type":0,"did-win":true,"postback-sequence-index":0}"#,
        "4.0|abc123.skadnetwork|523|7|\(id)|true|example.com|0|true|0"
      ),
      (
        #"{\#(start):false,"version":"4.0","source-identifier":"09","fidelity-type":1,"did-win":true,"postback-sequence-index":2,"coarse-conversion-value":"high","country-code":"US"}"#,
        "4.0|abc123.skadnetwork|09|7|\(id)|false|1|true|2"
      ),
      (
        #"{\#(start):false,"version":"3.0","campaign-id":42,"source-app-id":0,"fidelity-type":1,"did-win":true,"conversion-value":0}"#,
        "3.0|abc123.skadnetwork|42|7|\(id)|false|0|1|true"
      ),
      (
        #"{\#(start):false,"version":"3.0","campaign-id":100,"fidelity-type":0,"did-win":false}"#,
        "3.0|abc123.skadnetwork|100|7|\(id)|false|0|false"
      ),
      (
        #"{\#(start):true,"version":"2.2","campaign-id":1,"source-app-id":9223372036854775807,"fidelity-type":0}"#,
        "2.2|abc123.skadnetwork|1|7|\(id)|true|9223372036854775807|0"
      ),
      (
        #"{\#(start):true,"version":"2.2","campaign-id":1,"fidelity-type":1,"conversion-value":5}"#,
        "2.2|abc123.skadnetwork|1|7|\(id)|true|1"
      ),
      (
        #"{\#(start):true,"version":"2.1","campaign-id":42,"source-app-id":8}"#,
        "2.1|abc123.skadnetwork|42|7|\(id)|true|8"
      ),
      (#"{\#(start):false,"version":"2.0","campaign-id":42}"#, "2.0|abc123.skadnetwork|42|7|\(id)|false"),
    ])
  func canonical(json: String, expected: String) throws {
    let content = try Self.read(json)
    let bytes = expected.utf8.flatMap { $0 == UInt8(ascii: "|") ? [0xE2, 0x81, 0xA3] : [$0] }
    #expect(Array(content.signedText.utf8) == bytes)
    #expect(content.signedValues == expected.split(separator: "|").map(String.init))
    #expect(content.obstacle == nil && content.signedTextWithoutSource == nil || json.contains("\"source-app-id\":0,"))
  }

  @Test(
    "What stands there in another JSON type has the same text",
    arguments: [
      ("app-id", "\"7\""), ("app-id", "7.0"), ("redownload", "1"), ("redownload", "\"true\""), ("campaign-id", "\"1\""),
      ("fidelity-type", "\"1\""), ("version", "2.2"), ("source-app-id", "null"), ("conversion-value", "\"five\""),
    ])
  func otherTypes(key: String, value: String) throws {
    let json = #"{\#(Self.start):true,"version":"2.2","campaign-id":1,"fidelity-type":1}"#
    #expect(try Self.read(PostbackReadTests.with(key, value, in: json)).signedText == Self.read(json).signedText)
  }

  @Test(
    "A source that stands for none is signed as it stands, or not at all",
    arguments: ["0", "\"0\"", "\"0000\"", "\"\""])
  func sourceOfZeros(value: String) throws {
    let none = #"{\#(Self.start):true,"version":"2.2","campaign-id":1,"fidelity-type":1}"#
    let json = try PostbackReadTests.with("source-app-id", value, in: none)
    #expect(try Self.read(json).signedText != Self.read(none).signedText)
    #expect(try Self.read(json).signedTextWithoutSource == Self.read(none).signedText)
    #expect(try Self.read(PostbackReadTests.with("source-app-id", "10", in: none)).signedTextWithoutSource == nil)
  }

  @Test("What is not covered")
  func unsigned() throws {
    let content = try Self.read(
      #"{\#(Self.start):false,"version":"4.0","source-identifier":"09","fidelity-type":1,"did-win":true,"postback-sequence-index":0,"coarse-conversion-value":"low","country-code":"DE"}"#
    )
    #expect(content.unsignedValues.map(\.field) == [.coarseConversionValue, .countryCode])
    #expect(
      content.signedText == "4.0|abc123.skadnetwork|09|7|\(Self.id)|false|1|true|0".replacing("|", with: "\u{2063}"))
  }

  @Test("The body that leaves, exactly")
  func body() {
    var life = Life { $0.settings.delayDistribution = .earliest }
    life.update(20, .medium, at: 0)
    life.update(21, .low, at: 50)
    let ids = life.postbacks(at: 0).map { $0.content?.transactionID ?? "" }
    #expect(
      life.postbacks(at: 0).map(\.bodyText) == [
        #"{"ad-network-id":"com.example","app-id":525463029,"conversion-value":20,"did-win":true,"fidelity-type":1,"#
          + #""postback-sequence-index":0,"redownload":false,"source-app-id":1234567891,"source-identifier":"5239","#
          + #""transaction-id":"\#(ids[0])","version":"4.0"}"#,
        #"{"ad-network-id":"com.example","app-id":525463029,"coarse-conversion-value":"low","did-win":true,"#
          + #""fidelity-type":1,"postback-sequence-index":1,"redownload":false,"source-identifier":"39","#
          + #""transaction-id":"\#(ids[1])","version":"4.0"}"#,
        "-",
      ])
    for (version, more) in [
      ("3.0", #","did-win":true,"fidelity-type":1"#), ("2.2", #","fidelity-type":1"#), ("2.1", ""), ("2.0", ""),
    ] {
      var old = Life.old(version)
      old.update(20, at: 0)
      let id = old.postbacks(at: 0)[0].content?.transactionID ?? ""
      #expect(
        old.postbacks(at: 0)[0].bodyText
          == #"{"ad-network-id":"com.example","app-id":525463029,"campaign-id":42,"conversion-value":20\#(more),"#
          + #""redownload":false,"source-app-id":1234567891,"transaction-id":"\#(id)","version":"\#(version)"}"#)
    }
  }
}
