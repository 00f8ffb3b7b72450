import SKANBase
import SKANRun
import TestSupport
import Testing

@testable import SKANBacktest

/// JSON as the tools of warehouses write it: an array, objects over several lines, or several objects on a line.
@Suite("JSON that is not one object a line")
struct JSONElementsTests {
  /// Three rows, with what confuses a reader that does not know texts: brackets, quotes and commas in them.
  private static let objects = [
    #"{"device":"a]}[{","time":1767225600,"name":"install"}"#,
    #"{"device":"a]}[{","time":1767225660,"name":"x\"y\\","more":{"list":[1,{"k":"]"}],"none":null}}"#,
    #"{"name":"buy","time":1767225720,"device":"b","revenue":4.99,"currency":"USD"}"#,
  ]

  /// The objects with each member on a line of its own.
  private static let pretty = objects.map { object in
    var (text, isText, isEscaped) = ("", false, false)
    for character in object {
      if isText {
        text.append(character)
        (isText, isEscaped) = (isEscaped || character != "\"", !isEscaped && character == "\\")
      } else {
        isText = character == "\""
        text += character == "," ? ",\n  " : character == "}" ? "\n}" : character == "{" ? "{\r\n  " : "\(character)"
      }
    }
    return text
  }

  /// How a tool writes objects.
  private static let writers: [(name: String, text: String)] = [
    ("an array on one line", "[\(objects.joined(separator: ","))]"),
    ("an array, an object a line", "[\n  \(objects.joined(separator: ",\n  "))\n]\n"),
    ("an array with leading commas", "[\(objects.joined(separator: "\n,"))\n]\n"),
    ("an array over many lines", "[\n\(pretty.joined(separator: ",\n"))\n]"),
    ("a mark and an array", "\u{FEFF}[\r\n\(pretty.joined(separator: ",\r\n"))\r\n]\r\n"),
    ("objects over many lines", pretty.joined(separator: "\n") + "\n"),
    ("objects on one line", objects.joined()), ("objects on one line, apart", objects.joined(separator: " ")),
    ("arrays, one after the other", objects.map { "[\($0)]" }.joined(separator: "\n")),
  ]

  @Test("Every form has the rows of JSON Lines, however it arrives", arguments: 0..<9)
  func forms(index: Int) throws {
    let lines = try ExportText(Self.objects.joined(separator: "\n"))
    #expect(lines.rows.count == 3 && lines.tally.rejectedRows == 0)
    let writer = Self.writers[index]
    for pieces in [1, 2, 7, 4096] {
      for blockSize in [64, 1 << 20] {
        let export = try ExportText(writer.text, blockSize: blockSize, pieces: pieces)
        #expect(export.rows == lines.rows, "\(writer.name)")
        #expect(export.layout?.columns == lines.layout?.columns)
        #expect(export.tally.rows == 3 && export.tally.rejectedRows == 0)
      }
    }
    #expect(Self.writers.count == 9)
  }

  @Test("An array that is cut off anywhere is an error, and never a shorter export")
  func cut() throws {
    for writer in Self.writers.prefix(4) {
      let bytes = Array(writer.text.utf8)
      let whole = writer.text.lastIndex(of: "]").map { writer.text.utf8.distance(from: writer.text.startIndex, to: $0) }
      for count in 2...(try #require(whole)) {
        let text = String(decoding: bytes[..<count], as: UTF8.self)
        // Before the first object begins, it is the header of a table without a row.
        guard text.contains("{") else { continue }
        #expect(throws: ExportFailure.self, "\(text)") { try ExportText(text) }
      }
    }
  }

  private func failure(_ text: String) -> ExportFailure? {
    do {
      _ = try ExportText(text)
      return nil
    } catch { return error as? ExportFailure }
  }

  @Test("The place of an error is where its element begins")
  func places() {
    let early = "not JSON: the text ends too early"
    #expect(failure("[\n{\"a\":1},\n\n{\"b\":\n2") == .content(line: 4, message: early))
    #expect(failure("{\n\"a\":1}\n{\n\"b\"") == .content(line: 3, message: early))
    #expect(failure("[{\"a\":1}\n") == .content(line: 1, message: early))
    let long = "[\n{\"a\":1},\n{\"a\":\"\(String(repeating: "x", count: ExportBlocks.longestRecord))\"}]"
    #expect(
      failure(long)
        == .content(
          line: 3,
          message: "the element of this line has more than 1048576 bytes: is a bracket or a quote missing?"))
  }

  @Test("An element that is no object is rejected, with its line")
  func rejected() throws {
    let export = try ExportText(
      "[\n\(Self.objects[0]),\n1,\n[2,\n3],\n\"text, [\",\n\n  \(Self.objects[2]), {\"a\":}]\n")
    #expect(export.rows.count == 2)
    #expect(export.tally.rows == 6)
    #expect(export.tally.places.map(\.line) == [3, 4, 6])
    #expect(export.tally.rejected[ImportRejection.json.rawValue] == 4)
  }

  @Test("Members that occur later are columns, up to the thousandth object", arguments: [999, 1000, 1001])
  func columns(place: Int) throws {
    let late = #"{"device":"a","time":1767225600,"name":"x","late":{"one":1}}"#
    let early = #"{"device":"a","time":1767225600}"#
    let objects = (1...1100).map { $0 == place ? late : early }
    for text in [objects.joined(separator: "\n"), "[\n\(objects.joined(separator: ",\n"))\n]"] {
      let export = try ExportText(text, ExportPreset.plain.mapping)
      let isFound = place <= JSONObjects.mostExamined
      #expect(export.layout?.columns == ["device", "time"] + (isFound ? ["name", "late.one"] : []))
      #expect(export.rows.count == 1)
      #expect(export.tally.rows == 1100)
    }
  }

  @Test("An empty array has no row, and an event list must be lines")
  func others() throws {
    for text in ["[]", " [\n]\n"] { #expect(try ExportText(text).layout == nil) }
    let list = failure("[{\"op\":\"session\"}]")
    #expect(
      list == .content(line: 1, message: "this is an event list, of which each step is a line: jq -c makes them"))
  }
}
