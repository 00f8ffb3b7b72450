import Foundation
import Testing

@testable import SKANBase

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
