import Foundation
import Testing

@testable import SKANBase

@Suite("Characters, by a plain list")
struct HiddenCharacterTests {
  private static let hidden: [ClosedRange<UInt32>] = [
    0x00...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x34F...0x34F, 0x61C...0x61C, 0x180E...0x180E, 0x200B...0x200B,
    0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0x1BCA0...0x1BCA3,
    0x1D173...0x1D17A, 0xE0000...0xE0FFF,
  ]

  private static func mayHide(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBufferPointer { $0.mayHide(at: 0) }
  }

  @Test(
    "Exactly these are hidden, and the quick look at their bytes misses none, and takes none of plain texts for one")
  func hidden() {
    let values: [ClosedRange<UInt32>] = [
      0...0xFFFF, 0x1BC00...0x1BD00, 0x1D100...0x1D200, 0x1F600...0x1F650, 0xDFF00...0xE1100,
    ]
    var (wrong, missed): ([UInt32], [UInt32]) = ([], [])
    for value in values.joined() {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isHidden = Self.hidden.contains { $0.contains(value) }
      if scalar.isHidden != isHidden { wrong.append(value) }
      if isHidden, value >= 0x80, !Self.mayHide(Array(String(scalar).utf8)) { missed.append(value) }
    }
    #expect(wrong.isEmpty && missed.isEmpty)
    // Their neighbours are not taken for one, where a byte tells them apart.
    let plain: [UInt32] = [
      0xA0, 0xAC, 0xAE, 0xE9, 0x34E, 0x350, 0x61B, 0x61D, 0x17FF, 0x1840, 0x200A, 0x200C, 0x200D, 0x2010, 0x2027,
      0x202F, 0x205F, 0x20AC, 0x6F22, 0xFEBF, 0xFF00, 0x1A000, 0x1F600,
    ]
    for value in plain {
      guard let scalar = Unicode.Scalar(value) else { continue }
      #expect(!Self.mayHide(Array(String(scalar).utf8)), "\(value)")
    }
    // At the end of a buffer, where the rest is missing.
    for cut in [[0xC2], [0xE2], [0xE2, 0x80], [0xCD], [0xD8], [0xF3]] as [[UInt8]] {
      #expect(Self.mayHide(cut) == (cut == [0xC2]), "\(cut)")
    }
  }
}

@Suite("Values as bytes, broken ones too")
struct BrokenBytesTests {
  @Test("Every number reads back, in as many bytes as its bits need")
  func words() {
    var numbers: [UInt64] = [.max, .max - 1]
    for shift in 0..<64 {
      let power = UInt64(1) << UInt64(shift)
      numbers += [power - 1, power, power + 1]
    }
    for number in numbers {
      let bytes = [UInt8](writing: { $0.put(number) })
      #expect(bytes.count == max(1, (64 - number.leadingZeroBitCount + 6) / 7))
      #expect(bytes.reading { $0.word() } == number)
      #expect(bytes.dropLast().map(\.self).reading { $0.word() } == nil)
      let signed = Int(truncatingIfNeeded: number)
      #expect([UInt8](writing: { $0.put(signed) }).reading { $0.number() } == signed)
    }
    let high = [UInt8](repeating: 0x80, count: 9)
    #expect((high + [1]).reading { $0.word() } == UInt64(1) << 63)
    #expect((high + [0x80, 0]).reading { $0.word() } == nil)
  }

  @Test("No count reads more than there is, and a flag has two values")
  func counts() {
    for (count, isWhole) in [(-1, false), (0, true), (3, true), (4, false), (.max, false), (.min, false)]
      as [(Int, Bool)]
    {
      let bytes: [UInt8] = [UInt8](writing: { $0.put(count) }) + [7, 8, 9]
      #expect((bytes.reading { $0.data() } != nil) == isWhole, "\(count)")
      #expect((bytes.reading { $0.text() } != nil) == isWhole, "\(count)")
      #expect((bytes.reading { $0.all { $0.fixed(UInt8.self) } } != nil) == isWhole, "\(count)")
      if isWhole { #expect(bytes.reading { $0.data() } == Array([7, 8, 9].prefix(count))) }
    }
    let flags: [Bool?] = (0...3).map { (byte: UInt8) -> Bool? in [byte].reading { $0.flag() } }
    #expect(flags == [false, true, nil, nil])
    func optional(_ bytes: [UInt8]) -> UInt8?? { bytes.reading { $0.optional { $0.fixed(UInt8.self) } } }
    #expect(optional([0, 5]) == .some(nil) && optional([1, 5]) == 5)
    for count in 0..<8 {
      #expect([UInt8](repeating: 1, count: count).reading { $0.fixed(UInt64.self) } == nil)
      #expect(([UInt8](repeating: 1, count: count).reading { $0.fixed(UInt16.self) } != nil) == (count > 1))
    }
  }

  @Test("A writer keeps what it has, however it grows", arguments: [0, 1, 255, 256, 257, 1023, 1024, 1025, 5000])
  func growth(count: Int) {
    let values = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect([UInt8](writing: { for value in values { $0.put(fixed: value) } }) == values)
    #expect([UInt8](writing: { $0.putPlain(values) }) == values)
    var bytes: [UInt8] = [1, 2]
    bytes.append(writing: { $0.put(values) })
    #expect(bytes.reading(from: 2) { $0.data() } == values && bytes.prefix(2) == [1, 2])
    var writer = ByteWriter()
    for _ in 0..<2 {
      writer.removeAll()
      writer.put(fixed: 0 as UInt32)
      writer.putPlain(values)
      writer.replace(at: 0, fixed: UInt32(7))
      let isSame = writer.written.dropFirst(4).elementsEqual(values)
      let written = writer.count
      #expect(isSame && written == count + 4)
    }
  }
}

@Suite("CSV, by random tables")
struct RandomCSVTests {
  @Test("What is written is read, in pieces of every size, at its line", arguments: 0..<30)
  func roundTrip(seed: Int) {
    var state = UInt64(seed) &* 7919 &+ 17
    func next(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % below
    }
    let parts = ["a", "bc", ",", "\"", "\"\"", "\n", "\r\n", " ", "é", ""]
    var (text, rows, lines) = ("", [[String]](), [Int]())
    for _ in 0..<next(8) + 1 {
      let row = (0..<next(4) + 2).map { _ in (0..<next(5)).map { _ in parts[next(parts.count)] }.joined() }
      lines.append(1 + text.utf8.count { $0 == 0x0A })
      rows.append(row)
      let fields = row.map { field in
        let isPlain = !field.contains { ",\"\n\r\r\n".contains($0) } && next(3) > 0
        return isPlain ? field : "\"" + field.replacing("\"", with: "\"\"") + "\""
      }
      text += fields.joined(separator: ",") + (next(2) == 0 ? "\n" : "\r\n")
    }
    for size in [1, 2, 3, 7, 10_000] {
      var rest = Array(text.utf8)[...]
      var reader = CSVReader<Never> {
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
      }
      var (found, places) = ([[String]](), [Int]())
      while let result = reader.next() {
        guard case .success(let record) = result else {
          Issue.record("\(text)")
          return
        }
        found.append(record.fields.map(\.text))
        places.append(record.line)
        for field in record.fields where !field.text.contains("\"") {
          let whole = String(decoding: record.bytes[field.range], as: UTF8.self)
          #expect(whole == field.text || whole == "\"\(field.text)\"")
        }
      }
      #expect(found == rows && places == lines, "\(text)")
    }
  }

  @Test("A field is quoted where it must be, and no formula")
  func fields() {
    for (field, text) in [
      ("", ""), ("a b", "a b"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""), ("a\nb", "\"a\nb\""), ("a\rb", "\"a\rb\""),
      ("=1", "'=1"), ("+a", "'+a"), ("-a", "'-a"), ("+1", "+1"), ("-1.5e3", "-1.5e3"), ("-1-1", "'-1-1"), ("@a", "'@a"),
      ("\ta", "'\ta"), ("a=1", "a=1"),
      ("=a,b", "\"'=a,b\""),
    ] { #expect(field.csvField == text) }
    #expect(["a", "b,c", ""].csvLine == "a,\"b,c\",\n")
  }

  @Test("A record is as long as may be, or a byte longer, in quotes over lines or not", arguments: [0, 1])
  func longest(more: Int) {
    let most = CSVReader<Never>.longestRecord
    for quote in [false, true] {
      let body = [UInt8](repeating: 0x61, count: most + more - (quote ? 4 : 0))
      let text = quote ? Array("\"\n".utf8) + body + Array("\n\"".utf8) : body
      var reader = CSVReader(text + Array("\nb\n".utf8))
      let first = reader.next()
      if case .success? = first { #expect(more <= 0) } else { #expect(more > 0) }
      guard case .success(let second)? = reader.next() else {
        Issue.record("no second record")
        continue
      }
      #expect(second.fields.map(\.text) == ["b"] && second.line == (quote ? 4 : 2))
    }
  }
}

@Suite("JSON at its edges")
struct JSONEdgeTests {
  private static func scan<Value>(_ text: String, _ body: (inout PlainJSONScanner) -> Value) -> Value? {
    var text = text
    return text.withUTF8 { bytes in
      guard var scanner = PlainJSONScanner(bytes) else { return nil }
      return body(&scanner)
    }
  }

  @Test(
    "The plain scanner takes numbers of at most 15 digits, and no other value",
    arguments: [
      ("0", true), ("1", true), ("-1", true), ("-0", false), ("-0.0", false), ("-0.5", true), ("01", false),
      ("-", false),
      (".5", false), ("1.", false), ("1.5", true), ("0.5", true), ("00.5", false), ("10", true), ("-10.25", true),
      ("12345678", true), ("123456789", true), ("1234567890123456", false), ("123456789012345", true),
      ("12345678901234.5", true), ("12345678901234.56", false), ("0.12345678901234", true),
      ("0.123456789012345", false),
      ("1e5", false), ("1E5", false), ("1.5e1", false), ("x", false), ("", false), ("9.99", true), ("1a", true),
    ])
  func numbers(text: String, isTaken: Bool) {
    let number = Self.scan(text + ",") { $0.takeNumber() } ?? nil
    #expect((number != nil) == isTaken, "\(text)")
    if let number, text != "1a" {
      #expect(number.value == Double(text) && number.integer == (text.contains(".") ? nil : Int64(text)))
    }
    // At the end of the text a number may go on.
    #expect((Self.scan(text) { $0.takeNumber() } ?? nil) == nil || text == "1a")
  }

  @Test("The plain scanner takes strings without anything special, of every length")
  func strings() {
    for length in 0..<40 {
      let plain = String(repeating: "a", count: length)
      #expect(Self.scan("\"\(plain)\",") { scanner in scanner.takeString()?.text } ?? nil == plain)
      #expect((Self.scan("\"\(plain)") { scanner in scanner.takeString()?.text } ?? nil) == nil)
      for position in 0..<length {
        for special in ["\\", "$", "\u{1F}", "é", "\n", "\u{7F}"] {
          let text = String(plain.prefix(position)) + special + String(plain.dropFirst(position + 1))
          let isTaken = Self.scan("\"\(text)\",") { scanner in scanner.takeString()?.text } ?? nil
          #expect(isTaken == (special == "\u{7F}" ? text : nil))
        }
      }
    }
    for (text, rest) in [(" \t\rx", "x"), ("\nx", "\n"), ("  ", "\0"), ("", "\0")] {
      guard
        let first = Self.scan(
          text + (text.isEmpty ? " " : ""),
          { scanner in
            scanner.takeSpace()
            return scanner.first
          })
      else { continue }
      #expect(first == rest.utf8.first)
    }
  }

  @Test("A member is found by its key as it is meant, escaped or not")
  func members() throws {
    let node = try JSONReader.read(Array(#"{"a\"b":1,"c\u0064":2,"e":3,"e\\":4}"#.utf8))
    #expect(node.integer("a\"b") == 1 && node.integer("cd") == 2 && node.integer("e") == 3 && node.integer("e\\") == 4)
    for key in [#"a\"b"#, #"c\u0064"#, #"e\\"#, "c", "", "A\"b"] { #expect(node.integer(key) == nil, "\(key)") }
  }

  @Test("A text that ends within a character of any kind is an error at its place")
  func cut() {
    for byte in UInt8.min...UInt8.max {
      let starts: [[UInt8]] = [[0x5B], [0x5B, 0xE2], [0x5B, 0xC2], [0x5B, 0x22], [0x5B, 0x2F]]
      for text in starts.map({ $0 + [byte] }) where text != [0x5B, 0x5D] {
        #expect(throws: JSONError.self) { _ = try JSONReader.read(text) }
      }
    }
  }

  @Test("Slips of people have a name, where they are")
  func slips() {
    for (text, message, offset) in [
      ("[#", "comment", 1), ("[1,//", "comment", 3), ("[/*", "comment", 1), ("['a'", "'", 1), ("{“a”:1}", "“", 1),
      ("[\"a”,1]", "”", 3), ("[«", "«", 1), ("[–1]", "–", 1), ("[/", "", 1), ("[€]", "", 1),
    ] {
      do throws(JSONError) {
        _ = try JSONReader.read(Array(text.utf8))
        Issue.record("\(text)")
      } catch {
        #expect(error.offset == offset, "\(text)")
        switch error.problem {
        case .comment: #expect(message == "comment", "\(text)")
        case .typographic(let character, _): #expect(character == message, "\(text)")
        default: #expect(message.isEmpty, "\(text)")
        }
      }
    }
  }
}
