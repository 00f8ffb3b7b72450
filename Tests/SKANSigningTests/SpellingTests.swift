import Foundation
import SKANDevice
import TestSupport
import Testing

@testable import SKANSigning

@Suite("Spellings of keys and identifiers")
struct SpellingTests {
  /// A SubjectPublicKeyInfo with single bytes replaced.
  private static func changed(_ base64: String, _ bytes: [Int: UInt8]) -> String {
    var der = [UInt8](Data(base64Encoded: base64) ?? Data())
    for (index, byte) in bytes { der[index] = byte }
    return Data(der).base64EncodedString()
  }

  @Test("A point is whole (4) or compressed (2 and 3), each in its own length")
  func points() {
    let compressed = "MDkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDIgACdOy2n60bRHQQYbt5OT8HwRpSKhATHdFvsxVpp2Y4Xfo="
    for first in 0...7 as ClosedRange<UInt8> {
      let whole = try? PublicKey(Self.changed(TestKeys.publicBase64, [26: first]))
      #expect((whole != nil) == (first == 4), "\(first)")
      let half = try? PublicKey(Self.changed(compressed, [26: first]))
      #expect((half != nil) == (first == 2 || first == 3), "\(first)")
    }
  }

  @Test("A key file of each kind with line ends of both kinds, blanks at both ends of lines, and text around it")
  func lines() throws {
    let change: [(String) -> String] = [
      { $0 }, { $0.replacing("\n", with: "\r\n") }, { $0.replacing("\n", with: "\n \t") }, { "x\n\($0)y" },
      { $0.replacing("\n", with: " \n") }, { String($0.dropLast()) },
      { "-----BEGIN X-----\nAAAA\n-----END X-----\n\($0)" },
    ]
    for change in change {
      for key in [TestKeys.ecPrivate, TestKeys.pkcs8Private] { #expect(try PrivateKey(pem: change(key)).pem == key) }
      #expect(try PublicKey(change(TestKeys.publicPEM)).pem == TestKeys.publicPEM)
    }
  }

  @Test("An identifier in either case is the same transaction, of each framework")
  func identifiers() throws {
    let id = "0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d"
    for spelling in [id, id.uppercased(), id.capitalized] {
      let json = #"{"version":"2.1","ad-network-id":"com.example","campaign-id":4,"app-id":5,"redownload":true,"#
      let bodies = [id, spelling].map { Array((json + #""transaction-id":"\#($0)"}"#).utf8) }
      var transactions = VerifiedTransactions()
      let repeated = try bodies.map { body -> Int? in
        let document = try PostbackDocument(body)
        var verdict = PostbackVerdict(.signed(isApples: false), postback: document.postback)
        transactions.compare(&verdict, of: document)
        return verdict.repeated?.line
      }
      #expect(repeated == [nil, 1], "\(spelling)")
    }
  }
}
