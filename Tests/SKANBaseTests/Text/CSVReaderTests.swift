import SKANBase
import Testing

@Suite("The CSV reader")
struct CSVReaderTests {
  /// The records, fields with `|` between; of a problem its line, column and message.
  private static func records(_ text: [UInt8], chunks: Int? = nil) -> [String] {
    var rest = text[...]
    var reader = CSVReader<Never> {
      defer { rest = rest.dropFirst(chunks ?? rest.count) }
      return Array(rest.prefix(chunks ?? rest.count))
    }
    var lines: [String] = []
    while let result = reader.next() {
      switch result {
      case .success(let record): lines.append(record.fields.map(\.text).joined(separator: "|"))
      case .failure(let error):
        lines += error.notes.map { "\($0.location.line):\($0.location.column): \($0.message)" }
      }
    }
    return lines
  }

  @Test(
    "Records and fields",
    arguments: [
      ("", []), ("a,b\n1,2\n", ["a|b", "1|2"]), ("a,b\r\n1,2", ["a|b", "1|2"]), ("a,b\r\n1,2\r", ["a|b", "1|2"]),
      ("\u{FEFF}a,b\n", ["a|b"]), ("\u{FEFF}", []), ("a", ["a"]), ("\n \n\r\na,\n\n", ["a|"]), (",\n", ["|"]),
      ("\"a\",\"b,c\"\n", ["a|b,c"]), ("\"a\"\"b\",\"\"\n", ["a\"b|"]), ("\"\"\"\",x", ["\"|x"]),
      ("\"a\"\"\nb\",c\nd", ["a\"\nb|c", "d"]),
      ("\"a\nb\",c\r\nd,e", ["a\nb|c", "d|e"]), ("\"a\r\nb\"\r\n", ["a\r\nb"]), ("é,\u{1F600}\n", ["é|\u{1F600}"]),
      ("a b , c\n", ["a b | c"]),
    ])
  func fields(text: String, expected: [String]) {
    #expect(Self.records(Array(text.utf8)) == expected)
    for size in 1...4 { #expect(Self.records(Array(text.utf8), chunks: size) == expected, "in pieces of \(size)") }
  }

  @Test(
    "What is wrong, where it is; the records after it come",
    arguments: [
      (
        "a,b\"c\nd,e\n\"f\n",
        [
          "1:4: a quote stands inside a field: put the field in quotes, and write the quote twice", "d|e",
          "3:1: the field that begins with this quote never ends",
        ]
      ),
      (
        "a\"b\"c,d\ne\n",
        ["1:2: a quote stands inside a field: put the field in quotes, and write the quote twice", "e"]
      ),
      ("\"a\"b,c\ne\n", ["1:4: a comma must follow the quote that ends a field", "e"]),
      (
        "\"a\n\"b,c\"d\"\ne\n",
        [
          "2:2: a comma must follow the quote that ends a field",
          "2:5: a quote stands inside a field: put the field in quotes, and write the quote twice", "e",
        ]
      ),
      ("x\n\"a,b\nc\n", ["x", "2:1: the field that begins with this quote never ends"]),
    ])
  func problems(text: String, expected: [String]) {
    #expect(Self.records(Array(text.utf8)) == expected)
  }

  @Test("Bytes that are not UTF-8")
  func notUTF8() {
    #expect(Self.records([0x61, 0x2C, 0xE9, 0x0A, 0x62]) == ["1:3: this is not UTF-8", "b"])
    for mark in [[0xFF, 0xFE, 0x61, 0x00], [0xFE, 0xFF, 0x00, 0x61]] as [[UInt8]] {
      #expect(Self.records(mark) == ["1:1: this is UTF-16: save the table as UTF-8"])
    }
  }

  @Test("A record that never ends is passed over, in bounded memory")
  func tooLong() {
    let long = [UInt8](repeating: 0x61, count: CSVReader<Never>.longestRecord)
    #expect(Self.records(long + Array("\nb\n".utf8)).map(\.count) == [long.count, 1])
    #expect(
      Self.records(long + Array("a\nb\n".utf8), chunks: 1000)
        == ["1:1: this record has 1048577 bytes, and at most 1048576 are read: is a quote missing?", "b"])
  }
}
