import SKANBase

// The classes of bytes that HTTP's grammar knows (RFC 9110, section 5.6).
extension UInt8 {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20

  var asciiLowercased: UInt8 { isASCIICapital ? self | 0x20 : self }

  var isBlank: Bool { self == .space || self == .tab }

  /// NUL to US, and DEL.
  var isControl: Bool { self < 0x20 || self == 0x7F }

  /// Whether it may be in a method or a header's name.
  var isTokenByte: Bool {
    if isASCIILetterOrDigit { return true }
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
    if isASCIILetterOrDigit { return true }
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
    word.withUTF8Buffer { letters in unsafe lazy.map(\.asciiLowercased).elementsEqual(letters) }
  }
}
