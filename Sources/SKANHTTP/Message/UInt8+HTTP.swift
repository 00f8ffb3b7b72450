import SKANBase

// The classes of bytes in HTTP's grammar (RFC 9110, section 5.6).
extension UInt8 {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20

  var asciiLowercased: UInt8 { isASCIICapital ? self | 0x20 : self }

  var isBlank: Bool { self == .space || self == .tab }

  /// Whether the byte is a control: NUL to US, or DEL.
  var isControl: Bool { self < 0x20 || self == 0x7F }

  /// Whether the byte is allowed in a method or a header's name.
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

  /// Whether the byte is allowed in the value of `Host`: a name, an address or a bracketed IPv6 address, and a port.
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
  /// Whether the bytes equal a text.
  func spells(_ text: StaticString) -> Bool { text.withUTF8Buffer { unsafe elementsEqual($0) } }

  /// Whether the bytes equal a lower-case word, ignoring case.
  func isWord(_ word: StaticString) -> Bool {
    word.withUTF8Buffer { letters in unsafe lazy.map(\.asciiLowercased).elementsEqual(letters) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The first offset in `start..<end` of a control character or, if `isASCII`, of a non-ASCII byte; `end` if there is
  /// none.
  func endOfText(from start: Int, to end: Int, isASCII: Bool) -> Int {
    unsafe firstOffset(from: start, to: end) { word in
      (word.controlMarks | word.marks(0x7F)) & ~word | (isASCII ? word : 0)
    }
  }
}

extension ArraySlice<UInt8> {
  /// The first index of a byte.
  func place(of byte: UInt8) -> Int? {
    unsafe withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return nil }
      return unsafe start.offset(of: byte, within: bytes.count).map { startIndex + $0 }
    }
  }
}
