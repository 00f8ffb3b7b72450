/// What kind of key a DER text holds, as far as its object identifiers tell.
enum KeyKind {
  private static let p256: [UInt8] = [0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]
  private static let ellipticCurve: [UInt8] = [0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
  private static let rsa: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01]

  static func isP256(_ der: [UInt8]) -> Bool { der.holds(p256) }

  /// What it is instead, in words.
  static func otherKind(_ der: [UInt8]) -> KeyProblem {
    if der.holds(rsa) { return .otherKind("an RSA key") }
    if der.holds(ellipticCurve) { return .otherKind("a key on another elliptic curve") }
    return .otherKind("a key of another kind")
  }
}

extension [UInt8] {
  fileprivate func holds(_ part: [UInt8]) -> Bool {
    guard count >= part.count else { return false }
    return (0...(count - part.count)).contains { self[$0..<$0 + part.count].elementsEqual(part) }
  }
}
