import SKANBase
import Testing

@Suite("Texts that are put together as bytes")
struct ByteTextTests {
  /// Characters that go out as they are, escaped in JSON, hidden, or at an end of what is hidden.
  private static let scalars =
    "aZ 0~\"\\/\n\t\r\u{0}\u{1F}\u{7F}\u{80}\u{9F}\u{A0}\u{AD}é→…\u{34F}\u{61C}\u{180E}\u{200A}\u{200B}\u{200C}\u{200D}"
    .unicodeScalars
    + "\u{200E}\u{2027}\u{2028}\u{202E}\u{202F}\u{205F}\u{2060}\u{206F}\u{2070}\u{FEFE}\u{FEFF}\u{FFF8}\u{FFFB}\u{FFFC}"
    .unicodeScalars + "\u{1BCA0}\u{1D172}\u{1D173}\u{1D17A}\u{1F600}\u{E0000}\u{E0041}\u{E0FFF}\u{E1000}".unicodeScalars

  private static func randomTexts() -> [String] {
    var generator = RandomJSON(seed: 5)
    return (0..<5000).map { _ in
      var text = ""
      for _ in 0..<Int.random(in: 0...20, using: &generator) {
        text.unicodeScalars.append(scalars.randomElement(using: &generator) ?? "a")
      }
      return text
    }
  }

  /// By its characters, each looked at.
  private static func escaped(_ text: String, keepsQuotes: Bool) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"" where !keepsQuotes: "\\\""
      case "\\" where !keepsQuotes: "\\\\"
      case "\n": "\\n"
      case "\r": "\\r"
      case "\t": "\\t"
      case _ where scalar.isHidden:
        String(scalar).utf16.map { "\\u" + String($0, radix: 16).leftPadded(to: 4, with: "0") }.joined()
      default: String(scalar)
      }
    }.joined()
  }

  @Test("Escapes of a text, and of one that is put together in place") func escapesText() {
    for text in Self.randomTexts() {
      var written = ByteText()
      written.append("before ")
      written.appendQuoted(text)
      written.appendQuoted { $0.append(text) }
      written.append(escaped: text)
      let json = Self.escaped(text, keepsQuotes: false)
      #expect(written.string == "before \"\(json)\"\"\(json)\"\(json)")
      let line = Self.escaped(text, keepsQuotes: true)
      var lines = ByteText()
      lines.append("\n")
      let start = lines.count
      lines.append(text)
      lines.makeOneLine(from: start)
      lines.append(oneLine: text)
      #expect(lines.string == "\n\(line)\(line)")
      #expect(text.oneLine == line)
    }
  }

  @Test("Bytes that are not UTF-8 are replaced") func bytesNot() {
    var written = ByteText()
    let bytes: [UInt8] = [0x61, 0xFF, 0xC3]
    unsafe bytes.withUnsafeBufferPointer { unsafe written.appendQuoted($0) }
    #expect(written.string == "\"a\u{FFFD}\u{FFFD}\"")
  }

  @Test("Numbers in digits") func numbersDigits() {
    var numbers: [Int64] = [0, 9, 10, 99, 100, .max, .min, -1]
    var power: Int64 = 1
    for _ in 0..<18 {
      power *= 10
      numbers += [power - 1, power, power + 1]
    }
    for number in numbers {
      var written = ByteText()
      written.append(number)
      written.append(number, width: 5)
      #expect(written.string == "\(number)\("\(number)".leftPadded(to: 5))")
    }
    var written = ByteText()
    written.append(UInt64.max)
    written.append(UInt64(1_234), digits: 6)
    #expect(written.string == "18446744073709551615001234")
    written.removeAll()
    written.append(UInt64(123_456_789_012), digits: 10)
    written.append(UInt64(5), digits: 19)
    #expect(written.string == "34567890120000000000000000005")
  }

  @Test("The shortest digits of a number are those of its description") func shortestDigits() {
    var generator = RandomJSON(seed: 6)
    // The one before the last lies in the middle between two numbers of 16 digits that read back as it.
    var numbers: [Double] =
      [0, -0.0, 5, -5, 0.1, 0.5, 1e15, 1e16, 123_456.5, -1e-7, 999_999_999_999_999, 1e-3]
      + [562_949_953.003_906_25, .infinity]
    for number in [1e-3, 0.00195, 0.01, 1, 9.9, 1e2, 99_999, 1e9, 1e14, 1e15] as [Double] {
      numbers += [number.nextDown, number.nextUp]
    }
    for _ in 0..<100_000 {
      // Of every size, in single and double precision, and with a few decimals.
      let size = Double.random(in: 1..<10, using: &generator) * pow10(Int.random(in: -5...16, using: &generator))
      numbers += [size, -Double(Float(size)), (size * 100).rounded() / 100]
    }
    let wrong = numbers.filter { number in
      let text = number.description
      return number.jsonText != (text.hasSuffix(".0") ? String(text.dropLast(2)) : text)
    }
    #expect(wrong == [])
  }
}

private func pow10(_ exponent: Int) -> Double {
  (0..<abs(exponent)).reduce(1) { power, _ in exponent < 0 ? power / 10 : power * 10 }
}
