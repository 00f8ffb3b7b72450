import Testing

@testable import SKANJSON

@Suite("JSON reader: limits")
struct JSONReaderLimitTests {
  /// The opening and closing text of one level.
  enum Bracket: CaseIterable {
    case array, object, mixed

    func text(depth: Int, closed: Bool) -> String {
      let pair: (open: String, close: String)
      switch self {
      case .array: pair = ("[", "]")
      case .object: pair = (#"{"a":"#, "}")
      case .mixed: pair = (#"[{"a":"#, "}]")
      }
      let count = self == .mixed ? depth / 2 : depth
      let core = self == .array ? "" : "1"
      return String(repeating: pair.open, count: count) + core
        + (closed ? String(repeating: pair.close, count: count) : "")
    }
  }

  @Test("512 brackets are read", arguments: Bracket.allCases, [1, 511, 512])
  func deep(bracket: Bracket, depth: Int) throws {
    _ = try JSONReader.read(Array(bracket.text(depth: depth, closed: true).utf8))
    _ = try JSONReader.read(Array(bracket.text(depth: depth, closed: true).utf8), dialect: .phone)
  }

  @Test("The 513th is refused where it stands", arguments: [JSONDialect.strict, .phone])
  func tooDeep(dialect: JSONDialect) {
    #expect(throws: JSONError(problem: .tooDeep(512), offset: 512)) {
      try JSONReader.read(Array(Bracket.array.text(depth: 513, closed: true).utf8), dialect: dialect)
    }
    #expect(throws: JSONError(problem: .tooDeep(512), offset: 512 * 5)) {
      try JSONReader.read(Array(Bracket.object.text(depth: 513, closed: true).utf8), dialect: dialect)
    }
  }

  @Test("100,000 brackets are no crash", arguments: Bracket.allCases, [true, false])
  func veryDeep(bracket: Bracket, closed: Bool) {
    let error = #expect(throws: JSONError.self) {
      try JSONReader.read(Array(bracket.text(depth: 100_000, closed: closed).utf8), dialect: .phone)
    }
    #expect(error?.problem == .tooDeep(512))
  }

  @Test("Depth counts what is open, not what was")
  func siblings() throws {
    let text = "[" + Array(repeating: "[[]]", count: 2000).joined(separator: ",") + "]"
    guard case .array(let items) = try JSONReader.read(Array(text.utf8)).value else {
      Issue.record("no array")
      return
    }
    #expect(items.count == 2000)
  }

  @Test("A trailing comma does not count as a level")
  func trailingCommas() throws {
    let text = String(repeating: "[", count: 512) + String(repeating: "],", count: 511) + "]"
    _ = try JSONReader.read(Array(text.utf8), dialect: .phone)
  }

  @Test("A string of a megabyte, with and without escapes", arguments: ["a", "é", "\\n", "\\u00e9"])
  func long(piece: String) throws {
    let text = "\"" + String(repeating: piece, count: 1 << 17) + "\""
    guard case .string(let string) = try JSONReader.read(Array(text.utf8)).content else {
      Issue.record("no string")
      return
    }
    #expect(string.unicodeScalars.count == 1 << 17)
  }

  @Test("Every truncation of a document is an error, never a crash")
  func truncated() throws {
    let text = Array(#"{"a":[1,-2.5e3,"x\u00e9\ud83d\ude00é",true,null,{"b":{}}],"c":"\\"}"#.utf8)
    _ = try JSONReader.read(text)
    for count in 0..<text.count {
      let error = #expect(throws: JSONError.self) { try JSONReader.read(text.prefix(count), dialect: .phone) }
      #expect(try #require(error).offset <= count)
    }
  }

  @Test("Every changed byte of a document is read or refused, never a crash")
  func changed() {
    let text = Array(#"{"a":[1,-2.5e3,"x\u00e9é",true,null],"c":{}}"#.utf8)
    for index in text.indices {
      for byte in [0x00, 0x22, 0x2C, 0x5C, 0x5D, 0x7B, 0x7D, 0x80, 0xFF] as [UInt8] {
        var bytes = text
        bytes[index] = byte
        do throws(JSONError) { _ = try JSONReader.read(bytes, dialect: .phone) } catch {
          #expect(error.offset <= bytes.count)
        }
      }
    }
  }
}
