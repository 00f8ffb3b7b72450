import Foundation
import SKANDevice
import TestSupport
import Testing

@testable import SKANTraffic

@Suite("Spellings of captures")
struct CaptureSpellingTests {
  private static let names = CaptureFixtureTests.fixtures.map(\.name)

  /// The text of a fixture, with a line end after its last line.
  private static func text(_ name: String) throws -> String {
    let text = try String(contentsOf: Checkout.fixtures.appending(path: "traffic/\(name)"), encoding: .utf8)
    return text.hasSuffix("\n") ? text : text + "\n"
  }

  /// The text with as many blanks in it that the beginning by which its form is recognized ends in the middle of what follows.
  private static func long(_ text: String) -> String {
    let blanks = String(repeating: " ", count: max(0, 65_536 - text.utf8.count / 2))
    let end =
      text.firstIndex(of: text.contains("\"entries\"") ? "{" : "\n").map { text.index(after: $0) } ?? text.startIndex
    return "\(text[..<end])\(blanks)\n\(text[end...])"
  }

  private static func requests(_ captured: Captured) -> [String] {
    captured.requests.map { "\($0.request) \($0.at?.description ?? "") \($0.answer)" }
  }

  @Test("Each in every spelling of a text of lines, short and long", arguments: names, LineSpelling.allCases)
  func lines(name: String, spelling: LineSpelling) throws {
    let text = try Self.text(name)
    let plain = Self.requests(try Captured(text))
    #expect(plain.count >= 4)
    for text in [text, Self.long(text)] {
      let captured = try Captured(spelling.apply(text))
      #expect(Self.requests(captured) == plain && captured.problems == [])
    }
  }

  @Test("Each that is JSON in other spellings of its texts and blanks", arguments: JSONSpelling.allCases)
  func json(spelling: JSONSpelling) throws {
    for name in Self.names where name.hasSuffix("json") || name.hasSuffix("har") && spelling == .spaced {
      // A line is one object.
      if spelling == .spaced, name.hasSuffix("json") { continue }
      let text = try Self.text(name)
      let lines = name.hasSuffix("har") ? [text] : text.split(separator: "\n").map(String.init)
      let other = lines.enumerated().map { $0 > 0 && spelling == .byteOrderMark ? $1 : spelling.apply($1) }
      let captured = try Captured(other.joined(separator: "\n"))
      #expect(Self.requests(captured) == Self.requests(try Captured(text)) && captured.problems == [], "\(name)")
    }
  }
}
