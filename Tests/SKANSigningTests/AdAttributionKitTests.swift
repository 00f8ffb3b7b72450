import Foundation
import SKANBase
import SKANDevice
import Testing

@testable import SKANSigning

/// Postbacks of AdAttributionKit in the form in which they arrive.
private struct Sample {
  var header = #"{"kid":"skan-simulated\/0","alg":"ES256"}"#
  var payload =
    #"{"postback-identifier":"0B1C2D3E-4F50-4A6B-8C7D-9E0F1A2B3C4D","publisher-item-identifier":1234567891,"#
    + #""marketplace-identifier":"com.apple.AppStore","impression-type":"app-impression","#
    + #""ad-network-identifier":"example.adattributionkit","did-win":true,"postback-sequence-index":0,"#
    + #""conversion-type":"download","source-identifier":"5239","advertised-item-identifier":9007199254740993}"#
  var members = #""ad-interaction-type":"click","conversion-value":24,"country-code":"US""#

  func jws() throws -> String {
    try SignatureTool.platform().jws(header: header, payload: payload, with: PrivateKey(pem: TestKeys.ecPrivate))
  }

  func body() throws -> String { #"{"jws-string":"\#(try jws())",\#(members)}"# }

  /// Apple's example, which a development key signed.
  static func apple() throws -> String { try ExamplePostbacks.text("aak-development.json") }

  /// Apple's example of a production postback, in its three editions: no published key signed it.
  static let unverifiable: [String] = {
    let jws =
      "eyJraWQiOiJhcHBsZS1jYXMtaWRlbnRpZmllci8wIiwiYWxnIjoiRVMyNTYifQ.eyJhZHZlcnRpc2VkLWl0ZW0taWRlbnRpZmllciI6Njg0OTM5"
      + "LCJjb252ZXJzaW9uLXR5cGUiOiJyZS1lbmdhZ2VtZW50IiwibWFya2V0cGxhY2UtaWRlbnRpZmllciI6ImNvbS5hcHBsZS5BcHBTdG9yZSIsIm"
      + "FkLW5ldHdvcmstaWRlbnRpZmllciI6InRlc3QuYWRhdHRyaWJ1dGlvbmtpdCIsImltcHJlc3Npb24tdHlwZSI6ImFwcC1pbXByZXNzaW9uIiwi"
      + "cG9zdGJhY2stc2VxdWVuY2UtaW5kZXgiOjAsInNvdXJjZS1pZGVudGlmaWVyIjoiODM0NCIsImRpZC13aW4iOnRydWUsInBvc3RiYWNrLWlkZW"
      + "50aWZpZXIiOiIzZjUwZmU1Ny0yOWFlLTQ4NjEtOGMwYi1hYzZhZGRkZmY3MmMiLCJwdWJsaXNoZXItaXRlbS1pZGVudGlmaWVyIjo1ODM4NDky"
      + "fQ.AemK1x2ahIPKOnFEEscG4wvipRtR1G6DzpNF4M4joPb8POIH4FJjm4VvcNgLXc9rWBrEDQPvDblduoc7MFcK5w"
    let body = #"{"ad-interaction-type":"click","jws-string":"\#(jws)","coarse-conversion-value":"medium""#
    return ["\(body)}", "\(body),\"country-code\":\"US\"}", "\(body),\"country-code\":\"MT\"}", jws]
  }()
}

@Suite("AdAttributionKit: check of postbacks", .enabled(if: TestKeys.canSign))
struct AdAttributionKitTests {
  private static let checker: PostbackChecker = {
    var keys = AdAttributionKitKeys()
    _ = (try? PublicKey(TestKeys.publicBase64)).map { keys.add($0, as: AdAttributionKitKeys.simulatedKeyID) }
    return PostbackChecker(keys: keys, tool: .platform())
  }()

  private static func verdict(_ text: String) throws -> PostbackVerdict {
    try checker.verdict(on: PostbackDocument(Array(text.utf8)))
  }

  private static func check(_ text: String) throws -> AdAttributionKitKeys.Check? {
    if case .adAttributionKit(_, let check) = try verdict(text).reason { check } else { nil }
  }

  private static let doesNotFit = SignatureVerdict.Fault.doesNotFit.message

  @Test("Apple's own example: by a development key, with or without the object around it, and no finding")
  func apples() throws {
    let body = try Sample.apple()
    let jws = try #require(JSONReader.read(Array(body.utf8)).value["jws-string"]?.text)
    for text in [body, jws, "\"\(jws)\"", " \(jws)\n", "\n \(body)\r\n"] {
      let verdict = try Self.verdict(text)
      #expect(verdict.outcome == .valid && verdict.isSimulated == false && verdict.findings.isEmpty, "\(text)")
      #expect(try Self.check(text) == .signed(.development))
      #expect(verdict.adAttributionKit?.text(of: .advertisedItemIdentifier) == "10738027756")
      #expect(verdict.adAttributionKit?.conversionType == .reEngagement)
    }
  }

  @Test("Apple's examples of production postbacks are signed by no published key")
  func unverifiable() throws {
    for text in Sample.unverifiable {
      #expect(try Self.check(text) == .refused(why: Self.doesNotFit, by: .apple), "\(text)")
      #expect(try Self.verdict(text).outcome == .invalid)
    }
  }

  @Test("Each claim altered, added and taken out: the signature does not fit")
  func claims() throws {
    let body = try Sample.apple()
    let jws = try #require(JSONReader.read(Array(body.utf8)).value["jws-string"]?.text)
    let parts = jws.split(separator: ".").map(String.init)
    let payload = try JSONReader.read(try #require(Base64URL.decode(parts[1].utf8))).value
    guard case .object(let members) = payload else {
      Issue.record("no object")
      return
    }
    var changed: [JSON] = [.object(members + [("version", .string("5.0"))])]
    for index in members.indices {
      var one = members
      switch one[index].value {
      case .integer(let number): one[index].value = .integer(number + 1)
      case .bool(let flag): one[index].value = .bool(!flag)
      default: one[index].value = .string("\(one[index].value.text ?? "")1")
      }
      changed.append(.object(one))
      one.remove(at: index)
      changed.append(.object(one))
    }
    #expect(Set(members.map(\.key)) == Set(AdAttributionKitField.signed.map(\.rawValue)) && changed.count == 21)
    for payload in changed {
      let text = Base64URL.encode(JSONWriter.text(payload).utf8)
      let altered = body.replacing(parts[1], with: text)
      #expect(try Self.check(altered) == .refused(why: Self.doesNotFit, by: .development), "\(payload)")
    }
    // The header is signed as it stands: another encoding of the same object is another text.
    for header in [
      #"{"kid":"apple-development-identifier/1","alg":"ES256"}"#,
      #"{"alg":"ES256","kid":"apple-development-identifier\/1"}"#,
    ] {
      let altered = body.replacing(parts[0], with: Base64URL.encode(header.utf8))
      #expect(try Self.check(altered) == .refused(why: Self.doesNotFit, by: .development))
    }
    for (kid, signer) in [
      ("apple-cas-identifier/0", AdAttributionKitKeys.Signer.apple), ("apple-development-identifier/0", .development),
    ] {
      let header = Base64URL.encode(#"{"kid":"\#(kid)","alg":"ES256"}"#.utf8)
      #expect(try Self.check(body.replacing(parts[0], with: header)) == .refused(why: Self.doesNotFit, by: signer))
    }
    let signature = parts[2].hasPrefix("b") ? "c" + parts[2].dropFirst() : "b" + parts[2].dropFirst()
    #expect(
      try Self.check(body.replacing(parts[2], with: signature)) == .refused(why: Self.doesNotFit, by: .development))
  }

  @Test("Each member beside the JWS altered, added and taken out: it verifies, and second it is a conflict")
  func members() throws {
    let body = try Sample.apple()
    for (old, new) in [
      (":24", ":63"), ("\"click\"", "\"view\""), ("\"US\"", "\"MT\""), (",\"conversion-value\":24", ""),
      (",\"ad-interaction-type\":\"click\"", ""), (",\"country-code\":\"US\"", ""),
      ("\"conversion-value\":24", "\"coarse-conversion-value\":\"high\""),
    ] {
      let altered = body.replacing(old, with: new)
      #expect(altered != body)
      #expect(try Self.check(altered) == .signed(.development), "\(old)")
      #expect(try Self.repetition(body, altered) == [[], [.transactionConflict]], "\(old)")
    }
    // Added on the way, null and in another order: a copy that says the same.
    for altered in [
      body.replacing("\"country-code\"", with: "\"ip\":\"192.0.2.1\",\"country-code\""),
      body.dropLast() + ",\"coarse-conversion-value\":null}",
    ] {
      #expect(try Self.repetition(body, altered).last?.contains(.transactionConflict) == false)
    }
  }

  /// The findings of postbacks that come one after another.
  private static func repetition(_ texts: String...) throws -> [[PostbackFinding.Code]] {
    var transactions = VerifiedTransactions()
    return try PostbackDocument.all(in: Array(texts.joined(separator: "\n").utf8)).map { document in
      var verdict = try checker.verdict(on: document)
      transactions.compare(&verdict, of: document)
      return verdict.findings.map(\.code).filter { $0 == .transactionConflict || verdict.repeated == nil }
    }
  }

  @Test("One's own key: simulated; 64-bit numbers, escaped slashes and unknown members are read")
  func own() throws {
    var sample = Sample()
    #expect(try Self.verdict(sample.body()).isSimulated == true)
    #expect(try Self.check(sample.body()) == .signed(.own))
    #expect(try Self.verdict(sample.body()).findings.isEmpty)
    #expect(try Self.verdict(sample.body()).adAttributionKit?.text(of: .advertisedItemIdentifier) == "9007199254740993")
    sample.header = #"{ "alg" : "ES256", "typ":"JWT", "kid" : "skan-simulated/0" }"#
    sample.payload = sample.payload.replacing("{", with: "{ \"new-claim\" : [1] ,")
    sample.members += ",\"ip\":\"192.0.2.1\""
    let verdict = try Self.verdict(sample.body())
    #expect(verdict.outcome == .valid && verdict.findings.map(\.code) == [.unknownClaims, .addedKeys])
    #expect(verdict.adAttributionKit?.headerType == "JWT")
    // Copies by another kind of key are separate, and the case of the identifier is not significant.
    let small = Sample(payload: Sample().payload.replacing("0B1C2D3E", with: "0b1c2d3e"))
    var transactions = VerifiedTransactions()
    let lines = try [Sample().body(), small.body()].joined(separator: "\n")
    let repeated = try PostbackDocument.all(in: Array(lines.utf8)).map { document -> Int? in
      var verdict = try Self.checker.verdict(on: document)
      transactions.compare(&verdict, of: document)
      #expect(verdict.findings.isEmpty)
      return verdict.repeated?.line
    }
    #expect(repeated == [nil, 1])
  }

  @Test("The other signature with the same r, which anyone can compute, verifies; it is the same postback")
  func negated() throws {
    let jws = try Sample().jws()
    let parts = jws.split(separator: ".").map(String.init)
    let numbers = try #require(Base64URL.decode(parts[2].utf8))
    let order: [UInt8] = [
      0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xBC, 0xE6, 0xFA, 0xAD, 0xA7,
      0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]
    var (rest, borrow) = ([UInt8](repeating: 0, count: 32), 0)
    for index in (0..<32).reversed() {
      let digit = Int(order[index]) - Int(numbers[32 + index]) - borrow
      (rest[index], borrow) = (UInt8(truncatingIfNeeded: digit), digit < 0 ? 1 : 0)
    }
    let other = "\(parts[0]).\(parts[1]).\(Base64URL.encode(numbers.prefix(32) + rest))"
    #expect(other != jws)
    #expect(try Self.check(other) == .signed(.own))
    #expect(try Self.repetition(jws, other) == [[], []])
  }

  @Test("Where no key is known, nothing is checked")
  func unknownKeys() throws {
    for header in [
      #"{"kid":"apple-cas-identifier/1","alg":"ES256"}"#, #"{"alg":"ES256"}"#, #"{"kid":5,"alg":"ES256"}"#,
    ] {
      let text = try Sample(header: header).body()
      #expect(try Self.check(text) == .unknownKey && Self.verdict(text).outcome == .notChecked, "\(header)")
    }
    var keys = AdAttributionKitKeys()
    let key = try PublicKey(TestKeys.publicBase64)
    for id in AdAttributionKitKeys.apples.keys {
      let isAdded = keys.add(key, as: id)
      #expect(!isAdded)
    }
    // Without cryptography only what needs none is known.
    let document = try PostbackDocument(Array(Sample.apple().utf8))
    #expect(throws: SigningError.toolMissing) { try PostbackChecker(tool: .missing).verdict(on: document) }
  }

  @Test("What is no JWS with ES256, and why")
  func faults() throws {
    let jws = try Sample().jws()
    let parts = jws.split(separator: ".").map(String.init)
    let (header, payload, signature) = (parts[0], parts[1], parts[2])
    let numbers = try #require(Base64URL.decode(signature.utf8))
    let der = Base64URL.encode(SignatureForm.der(ofNumbers: numbers))
    let encoded = { (text: String) in Base64URL.encode(text.utf8) }
    for (text, why) in [
      ("\(header).\(payload)", "a compact JWS has three parts, and this has 2"),
      ("\(jws).", "a compact JWS has three parts, and this has 4"),
      ("\(header).\(payload).", "its signature has 0 bytes, and one of ES256 has 64"),
      ("\(header)..\(signature)", "its payload is not a JSON object"),
      ("\(jws)==", "its signature is padded with \"=\", and a JWS has no padding"),
      ("\(header)=.\(payload).\(signature)", "its header is padded with \"=\", and a JWS has no padding"),
      (
        "\(header).\(payload).\(String(repeating: "+/", count: 43))",
        "its signature is in the standard alphabet of base64, and a JWS has that of base64url"
      ),
      ("\(header).\(payload).\(signature)AAA", "its signature is not base64url"),
      ("\(header).\(payload).\(der)", "its signature is in DER, and that of a JWS is the 64 bytes of r and s"),
      (
        "\(header).\(payload).\(Base64URL.encode(numbers + [0]))", "its signature has 65 bytes, and one of ES256 has 64"
      ),
      (
        "\(header).\(payload).\(String(repeating: "A", count: 86))",
        "the signature is not one on P-256: its number r is 0"
      ),
      ("\(encoded("{\"kid\"}")).\(payload).\(signature)", "its header is not a JSON object"),
      (
        "\(encoded("{\"kid\":\"a\"}")).\(payload).\(signature)",
        "its header must name the algorithm ES256: it has no \"alg\""
      ),
      (
        "\(encoded("{\"alg\":\"none\",\"kid\":\"a\"}")).\(payload).\(signature)",
        "its header must name the algorithm ES256: \"alg\" is \"none\""
      ),
      (
        "\(encoded("{\"alg\":\"es256\",\"kid\":\"a\"}")).\(payload).\(signature)",
        "its header must name the algorithm ES256: \"alg\" is \"es256\""
      ),
      (
        "\(encoded("{\"alg\":\"ES256\",\"kid\":\"a\",\"crit\":[\"b64\"]}")).\(payload).\(signature)",
        "its header demands an extension (\"crit\"), and Apple's has none"
      ),
      ("\(header).\(encoded("[1]")).\(signature)", "its payload is not a JSON object"),
    ] {
      for text in [text, #"{"jws-string":"\#(text)"}"#] {
        guard case .refused(why, _)? = try Self.check(text) else {
          Issue.record("\(text): \(why): \(String(describing: try Self.check(text)))")
          continue
        }
        #expect(try Self.verdict(text).outcome == .invalid)
      }
    }
    for (text, why) in [
      (#"{"jws-string":5}"#, "\"jws-string\" must be a string, this is a number"),
      (#"{"jws-string":null}"#, "\"jws-string\" must be a string, this is null"),
      (#"{"jws-string":""}"#, "a compact JWS has three parts, and this has 1"),
      (#"{"jws-string":"\#(jws)\n"}"#, "its signature is not base64url"),
      (#"{"jws-string":" \#(jws)"}"#, "its header is not base64url"),
    ] {
      #expect(try Self.check(text) == (text.contains("null") ? nil : .refused(why: why, by: nil)), "\(text)")
    }
    // The last character of a signature has four bits that belong to no byte.
    let last = try #require(signature.last)
    let next = try #require(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".split(separator: String(last)).last?.first)
    #expect(
      try Self.check(String(jws.dropLast()) + String(next)) == .refused(why: "its signature is not base64url", by: nil))
  }

  @Test(
    "What Apple's tables rule out is a finding beside the verdict",
    arguments: [
      ("\"conversion-value\":24", "\"conversion-value\":64", [PostbackFinding.Code.fieldForm]),
      (
        "\"conversion-value\":24", "\"coarse-conversion-value\":\"High\"",
        [.notBesideCoarse, .notOfTier1, .fieldForm, .notOfTier1]
      ),
      (
        "\"conversion-value\":24", "\"conversion-value\":24,\"coarse-conversion-value\":\"low\"",
        [.notBesideCoarse, .notOfTier1, .bothValues, .notOfTier1]
      ),
      ("\"conversion-value\":24", "\"conversion-valeu\":24", [.mistypedKey]),
      ("\"conversion-value\":24", "\"conversion-value\":null", [.nullField]),
      ("\"ad-interaction-type\":\"click\",", "", [.fieldMissing]),
      ("\"US\"", "\"us\"", [.fieldForm]), ("\"US\"", "\"ZZ\"", [.fieldForm]), ("\"US\"", "\"42\"", [.fieldForm]),
    ])
  func oddMembers(old: String, new: String, codes: [PostbackFinding.Code]) throws {
    let verdict = try Self.verdict(Sample().body().replacing(old, with: new))
    #expect(verdict.outcome == .valid && verdict.findings.map(\.code) == codes)
  }

  @Test(
    "The same of claims",
    arguments: [
      ("\"5239\"", "5239", [PostbackFinding.Code.fieldForm]), ("\"5239\"", "\"5\"", [.fieldForm]),
      ("\"did-win\":true", "\"did-win\":false", [.notOfNonWinner, .notOfNonWinner, .notOfNonWinner]),
      ("\"download\"", "\"reengagement\"", [.fieldForm]), ("\"download\"", "\"re-engagement\"", []),
      (
        "\"did-win\":true,\"postback-sequence-index\":0,\"conversion-type\":\"download\"",
        "\"did-win\":false,\"postback-sequence-index\":0,\"conversion-type\":\"re-engagement\"",
        [.notOfReEngagement, .notOfNonWinner, .notOfNonWinner, .notOfNonWinner]
      ),
      (
        "\"postback-sequence-index\":0", "\"postback-sequence-index\":1",
        [.notInLaterPostback, .notInLaterPostback, .notInLaterPostback, .notInLaterPostback]
      ),
      ("\"postback-sequence-index\":0", "\"postback-sequence-index\":3", [.fieldForm]),
      ("0B1C2D3E-", "", [.fieldForm]), ("1234567891", "-1", [.fieldForm]),
      ("\"publisher-item-identifier\":1234567891,", "", []),
      ("\"impression-type\":\"app-impression\",", "", [.fieldMissing]),
      ("example.adattributionkit", "Example.adattributionkit", [.fieldForm]),
      ("example.adattributionkit", "development.adattributionkit", [.networkOfOtherKey]),
    ])
  func oddClaims(old: String, new: String, codes: [PostbackFinding.Code]) throws {
    let sample = Sample(payload: Sample().payload.replacing(old, with: new))
    #expect(sample.payload != Sample().payload)
    let verdict = try Self.verdict(sample.body())
    #expect(verdict.outcome == .valid)
    let found: [String] = verdict.findings.map(\.code.rawValue)
    #expect(found.sorted() == codes.map(\.rawValue).sorted())
  }
}

@Suite("AdAttributionKit: what contradicts Apple's tables, signed with one's own key", .enabled(if: TestKeys.canSign))
struct AdAttributionKitContradictionTests {
  private static let checker: PostbackChecker = {
    var keys = AdAttributionKitKeys()
    for id in [AdAttributionKitKeys.simulatedKeyID, "example.adattributionkit"] {
      _ = (try? PublicKey(TestKeys.publicBase64)).map { keys.add($0, as: id) }
    }
    return PostbackChecker(keys: keys, tool: .platform())
  }()

  private static func verdict(_ sample: Sample) throws -> PostbackVerdict {
    try checker.verdict(on: PostbackDocument(Array(sample.body().utf8)))
  }

  /// A postback of tier 1 without publisher and country.
  private static let tier1: Sample = {
    var sample = Sample(members: #""ad-interaction-type":"click","coarse-conversion-value":"low""#)
    sample.payload = sample.payload.replacing("\"5239\"", with: "\"39\"")
      .replacing(#""publisher-item-identifier":1234567891,"#, with: "")
    return sample
  }()

  @Test("Publisher and country are of first postbacks of tier 3 that won, and of no other")
  func tier3() throws {
    #expect(try Self.verdict(Self.tier1).findings.isEmpty)
    let publisher = #"{"publisher-item-identifier":5,"#
    for (context, code) in [
      (("", ""), PostbackFinding.Code.notOfTier1),
      (("\"postback-sequence-index\":0", "\"postback-sequence-index\":1"), .notInLaterPostback),
      (("\"postback-sequence-index\":0", "\"postback-sequence-index\":2"), .notInLaterPostback),
      (("\"did-win\":true", "\"did-win\":false"), .notOfNonWinner),
    ] {
      var sample = Self.tier1
      if !context.0.isEmpty { sample.payload = sample.payload.replacing(context.0, with: context.1) }
      if code == .notOfNonWinner { sample.members = #""ad-interaction-type":"click""# }
      #expect(try Self.verdict(sample).findings.isEmpty, "\(code)")
      for withCountry in [true, false] {
        var odd = sample
        if withCountry {
          odd.members += ",\"country-code\":\"US\""
        } else {
          odd.payload = publisher + odd.payload.dropFirst()
        }
        let verdict = try Self.verdict(odd)
        #expect(verdict.outcome == .valid && verdict.findings.map(\.code) == [code])
        let name = withCountry ? "country-code" : "publisher-item-identifier"
        #expect(verdict.findings.first?.note.message.hasPrefix("\"\(name)\" is ") == true)
      }
    }
  }

  @Test("The network of the tool in a phone's settings has a key of its own")
  func networks() throws {
    let sample = Sample()
    for (kid, network, isOdd) in [
      ("apple-cas-identifier/0", "development.adattributionkit", true),
      ("apple-development-identifier/0", "development.adattributionkit", true),
      ("apple-development-identifier/1", "development.adattributionkit", false),
      ("apple-development-identifier/1", "example.adattributionkit", true),
      ("apple-cas-identifier/0", "example.adattributionkit", false),
      ("apple-development-identifier/0", "example.adattributionkit", false),
      ("skan-simulated/0", "development.adattributionkit", true),
    ] {
      let odd = Sample(
        header: #"{"kid":"\#(kid)","alg":"ES256"}"#,
        payload: sample.payload.replacing("example.adattributionkit", with: network))
      let codes = try Self.verdict(odd).findings.map(\.code)
      #expect(codes == (isOdd ? [.networkOfOtherKey] : []), "\(kid) \(network)")
    }
  }

  @Test("The JWS of an impression is not a postback, even if its network's key is known and it verifies")
  func impressions() throws {
    for kid in ["example.adattributionkit", "unknown.adattributionkit"] {
      let sample = Sample(
        header: #"{"alg":"ES256","kid":"\#(kid)"}"#,
        payload:
          #"{"impression-identifier":"0B1C2D3E-4F50-4A6B-8C7D-9E0F1A2B3C4D","publisher-item-identifier":5,"#
          + #""impression-type":"app-impression","ad-network-identifier":"\#(kid)","source-identifier":5239,"#
          + #""timestamp":1700000000000,"advertised-item-identifier":6}"#)
      let verdict = try Self.checker.verdict(on: PostbackDocument(Array(sample.jws().utf8)))
      guard case .adAttributionKit(let postback, .impression) = verdict.reason else {
        Issue.record("\(verdict.reason)")
        continue
      }
      #expect(verdict.outcome == .notChecked && verdict.findings.isEmpty && postback.isImpression)
      #expect(postback.impressionIdentifier == "0B1C2D3E-4F50-4A6B-8C7D-9E0F1A2B3C4D")
    }
  }
}

@Suite("The two forms of a signature")
struct SignatureNumbersTests {
  @Test("The numbers r and s as DER and back, with and without a sign and zeros in front")
  func forms() {
    let bytes: [[UInt8]] = [
      [1], [0x7F], [0x80], [0xFF] + [UInt8](repeating: 0, count: 31), [UInt8](repeating: 0xFF, count: 32),
    ]
    for r in bytes {
      for s in bytes {
        let numbers = [r, s].flatMap { [UInt8](repeating: 0, count: 32 - $0.count) + $0 }
        let der = SignatureForm.der(ofNumbers: numbers)
        #expect(SignatureForm.fault(der) == nil && SignatureForm.numbers(of: der) == numbers)
      }
    }
    #expect(SignatureForm.der(ofNumbers: [UInt8](repeating: 0, count: 64)) == [0x30, 6, 2, 1, 0, 2, 1, 0])
  }

  @Test(
    "What we sign, openssl alone verifies; what it signs, we verify",
    .enabled(if: OpenSSL.isInstalled && TestKeys.canSign))
  func openSSL() throws {
    for _ in 0..<20 {
      let parts = try Sample().jws().split(separator: ".").map(String.init)
      let message = Data("\(parts[0]).\(parts[1])".utf8)
      let numbers = try #require(Base64URL.decode(parts[2].utf8))
      let files = [
        "m": message, "s": Data(SignatureForm.der(ofNumbers: numbers)), "p.pem": Data(TestKeys.publicPEM.utf8),
      ]
      let run = try OpenSSL.run(["dgst", "-sha256", "-verify", "p.pem", "-signature", "s", "m"], files: files)
      #expect(run.code == 0 && String(decoding: run.output, as: UTF8.self) == "Verified OK\n")
    }
    for number in 0..<20 {
      let message = Data("header.\(number)".utf8)
      let signed = try OpenSSL.run(
        ["dgst", "-sha256", "-sign", "k.pem", "m"], files: ["m": message, "k.pem": Data(TestKeys.ecPrivate.utf8)])
      let numbers = SignatureForm.numbers(of: Array(signed.output))
      #expect(numbers.count == 64)
      let key = try PublicKey(TestKeys.publicBase64)
      #expect(try SignatureTool.platform().verifyES256(Array(message), signature: numbers, by: key) == .valid)
      #expect(try SignatureTool.platform().verifyES256([1], signature: numbers, by: key) == .invalid(.doesNotFit))
    }
  }
}
