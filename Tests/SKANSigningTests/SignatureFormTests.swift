import Foundation
import Testing

@testable import SKANSigning

@Suite("The form of a signature")
struct SignatureFormTests {
  private static let number = [UInt8](repeating: 0x11, count: 32)

  private static func sequence(_ r: [UInt8], _ s: [UInt8]) -> [UInt8] {
    let content = [0x02, UInt8(r.count)] + r + [0x02, UInt8(s.count)] + s
    return [0x30, UInt8(content.count)] + content
  }

  @Test("Good forms: short numbers, whole ones, and those whose first bit needs a zero before it")
  func good() {
    for number in [[1], [0x7F], [0, 0x80], Self.number, [0] + [UInt8](repeating: 0xFF, count: 32)] as [[UInt8]] {
      #expect(SignatureForm.fault(Self.sequence(number, Self.number)) == nil)
      #expect(SignatureForm.fault(Self.sequence(Self.number, number)) == nil)
    }
  }

  @Test("Bad forms")
  func bad() {
    let good = Self.sequence(Self.number, Self.number)
    let cases: [([UInt8], String)] = [
      ([], "it does not begin with a sequence"), ([0x30], "it does not begin with a sequence"),
      ([0x31, 0], "it does not begin with a sequence"), ([0x30, 0], "its number r is missing or cut short"),
      (Array(good.dropLast()), "its length is not that of its content"),
      (good + [0], "its length is not that of its content"),
      ([0x30, 0x81] + good.dropFirst(), "its length is not that of its content"),
      ([0x30, 3, 0x02, 5, 1], "its number r is missing or cut short"),
      ([0x30, 3, 0x02, 1, 1], "its number s is missing or cut short"),
      ([0x30, 6, 0x02, 1, 1, 0x03, 1, 1], "its number s is missing or cut short"),
      ([0x30, 5, 0x02, 0, 0x02, 1, 1], "its number r is missing or cut short"),
      (Self.sequence([0x80], [1]), "its number r is negative"),
      (Self.sequence([1], [0xFF]), "its number s is negative"),
      (Self.sequence([0], [1]), "its number r is 0"), (Self.sequence([0, 1], [1]), "its number r has a zero too many"),
      (Self.sequence([1] + Self.number, [1]), "its number r is too long for P-256"),
      (Self.sequence([1], [0, 0x80] + Self.number), "its number s is too long for P-256"),
      ([0x30, 8, 0x02, 1, 1, 0x02, 1, 1, 5, 0], "there is something after its two numbers"),
    ]
    for (der, words) in cases { #expect(SignatureForm.fault(der) == words, "\(der)") }
  }

  @Test("A bad form is an invalid signature and needs no tool")
  func withoutTool() throws {
    let tool = SignatureTool.missing
    #expect(try tool.verify([], signature: "?", by: .apple) == .invalid(.notBase64))
    #expect(try tool.verify([], signature: "", by: .apple) == .invalid(.notDER("it does not begin with a sequence")))
    #expect(
      try tool.verify([], signature: "AAAA", by: .apple) == .invalid(.notDER("it does not begin with a sequence")))
    #expect(throws: SigningError.toolMissing) {
      _ = try tool.verify([], signature: TestKeys.signatureOfSkan, by: .apple)
    }
  }
}
