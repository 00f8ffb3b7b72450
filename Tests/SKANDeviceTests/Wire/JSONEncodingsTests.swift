import Testing

@testable import SKANDevice

@Suite("Answers in UTF-16 and UTF-32")
struct JSONEncodingsTests {
  /// The bytes of a text whose units have a width, in one of the two orders.
  private static func bytes(_ text: String, width: Int, isBigEndian: Bool) -> [UInt8] {
    let units = width == 2 ? text.utf16.map(UInt32.init) : text.unicodeScalars.map(\.value)
    return units.flatMap { unit in
      let bytes = (0..<width).map { UInt8(truncatingIfNeeded: unit >> (8 * $0)) }
      return isBigEndian ? bytes.reversed() : bytes
    }
  }

  private static let forms = [(2, false), (2, true), (4, false), (4, true)]

  @Test("Both orders, with a byte order mark and without", arguments: forms)
  func read(width: Int, isBigEndian: Bool) {
    for text in ["{}", "{\"a\":\"é漢😀\"}", "[\"漢\"]", "12", "5"] {
      // A single character has no neighbour that would show the order.
      for mark in text.count == 1 && width == 2 ? ["\u{FEFF}"] : ["", "\u{FEFF}"] {
        let bytes = Self.bytes(mark + text, width: width, isBigEndian: isBigEndian)
        #expect(JSONEncodings.utf8(bytes) == Array(text.utf8), "\(bytes)")
      }
    }
  }

  @Test("What is cut within a unit, or has half a pair, stays as it is", arguments: forms)
  func broken(width: Int, isBigEndian: Bool) {
    let whole = Self.bytes("\u{FEFF}{\"a\":\"😀\"}", width: width, isBigEndian: isBigEndian)
    for count in 1..<width { #expect(JSONEncodings.utf8(whole.dropLast(count)) == whole.dropLast(count)) }
    let surrogate: [UInt8] = isBigEndian ? [0xD8, 0x00] : [0x00, 0xD8]
    let padding = [UInt8](repeating: 0, count: width - 2)
    let half = isBigEndian ? padding + surrogate : surrogate + padding
    #expect(JSONEncodings.utf8(whole + half) == whole + half)
  }

  @Test("UTF-8 stays as it is", arguments: ["", "5", "{}", "{\"a\":1}", "\u{FEFF}{}", "a\u{0}b\u{0}c", "漢字"])
  func utf8(text: String) { #expect(JSONEncodings.utf8(Array(text.utf8)) == Array(text.utf8)) }

  @Test("An update takes its value from each form", arguments: forms)
  func update(width: Int, isBigEndian: Bool) {
    for mark in ["", "\u{FEFF}"] {
      var device = Device.phone(.skan4)
      let text = mark + "{\"conversion_value\":41,\"updated_event\":\"é\"}"
      let answer = Self.bytes(text, width: width, isBigEndian: isBigEndian)
      let report = device.update(.response(status: 200, body: answer))
      #expect(report.framework == .updatePostbackCoarse(fine: 41, coarse: nil, lock: false))
    }
  }
}
