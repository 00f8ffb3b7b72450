import Foundation
import SKANBase
import SKANDevice
import SKANSigning
import TestSupport
import Testing

@Suite("Check of postbacks")
struct PostbackCheckerTests {
  private static let whole =
    #"{"version":"2.1","ad-network-id":"com.example","campaign-id":4,"app-id":5,"redownload":true,"#
    + #""transaction-id":"0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d","attribution-signature":"AAAA"}"#

  private static func verdict(_ text: String, _ checker: PostbackChecker) throws -> PostbackVerdict {
    try checker.verdict(on: PostbackDocument(Array(text.utf8)))
  }

  @Test(
    "By the key that signed it a postback is valid and simulated, by Apple's it is not", .enabled(if: TestKeys.canSign))
  func keys() throws {
    let key = try PublicKey(ExamplePostbacks.text("simulated-public.pem"))
    let tool = SignatureTool.platform()
    let first = try ExamplePostbacks.text("simulated-4.0-first.json")
    let valid = try Self.verdict(first, PostbackChecker(key: key, tool: tool))
    #expect(valid.outcome == .valid && valid.isSimulated == true && valid.findings.isEmpty)
    let refused = try Self.verdict(first, PostbackChecker(tool: tool))
    guard case .refused(.doesNotFit, isApples: true) = refused.reason else {
      Issue.record("\(refused.reason)")
      return
    }
    #expect(refused.outcome == .invalid && refused.isSimulated == nil)
    // Version 2.0 had another key of Apple's.
    let early = try ExamplePostbacks.text("simulated-2.0.json")
    #expect(try Self.verdict(early, PostbackChecker(key: key, tool: tool)).outcome == .valid)
    guard case .signedByEarlierKey = try Self.verdict(early, PostbackChecker(tool: .missing)).reason else {
      Issue.record("another key signed it")
      return
    }
  }

  @Test("What needs no signature is said where nothing can check one; what needs one is an error")
  func noTool() throws {
    let checker = PostbackChecker(tool: .missing)
    for (text, outcome) in [
      (Self.whole.replacing("attribution-signature", with: "ip"), PostbackVerdict.Outcome.notChecked),
      (#"{"jws-string":"no.thing"}"#, .invalid), ("{}", .malformed), ("[1]", .malformed),
      // No signature can be of these fields.
      (Self.whole.replacing(#""redownload":true,"#, with: ""), .invalid),
      // Not an ECDSA signature.
      (Self.whole, .invalid),
    ] {
      #expect(try Self.verdict(text, checker).outcome == outcome, "\(text)")
    }
    let genuine = try ExamplePostbacks.text("apple-4.0-fine.json")
    #expect(throws: SigningError.toolMissing) { try Self.verdict(genuine, checker) }
  }

  @Test("Findings and problems have their locations in the text, of several lines too")
  func locations() throws {
    let checker = PostbackChecker(tool: .missing)
    let text = "{}\n\n" + Self.whole.replacing("\"campaign-id\":4", with: "\"campaign-id\":101") + "\n"
    let documents = try PostbackDocument.all(in: Array(text.utf8))
    #expect(documents.map(\.line) == [1, 3])
    let (first, second) = (try checker.verdict(on: documents[0]), try checker.verdict(on: documents[1]))
    #expect(first.problems.map(\.location.line) == [1] && first.postback == nil)
    #expect(second.findings.map(\.code) == [.fieldForm])
    #expect(second.findings.map(\.note.location.line) == [3] && second.findings.map(\.note.location.column) == [62])
  }

  @Test("Which text is one postback, and which is one a line")
  func documents() throws {
    let jws = "eyJhbGciOiJFUzI1NiJ9.eyJhZC1uZXR3b3JrLWlkZW50aWZpZXIiOiJjb20uZXhhbXBsZSJ9.c2ln"
    for (text, count) in [
      ("{\n}", 1), ("{}", 1), ("{}\n{}\n", 2), ("\(jws)\n", 1), ("\(jws)\n{}\n\n\"\(jws)\"\n", 3), ("\n{}\r\n", 1),
    ] {
      #expect(try PostbackDocument.all(in: Array(text.utf8)).count == count, "\(text)")
    }
    let verdict = try Self.verdict("\(jws)\n", PostbackChecker(tool: .missing))
    guard case .adAttributionKit(let other, _) = verdict.reason else {
      Issue.record("\(verdict.reason)")
      return
    }
    #expect(other.text(of: .adNetworkIdentifier) == "com.example" && other.keyID == nil)
    #expect(other[.postbackIdentifier] == nil)
    // A header may have a blank behind its brace, or a key that does not begin with a letter.
    for header in ["eyAiYWxnIjoiRVMyNTYifQ", "ewogImFsZyI6IkVTMjU2In0", "eyIxIjoyfQ", "ew0KImEiOjF9", "ewkiYSI6MX0"] {
      #expect(try PostbackDocument(Array("\(header).e30.AAAA".utf8)).adAttributionKit != nil, "\(header)")
    }
    for text in ["eyJhIjox", "hello.a.b", "eyJ a.b.c", "eyJ\u{E9}.b.c"] {
      #expect(throws: SourceNotes.self) { try PostbackDocument(Array(text.utf8)) }
    }
    #expect { try PostbackDocument.all(in: Array("{}\n{,}\nx".utf8)) } throws: { error in
      (error as? SourceNotes)?.notes.map(\.location.line) == [2, 3]
    }
  }

  @Test("A transaction id that an earlier valid postback has is reported", .enabled(if: TestKeys.canSign))
  func transactions() throws {
    let checker = PostbackChecker(
      key: try PublicKey(ExamplePostbacks.text("simulated-public.pem")), tool: .platform())
    let first = try ExamplePostbacks.text("simulated-4.0-first.json")
    let forged = first.replacing("525463029", with: "525463028")
    let altered = first.replacing("\"conversion-value\":12", with: "\"conversion-value\":63")
    #expect(forged != first && altered != first)
    var transactions = VerifiedTransactions()
    let text = [forged, first, first, altered].map { $0.replacing("\n", with: "") }.joined(separator: "\n")
    let verdicts = try PostbackDocument.all(in: Array(text.utf8)).map { document in
      var verdict = try checker.verdict(on: document)
      transactions.compare(&verdict, of: document)
      return verdict
    }
    #expect(verdicts.map(\.repeated?.line) == [nil, nil, 2, 2])
    #expect(verdicts.map { $0.findings.map(\.code) } == [[], [], [], [.transactionConflict]])
  }
}

@Suite("Check of postbacks: Apple's own signatures", .enabled(if: TestKeys.canSign))
struct GenuinePostbackTests {
  private static let checker = PostbackChecker(tool: .platform())

  private static func with(_ members: String, in sample: String) -> String { sample.dropLast() + ",\(members)}" }

  /// The outcome, and the codes of the findings.
  private static func verdict(_ text: String) throws -> (PostbackVerdict.Outcome, [PostbackFinding.Code]) {
    let verdict = try checker.verdict(on: PostbackDocument(Array(text.utf8)))
    return (verdict.outcome, verdict.findings.map(\.code))
  }

  @Test("As Apple publishes them")
  func samples() throws {
    let samples = try ExamplePostbacks.apple()
    #expect(samples.count == 6)
    for (number, sample) in samples.enumerated() {
      #expect(try Self.verdict(sample) == (.valid, []), "\(number)")
    }
    let documents = try PostbackDocument.all(in: Array(samples.joined(separator: "\n").utf8))
    var transactions = VerifiedTransactions()
    let codes = try documents.map { document in
      var verdict = try Self.checker.verdict(on: document)
      transactions.compare(&verdict, of: document)
      #expect(verdict.isSimulated == false)
      return verdict.findings.map(\.code)
    }
    // The samples of 3.0, 2.2 and 2.1 have one transaction id and say different things.
    #expect(codes == [[], [], [], [], [.transactionConflict], [.transactionConflict]])
  }

  @Test("As networks forward them: genuine, whatever was added")
  func forwarded() throws {
    let samples = try ExamplePostbacks.apple()
    for sample in samples {
      let added = Self.with(
        #""ip":"192.0.2.1","timestamp":"1790000000","ad-network-campaign-id":"7","adjust-campaign":{"id":[1]},"test":null"#,
        in: sample)
      #expect(try Self.verdict(added) == (.valid, [.addedKeys]))
    }
    let nulls = Self.with(#""source-app-id":null,"conversion-value":null"#, in: samples[3])
    #expect(try Self.verdict(nulls) == (.valid, [.nullField, .nullField]))
    let texts = samples[4].replacing("525463029", with: "\"525463029\"").replacing(":true", with: ":1")
    #expect(try Self.verdict(texts) == (.valid, [.fieldForm, .fieldForm]))
    let upper = samples[1].replacing("\"high\"", with: "\"HIGH\"")
    #expect(try Self.verdict(upper) == (.valid, [.fieldForm]))
    for zeros in ["0", "\"0000000000\"", "\"\""] {
      let filled = Self.with("\"source-app-id\":\(zeros)", in: samples[3])
      let (outcome, codes) = try Self.verdict(filled)
      #expect(outcome == .valid && codes.contains(.sourceFilledIn))
    }
  }

  @Test("What contradicts Apple's tables and is not signed is a finding; what is signed and altered does not verify")
  func contradictions() throws {
    let samples = try ExamplePostbacks.apple()
    for (text, codes) in [
      (
        Self.with(#""coarse-conversion-value":"low""#, in: samples[0]),
        [PostbackFinding.Code.notBesideCoarse, .bothValues]
      ),
      (Self.with(#""conversion-value":5"#, in: samples[3]), [.notOfNonWinner]),
      (
        samples[0].replacing(#""conversion-value":63"#, with: #""coarse-conversion-value":"low""#),
        [.notBesideCoarse]
      ),
    ] {
      let (outcome, found) = try Self.verdict(text)
      #expect(outcome == .valid && Set(found) == Set(codes), "\(found)")
    }
    for (old, new) in [
      ("\"source-domain\":\"example.com\"", "\"source-domain\":\"example.net\""), ("\"did-win\":true", "\"did-win\":0"),
      (",\"redownload\":false", ""), ("\"5239\"", "\"523\""), ("\"source-domain\":\"example.com\",", ""),
    ] {
      let altered = samples[0].replacing(old, with: new)
      #expect(try altered != samples[0] && Self.verdict(altered).0 == .invalid, "\(new)")
    }
    // The two values would have the same text.
    let moved = samples[2].replacing(
      #""source-app-id":1234567891,"fidelity-type":1"#, with: "\"fidelity-type\":1234567891"
    )
    .replacing(#""did-win":true"#, with: "\"did-win\":\"1\u{2063}true\"")
    #expect(try Self.verdict(moved).0 == .invalid)
  }
}

/// The postbacks of `fixtures/postbacks`.
enum ExamplePostbacks {
  /// Apple's published samples: 4.0 with a fine value, 4.0 with a coarse one, 3.0, 3.0 that did not win, 2.2, 2.1.
  static func apple() throws -> [String] {
    try ["4.0-fine", "4.0-coarse", "3.0", "3.0-not-won", "2.2", "2.1"].map { try text("apple-\($0).json") }
  }

  /// A text of the folder, without the end of its last line.
  static func text(_ name: String) throws -> String {
    let file = Checkout.fixtures.appending(path: "postbacks").appending(path: name)
    return try String(contentsOf: file, encoding: .utf8).trimmingCharacters(in: .newlines)
  }
}
