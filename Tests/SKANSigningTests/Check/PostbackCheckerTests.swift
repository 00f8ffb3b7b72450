import SKANDevice
import SKANSigning
import SKANBase
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
      (#"{"jws-string":"no.thing"}"#, .notChecked), ("{}", .malformed), ("[1]", .malformed),
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
    guard case .adAttributionKit(let other) = verdict.reason else {
      Issue.record("\(verdict.reason)")
      return
    }
    #expect(other.networkID == "com.example" && other.postbackID == nil && other.keyID == nil)
    // A header may have a blank behind its brace, or a key that does not begin with a letter.
    for header in ["eyAiYWxnIjoiRVMyNTYifQ", "ewogImFsZyI6IkVTMjU2In0", "eyIxIjoyfQ", "ew0KImEiOjF9", "ewkiYSI6MX0"] {
      #expect(try PostbackDocument(Array("\(header).e30.AAAA".utf8)).adAttributionKit != nil, "\(header)")
    }
    for text in ["eyJ.a.b.c", "eyJ..b", "hello.a.b", "eyJ a.b.c"] {
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
