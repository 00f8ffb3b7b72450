import Foundation
import SKANBase
import SKANDevice
import Testing

@testable import SKANSigning

@Suite("Postbacks as texts, at their edges")
struct DocumentEdgeTests {
  private static let jws =
    "eyJhbGciOiJFUzI1NiJ9.eyJhZC1uZXR3b3JrLWlkZW50aWZpZXIiOiJjb20uZXhhbXBsZSJ9.c2ln"

  private static func unsigned(_ version: String) -> String {
    #"{"version":"\#(version)","ad-network-id":"com.example","campaign-id":4,"source-identifier":"5239","app-id":5,"#
      + #""redownload":true,"did-win":true,"fidelity-type":1,"postback-sequence-index":0,"source-app-id":6,"#
      + #""transaction-id":"0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d"}"#
  }

  @Test("The body is the postback alone, whatever is around it", arguments: ["", " ", "\t", "\r", "\n", " \r\n\t"])
  func body(space: String) throws {
    for text in ["{\"a\": 1}", "[1]", jws(quoted: true)] {
      let document = try PostbackDocument(Array((space + text + space).utf8))
      #expect(String(decoding: document.body, as: UTF8.self) == text)
      #expect(document.line == 1 + space.utf8.count { $0 == 0x0A })
    }
    let document = try PostbackDocument(Array((space + Self.jws + space).utf8))
    #expect(String(decoding: document.body, as: UTF8.self) == Self.jws && !document.isObject)
  }

  private func jws(quoted: Bool) -> String { quoted ? "\"\(Self.jws)\"" : Self.jws }

  /// The places of what is wrong.
  private static func places(_ text: String) -> [[Int]] {
    do throws(SourceNotes) { _ = try PostbackDocument.all(in: Array(text.utf8)) } catch {
      return error.notes.map { [$0.location.line, $0.location.column] }
    }
    return []
  }

  @Test("What is no JSON has its place, alone and in lines")
  func places() {
    let encoded = Data(Self.unsigned("4.0").utf8).base64EncodedString()
    for (text, expected) in [
      (encoded, [[1, 1]]), ("\n  \(encoded)\n", [[2, 3]]), ("{}\n\t\(encoded)\n{}\n\(encoded)", [[2, 2], [4, 1]]),
      ("{\n{}", [[2, 1]]), ("{}\n{}x\n{}", [[2, 3]]), ("{}\n{}", []),
    ] as [(String, [[Int]])] {
      #expect(Self.places(text) == expected, "\(text)")
    }
  }

  @Test("What cannot be a postback whatever its keys, and where it is")
  func forms() throws {
    let documents = try PostbackDocument.all(in: Array("{}\n\(Self.jws)\n \"x\"\n\n5\n".utf8))
    #expect(documents.map(\.line) == [1, 2, 3, 5])
    #expect(documents.map { $0.formProblem?.location.line } == [nil, nil, 3, 5])
    #expect(documents.map { $0.note("x").location.line } == [1, 2, 3, 5])
    #expect(documents[2].note("x").location.column == 2)
    let items = try PostbackDocument.all(in: Array("[{\"a\":1},\n{}]".utf8))
    #expect(
      items.map(\.line) == [1, 2] && items.map { String(decoding: $0.body, as: UTF8.self) } == [#"{"a":1}"#, "{}"])
  }

  @Test(
    "Without a signature a postback of any version is not signed, by any key",
    arguments: ["1.0", "2.0", "2.1", "3.0", "4.0"])
  func notSigned(version: String) throws {
    for key in [PublicKey.apple, try PublicKey(TestKeys.publicBase64)] {
      let document = try PostbackDocument(Array(Self.unsigned(version).utf8))
      let verdict = try PostbackChecker(key: key, tool: .missing).verdict(on: document)
      guard case .notSigned = verdict.reason else {
        Issue.record("\(version): \(verdict.reason)")
        continue
      }
      #expect(verdict.outcome == .notChecked && verdict.isSimulated == nil)
    }
  }

  @Test("A second postback names the place of the first, and what is not signed", .enabled(if: TestKeys.canSign))
  func repeated() throws {
    let checker = PostbackChecker(key: try PublicKey(ExamplePostbacks.text("simulated-public.pem")), tool: .platform())
    let first = try ExamplePostbacks.text("simulated-4.0-first.json").replacing("\n", with: "")
    let altered = first.replacing("\"conversion-value\":12", with: "\"conversion-value\":63")
    let aak = try ExamplePostbacks.text("aak-development.json").replacing("\n", with: "")
    let other = aak.replacing(":24", with: ":63")
    #expect(altered != first && other != aak)
    for (file, place) in [(nil, "Line 1"), ("a.json", "a.json:1")] as [(String?, String)] {
      for (one, two, words) in [
        (first, altered, "transaction id but different content: conversion values are"),
        (aak, other, "postback identifier but different content: the members beside the JWS are"),
      ] {
        var transactions = VerifiedTransactions()
        for (index, text) in [one, two, one].enumerated() {
          let document = try PostbackDocument(Array(text.utf8))
          var verdict = try checker.verdict(on: document)
          transactions.compare(&verdict, of: document, in: file)
          #expect(verdict.repeated == (index == 0 ? nil : PostbackVerdict.Location(file: file, line: 1)))
          let messages = verdict.findings.filter { $0.code == .transactionConflict }.map(\.note.message)
          #expect(
            messages == (index == 1 ? ["\(place) has this \(words) not signed, so the first counts."] : []))
        }
      }
    }
  }

  @Test(
    "A source that was filled in is named as it is", .enabled(if: TestKeys.canSign),
    arguments: ["source-app-id", "source-domain"])
  func filledIn(field: String) throws {
    // Signed without a source, as Apple signs where it tells none.
    let sourceless = Self.unsigned("4.0").replacing(#""source-app-id":6,"#, with: "")
    let postback = try #require(try PostbackDocument(Array(sourceless.utf8)).postback)
    let tool = SignatureTool.platform()
    let signature = try tool.sign(Array(postback.signedText.utf8), with: PrivateKey(pem: TestKeys.ecPrivate))
    let text = sourceless.dropLast() + #","attribution-signature":"\#(signature)","\#(field)":"0"}"#
    let checker = PostbackChecker(key: try PublicKey(TestKeys.publicBase64), tool: tool)
    let verdict = try checker.verdict(on: PostbackDocument(Array(text.utf8)))
    let finding = try #require(verdict.findings.first { $0.code == .sourceFilledIn }, "\(verdict.reason)")
    #expect(verdict.outcome == .valid && finding.note.message.hasPrefix("\"\(field)\" was added"))
  }
}
