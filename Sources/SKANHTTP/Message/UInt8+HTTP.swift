// The classes of bytes that HTTP's grammar knows (RFC 9110, section 5.6).
extension UInt8 {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20

  var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }

  var isBlank: Bool { self == .space || self == .tab }

  /// NUL to US, and DEL.
  var isControl: Bool { self < 0x20 || self == 0x7F }

  package var isDigit: Bool { (0x30...0x39).contains(self) }

  var isLetter: Bool { (0x61...0x7A).contains(self | 0x20) }

  /// Whether it may be in a method or a header's name.
  var isTokenByte: Bool {
    if isLetter || isDigit { return true }
    switch self {
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
      UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      return true
    default: return false
    }
  }

  /// Whether it may be in the value of `Host`: a name, an address or a bracketed IPv6 address, and a port.
  var isHostByte: Bool {
    if isLetter || isDigit { return true }
    switch self {
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: ":"),
      UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "%"), UInt8(ascii: "!"), UInt8(ascii: "$"),
      UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"),
      UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "="):
      return true
    default: return false
    }
  }
}

extension Sequence<UInt8> {
  /// Whether it spells this word, which is in lower case, in whatever case.
  func isWord(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { letters in lazy.map(\.asciiLowercased).elementsEqual(letters) }
  }
}
