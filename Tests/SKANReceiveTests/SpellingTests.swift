import SKANBase
import SKANDevice
import SKANSigning
import TestSupport
import Testing

@testable import SKANReceive

@Suite("Spellings of what a receiver gets")
struct SpellingTests {
  private typealias RightAnswer = ReceiverDelivery.RightAnswer

  @Test("The statuses that each delivery may be answered with")
  func statuses() {
    let every: [Int?] = [nil, 100, 199, 200, 201, 202, 204, 299, 302, 399, 400, 404, 499, 500, 501, 502, 503]
    let client = [400, 404, 499]
    let right: [RightAnswer: [Int?]] = [
      .ok: [200], .refused: client, .okOrRefused: [200] + client, .refusedOrClosed: [nil] + client,
      .methodRefused: client + [501], .okOrMethodRefused: [200] + client + [501],
    ]
    for answer in RightAnswer.allCases { #expect(every.filter(answer.takes) == right[answer], "\(answer)") }
  }

  @Test("An identifier in either case is one postback, of each framework, and another one is not")
  func identifiers() throws {
    let id = "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d"
    let bodies: [(String) -> String] = [
      { #"{"version":"3.0","ad-network-id":"a.b","transaction-id":"\#($0)"}"# },
      { #"{"version":"4.0","ad-network-id":"a.b","postback-sequence-index":1,"transaction-id":"\#($0)"}"# },
      { id in
        let parts = [#"{"kid":"a","alg":"ES256"}"#, #"{"postback-identifier":"\#(id)"}"#].map {
          Base64URL.encode($0.utf8)
        }
        return #"{"jws-string":"\#(parts.joined(separator: ".")).AAAA"}"#
      },
    ]
    for body in bodies {
      let keys = try [id, id.uppercased(), id.capitalized, "1" + id.dropFirst()].map {
        PostbackIdentity(try PostbackDocument(Array(body($0).utf8)))
      }
      #expect(keys[0].key == keys[1].key && keys[0].key == keys[2].key && keys[0].key != keys[3].key, "\(body(id))")
    }
  }

  @Test("What a postback says, whatever the JSON types of its values")
  func facts() throws {
    let facts = { (members: String) in
      try PostbackFacts(
        PostbackDocument(Array(#"{"version":"4.0","app-id":5,"ad-network-id":"a.b",\#(members)}"#.utf8)))
    }
    for (value, texts) in [(true, ["true", "1", #""true""#]), (false, ["false", "0", #""false""#])] {
      for text in texts {
        #expect(try facts("\"did-win\":\(text)")?.hasWon == value)
        #expect(try facts("\"redownload\":\(text)")?.isRedownload == value)
      }
    }
    for window in 0...2 {
      for text in ["\(window)", "\"\(window)\"", "\(window).0"] {
        #expect(try facts("\"postback-sequence-index\":\(text)")?.window?.rawValue == window)
      }
    }
    #expect(try facts(#""postback-sequence-index":3"#)?.window == nil)
    for coarse in CoarseValue.allCases {
      for text in [coarse.rawValue, coarse.rawValue.uppercased(), coarse.rawValue.capitalized] {
        let facts = try #require(try facts(#""postback-sequence-index":1,"coarse-conversion-value":"\#(text)""#))
        #expect(ReceivedValue(facts).modelValue == .coarse(coarse, .p1), "\(text)")
      }
    }
  }

  private static let map = """
    network,identifier,from,until,campaign_id,campaign_name,country
    Example.SKAdNetwork,5239,2026-05-01,2026-05-31,c1,One,us
    example.skadnetwork,39,2026-05-01T00:00:00Z,2026-06-01T00:00:00Z,c2,"Two, ""2""\",US

    """

  @Test(
    "A campaign map in every spelling of a text of lines, with its columns in any order",
    arguments: LineSpelling.allCases)
  func campaigns(spelling: LineSpelling) throws {
    let read = { (text: String) in String(describing: try CampaignMap(spelling.apply(text), file: "m")) }
    let plain = String(describing: try CampaignMap(Array(Self.map.utf8), file: "m"))
    #expect(try read(Self.map) == plain)
    let turned = Self.map.replacing("network,identifier", with: "identifier,network")
      .replacing("Example.SKAdNetwork,5239", with: "5239,example.skadnetwork")
      .replacing("example.skadnetwork,39", with: "39,EXAMPLE.skadnetwork")
    #expect(try read(turned) == plain)
    // A date is the beginning of its day, and as an end that of the next one.
    for (date, instant) in [("2026-05-01", "2026-05-01T00:00:00Z"), ("2026-05-31", "2026-06-01T00:00:00Z")] {
      #expect(try read(Self.map.replacing("\(date),", with: "\(instant),")) == plain)
    }
  }
}
