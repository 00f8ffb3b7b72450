import SKANDevice
import SKANSigning
import Testing

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
