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

  @Test func `Escapes of a text, and of one that is put together in place`() {
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

  @Test func `Bytes that are not UTF-8 are replaced`() {
    var written = ByteText()
    let bytes: [UInt8] = [0x61, 0xFF, 0xC3]
    unsafe bytes.withUnsafeBufferPointer { unsafe written.appendQuoted($0) }
    #expect(written.string == "\"a\u{FFFD}\u{FFFD}\"")
  }

  @Test func `Numbers in digits`() {
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

  @Test func `The shortest digits of a number are those of its description`() {
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

@Suite("Classes of ASCII")
struct ASCIITests {
  @Test(
    "Of all bytes exactly these",
    arguments: [
      (\UInt8.isASCIIDigit, "0123456789"), (\.isASCIICapital, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
      (\.isASCIILetter, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
      (\.isASCIILetterOrDigit, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"),
      (\.isLineSpace, "\t\r "),
    ] as [(any KeyPath<UInt8, Bool> & Sendable, String)])
  func bytes(of path: any KeyPath<UInt8, Bool> & Sendable, are expected: String) {
    #expect((UInt8.min...UInt8.max).filter { $0[keyPath: path] } == Array(expected.utf8))
  }

  @Test("Hexadecimal digits and their values")
  func hexadecimal() {
    let values = (UInt8.min...UInt8.max).compactMap { byte in byte.hexValue.map { (byte, $0) } }
    #expect(values.map(\.0) == Array("0123456789ABCDEFabcdef".utf8))
    #expect(values.map(\.1) == Array(0...15) + Array(10...15))
  }

  @Test("Characters", arguments: [("7", true), ("٣", false), ("7\u{301}", false), ("x", false)] as [(Character, Bool)])
  func characters(character: Character, isDigit: Bool) {
    #expect(character.isASCIIDigit == isDigit)
  }

  @Test("Bytes are ASCII if each is, at every place of every length")
  func asciiBytes() {
    for count in 0...70 {
      var bytes = [UInt8](repeating: 0x7F, count: count)
      #expect(unsafe bytes.withUnsafeBufferPointer { unsafe $0.isASCII })
      for place in bytes.indices {
        bytes[place] = 0x80
        #expect(unsafe !bytes.withUnsafeBufferPointer { unsafe $0.isASCII }, "\(place) of \(count)")
        bytes[place] = 0x7F
      }
    }
  }
}

@Suite("Bytes as a person reads them")
struct EscapedBytesTests {
  @Test(
    "Text as it is, and each byte that is none of UTF-8 as an escape",
    arguments: [
      ([], ""), (Array("a.jsonl".utf8), "a.jsonl"), (Array("Zürich 日本 🙂".utf8), "Zürich 日本 🙂"),
      ([0x73, 0x74, 0xFF], #"st\xFF"#), ([0xC3], #"\xC3"#), ([0x80, 0x0A], "\\x80\n"),
      // The beginning of a character, an overlong one, and a surrogate.
      ([0xE2, 0x82, 0x61], #"\xE2\x82a"#), ([0xC0, 0xAF], #"\xC0\xAF"#), ([0xED, 0xA0, 0x80], #"\xED\xA0\x80"#),
    ] as [([UInt8], String)])
  func escaped(bytes: [UInt8], text: String) { #expect(String(escaping: bytes) == text) }
}

@Suite("Eight bytes at a time")
struct FindTests {
  @Test("The first byte that is looked for, wherever it stands and whatever is around it", arguments: 0...20)
  func firstOffset(count: Int) {
    var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: count)
    for place in 0..<count {
      bytes[place] = UInt8(ascii: "=")
      unsafe bytes.withUnsafeBufferPointer { text in
        for start in 0...count {
          for end in start...count {
            let found = unsafe text.firstOffset(from: start, to: end) { $0.marks(UInt8(ascii: "=")) }
            #expect(found == ((start..<end).contains(place) ? place : end))
          }
        }
      }
      bytes[place] = place % 2 == 0 ? UInt8(ascii: "<") : UInt8(ascii: " ")
    }
  }
}

@Suite("FNV-1a")
struct FNV1aTests {
  /// The vectors of the authors' own test program.
  @Test(
    "64 bits",
    arguments: [
      ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
    ] as [(String, UInt64)])
  func vectors(text: String, hash: UInt64) {
    #expect(fnv1a(text) == hash)
    #expect(fnv1a(Array(text.utf8)) == hash)
    #expect(fnv1a(text.dropFirst().utf8, after: fnv1a(text.prefix(1).utf8)) == hash)
  }
}

@Suite("Values as bytes")
struct ByteCodecTests {
  private static let words: [UInt64] = [0, 1, 0x7F, 0x80, 0x3FFF, 0x4000, 1 << 62, 1 << 63, .max]

  /// Writes one of each kind of value.
  private static func write(_ writer: inout ByteWriter, padding: Int) {
    for word in words { writer.put(word) }
    for number in [Int.min, -1, 0, .max] { writer.put(number) }
    writer.put(true)
    writer.put(false)
    writer.put(fixed: UInt32.max - 1)
    writer.put(-0.0)
    writer.put("é\u{0}")
    writer.put([UInt8](repeating: 7, count: padding))
    writer.put(String?.none) { $0.put($1) }
    writer.put("a") { $0.put($1) }
    writer.put(all: [1, 2, 3]) { $0.put($1) }
    writer.put(all: [[Int]]()) { $0.put($1.count) }
    writer.put("")
  }

  /// Whether a reader finds them.
  private static func reads(_ reader: inout ByteReader, padding: Int) -> Bool {
    for word in words where reader.word() != word { return false }
    for number in [Int.min, -1, 0, .max] where reader.number() != number { return false }
    return reader.flag() && !reader.flag() && reader.fixed(UInt32.self) == .max - 1
      && reader.double().bitPattern == (-0.0).bitPattern && reader.text() == "é\u{0}"
      && reader.data() == [UInt8](repeating: 7, count: padding) && reader.optional { $0.text() } == nil
      && reader.optional { $0.text() } == "a" && reader.all { $0.number() } == [1, 2, 3]
      && reader.all { $0.number() }.isEmpty && reader.text().isEmpty && reader.rest == 0
  }

  @Test("They come back, whatever room they need", arguments: [0, 900, 1024, 5000, 1 << 20])
  func roundTrip(padding: Int) {
    let bytes = [UInt8](writing: { Self.write(&$0, padding: padding) })
    #expect(bytes.reading { Self.reads(&$0, padding: padding) } == true)
    var twice: [UInt8] = [1]
    twice.append { Self.write(&$0, padding: padding) }
    twice.append { Self.write(&$0, padding: padding) }
    #expect(twice == [1] + bytes + bytes)
    #expect(twice.reading(from: 1 + bytes.count) { Self.reads(&$0, padding: padding) } == true)
  }

  @Test("Bytes that are cut off are broken")
  func cut() {
    let bytes = [UInt8](writing: { Self.write(&$0, padding: 3) })
    for count in bytes.indices {
      #expect(Array(bytes[..<count]).reading { Self.reads(&$0, padding: 3) } == nil, "\(count)")
    }
  }

  @Test(
    "What no writer writes is broken, and takes no memory",
    arguments: [
      [UInt8](repeating: 0xFF, count: 20), [UInt8](repeating: 0x80, count: 20), [0xFF, 0xFF, 0xFF, 0xFF, 0x7F, 1],
      [7, 1],
    ])
  func broken(bytes: [UInt8]) {
    #expect(bytes.reading { $0.text() } == nil)
    #expect(bytes.reading { $0.data() } == nil)
    #expect(bytes.reading { $0.all { $0.number() } } == nil)
    #expect(bytes.reading { $0.flag() } == nil)
    let after = bytes.reading { reader in
      _ = reader.text()
      // Nothing is read any more.
      #expect(reader.number() == 0 && reader.fixed(UInt64.self) == 0 && reader.data() == [] && reader.rest == 0)
      return true
    }
    #expect(after == nil)
  }

  @Test("A count is put in its place when it is known")
  func replaced() {
    let bytes = [UInt8](writing: { writer in
      writer.put(fixed: UInt32(0))
      writer.putPlain([1, 2, 3])
      writer.replace(at: 0, fixed: UInt32(writer.count))
    })
    #expect(bytes.reading { ($0.fixed(UInt32.self), Array($0.slice(3))) == (7, [1, 2, 3]) } == true)
  }
}
