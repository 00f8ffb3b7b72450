import Foundation
import Testing

@testable import SKANBase

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
