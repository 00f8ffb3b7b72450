import Testing

@testable import SKANDevice

@Suite("Derived identifiers for vendors")
struct DerivedIDFVTests {
  @Test(
    "Always the same for the same name",
    arguments: [
      ("", "92DEA3FE-594B-8C7E-92DB-3DFE5948A955"), ("phone", "4C2C3906-D824-856E-996B-581AA9E488DF"),
      ("Ann's iPhone", "F90E0989-CA36-88C8-9EAB-67CF116BA9DF"), ("é漢", "A2DF43BD-1A47-8A3E-B0A7-464110205C4B"),
      ("a", "DBDCC831-BB5F-88AD-9333-8B31B677835C"), ("b", "DBDCC531-BB5F-8394-9333-8E31B6778875"),
    ])
  func examples(name: String, expected: String) {
    #expect(DeviceProfile.derivedIDFV(phone: name) == expected)
  }

  @Test("Different for 10,000 names, each a UUID of version 8")
  func distinct() {
    var seen: Set<String> = []
    for number in 0..<10_000 {
      let text = DeviceProfile.derivedIDFV(phone: number % 2 == 0 ? "phone\(number)" : "\(number)")
      #expect(isUUID(text), "\(text)")
      seen.insert(text)
    }
    #expect(seen.count == 10_000)
  }

  @Test("Names that differ in spelling alone differ", arguments: [("\u{E9}", "e\u{301}"), ("a", "A"), ("a", "a ")])
  func spelling(left: String, right: String) {
    #expect(DeviceProfile.derivedIDFV(phone: left) != DeviceProfile.derivedIDFV(phone: right))
  }

  private func isUUID(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard bytes.count == 36, bytes[14] == UInt8(ascii: "8"), "89AB".utf8.contains(bytes[19]) else { return false }
    return bytes.enumerated().allSatisfy { index, byte in
      [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : "0123456789ABCDEF".utf8.contains(byte)
    }
  }
}
