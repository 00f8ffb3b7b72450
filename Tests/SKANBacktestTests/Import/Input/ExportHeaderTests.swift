import Testing

@testable import SKANBacktest

@Suite("The first record of a table")
struct ExportHeaderTests {
  private func read(_ text: String, isAtEnd: Bool = true) -> ExportHeader? {
    ExportHeader(Array(text.utf8)[...], isAtEnd: isAtEnd)
  }

  @Test(
    "Columns, and where the rows begin",
    arguments: [
      ("device,time\nx", ",", ["device", "time"], 12, 1), ("device\r\nx", ",", ["device"], 8, 1),
      ("a;\"b,c\";d\nx", ";", ["a", "b,c", "d"], 10, 1), ("a\t\"b\"\t c \nx", "\t", ["a", "b", "c"], 10, 1),
      // Two quotes are one of the name, and a line end in quotes is part of it.
      ("\"a \"\"b\"\"\nc\"|d\nx", "|", ["a \"b\"\nc", "d"], 14, 2),
      // A quote within a name opens nothing.
      ("5\" screen,b\nx", ",", ["5\" screen", "b"], 12, 1),
    ])
  func columns(text: String, separator: Character, columns: [String], end: Int, lines: Int) throws {
    for isAtEnd in [true, false] {
      let header = try #require(read(text, isAtEnd: isAtEnd))
      #expect(header.separator == separator.asciiValue)
      #expect(header.columns == columns)
      #expect(header.end == end && header.lines == lines)
    }
  }

  @Test(
    "Without its end more must be read, unless there is no more",
    arguments: [("device,time", ["device", "time"]), ("a,\"b\nc", ["a", "b\nc"])])
  func open(text: String, columns: [String]) {
    #expect(read(text, isAtEnd: false) == nil)
    #expect(read(text)?.columns == columns)
    #expect(read(text)?.end == text.utf8.count)
  }
}
