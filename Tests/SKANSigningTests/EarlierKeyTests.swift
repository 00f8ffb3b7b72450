import Foundation
import SKANBase
import SKANDevice
import Testing

@testable import SKANSigning

/// A genuine postback of version 1.0, which Apple signed on P-192.
@Suite("Apple's key of versions 1.0 and 2.0", .enabled(if: TestKeys.canSign))
struct EarlierKeyTests {
  private static let genuine =
    #"{"version":"1.0","ad-network-id":"su67r6k2v3.skadnetwork","campaign-id":51,"app-id":1176027022,"#
    + #""transaction-id":"583e867c-0bc5-4980-8766-6d8cf992f24a","redownload":false,"#
    + #""attribution-signature":"MDMCGELMEaJCS0y1JXqjZujcMXdJel8boLV6PAIXFNKYjzROJY2CxAmU+HoPQfTJCyjoS6k="}"#

  private static func verdict(
    _ text: String, _ checker: PostbackChecker = PostbackChecker(tool: .platform())
  ) throws -> PostbackVerdict {
    try checker.verdict(on: PostbackDocument(Array(text.utf8)))
  }

  @Test("A genuine postback of version 1.0 is valid, with or without the fields that no signature of it covers")
  func genuine() throws {
    for text in [
      Self.genuine, Self.genuine.replacing(#""version":"1.0","#, with: "").replacing(#""redownload":false,"#, with: ""),
      Self.genuine.replacing(#""redownload":false"#, with: #""redownload":true"#),
    ] {
      let verdict = try Self.verdict(text)
      #expect(verdict.outcome == .valid && verdict.isSimulated == false && verdict.findings.isEmpty, "\(text)")
      #expect(verdict.postback?.text(of: .appID) == "1176027022")
    }
  }

  @Test("Each signed field altered: invalid; another signature: invalid")
  func altered() throws {
    for (old, new) in [
      ("su67r6k2v3", "su67r6k2v4"), (":51", ":52"), ("1176027022", "1176027023"), ("583e867c", "583e867d"),
      ("MDMCGELM", "MDMCGELN"),
      // A signature on P-256.
      (
        "MDMCGELMEaJCS0y1JXqjZujcMXdJel8boLV6PAIXFNKYjzROJY2CxAmU+HoPQfTJCyjoS6k=",
        "MEUCIGRmSMrqedNu6uaHyhVcifs118R5z/AB6cvRaKrRRHWRAiEAv96ne3dKQ5kJpbsfk4eYiePmrZUU6sQmo+7zfP/1Bxo="
      ),
    ] {
      let text = Self.genuine.replacing(old, with: new)
      #expect(text != Self.genuine)
      #expect(try Self.verdict(text).outcome == .invalid, "\(old)")
    }
  }

  @Test("A postback of 2.0 that does not fit is not called invalid: none that fits is published")
  func version2() throws {
    for text in [
      try ExamplePostbacks.text("simulated-2.0.json"),
      Self.genuine.replacing(#""version":"1.0""#, with: #""version":"2.0""#),
    ] {
      guard case .signedByEarlierKey = try Self.verdict(text).reason else {
        Issue.record("\(text)")
        continue
      }
    }
  }

  @Test("Where nothing has the curve it is not checked; an interrupt is none of that")
  func missing() throws {
    for error in [SigningError.toolMissing, .toolFailed("no curve"), .key(.refused("no curve"))] {
      let tool = SignatureTool(
        signMessage: { (_, _) throws(SigningError) in throw error },
        verifyMessage: { (_, _, _) throws(SigningError) in throw error })
      let verdict = try Self.verdict(Self.genuine, PostbackChecker(tool: tool))
      guard case .signedByEarlierKey = verdict.reason else {
        Issue.record("\(verdict.reason)")
        continue
      }
      #expect(verdict.outcome == .notChecked && verdict.postback?.text(of: .adNetworkID) == "su67r6k2v3.skadnetwork")
    }
    let interrupted = SignatureTool(
      signMessage: { (_, _) throws(SigningError) in throw .interrupted },
      verifyMessage: { (_, _, _) throws(SigningError) in throw .interrupted })
    #expect(throws: SigningError.interrupted) {
      try Self.verdict(Self.genuine, PostbackChecker(tool: interrupted))
    }
  }

  @Test("By the tester's key it is simulated, as every other version")
  func own() throws {
    let signed = ["su67r6k2v3.skadnetwork", "51", "1176027022", "583e867c-0bc5-4980-8766-6d8cf992f24a"]
    let tool = SignatureTool.platform()
    let signature = try tool.sign(
      Array(signed.joined(separator: "\u{2063}").utf8), with: PrivateKey(pem: TestKeys.ecPrivate))
    let start = try #require(Self.genuine.range(of: "MDMC"))
    let text = Self.genuine[..<start.lowerBound] + signature + "\"}"
    let key = try PublicKey(TestKeys.publicBase64)
    #expect(try Self.verdict(String(text), PostbackChecker(key: key, tool: tool)).isSimulated == true)
    #expect(try Self.verdict(String(text)).outcome == .invalid)
  }
}
