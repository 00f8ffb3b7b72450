import Foundation
import SKANBase
import SKANHTTP
import SKANServe
import SKANTraffic
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Lines of requests on a terminal")
struct RequestLinesTests {
  private static let text =
    "12:00:00.001  IDFV  GET /a  200 ok  1 low  Why.\n12:00:00.002  ::1  not HTTP  400  -  [r] It.\n"

  private static func parts(_ text: String) -> [RequestLogPart] {
    let marks: [(RequestLogPart.Kind, String)] = [
      (.time, "12:00:00.001"), (.success, "200 ok"), (.time, "12:00:00.002"), (.failure, "not HTTP  400"),
      (.finding, "[r]"),
    ]
    return marks.compactMap { kind, part in
      guard let range = text.firstRange(of: part) else { return nil }
      return RequestLogPart(
        kind: kind, range: text.utf8.distance(of: range.lowerBound)..<text.utf8.distance(of: range.upperBound))
    }
  }

  private static func styled(_ text: String, key: String? = nil, _ style: TerminalStyle) -> String {
    let redactor = Redactor(key: key)
    return String(
      decoding: RequestLines.styled(Array(text.utf8), parts(text), redactor, style), as: UTF8.self)
  }

  @Test("Each part in its color, of all lines of a piece")
  func colors() {
    #expect(
      Self.styled(Self.text, TerminalStyle(isColored: true))
        == "\u{1B}[2m12:00:00.001\u{1B}[0m  IDFV  GET /a  \u{1B}[32m200 ok\u{1B}[0m  1 low  Why.\n"
        + "\u{1B}[2m12:00:00.002\u{1B}[0m  ::1  \u{1B}[31mnot HTTP  400\u{1B}[0m  -  \u{1B}[33m[r]\u{1B}[0m It.\n")
  }

  @Test("Long lines go on behind the time; without colors the text is as it was")
  func wrapped() {
    #expect(
      Self.styled(Self.text, TerminalStyle(columns: 45))
        == "12:00:00.001  IDFV  GET /a  200 ok  1 low\n              Why.\n"
        + "12:00:00.002  ::1  not HTTP  400  -  [r] It.\n")
    #expect(Self.styled(Self.text, TerminalStyle(columns: 200)) == Self.text)
  }

  @Test("What a client sends cannot color or move anything, and the key is not printed")
  func hostile() {
    let text = "12:00:00.001  \u{1B}[31mred\u{9B}  GET /sekret-key  200 ok  -\n"
    let shown = Self.styled(text, key: "sekret-key", TerminalStyle(isColored: true))
    #expect(!shown.contains("\u{1B}[31m") && !shown.contains("\u{9B}") && !shown.contains("sekret"))
  }
}

extension String.UTF8View {
  fileprivate func distance(of index: String.Index) -> Int { distance(from: startIndex, to: index) }
}
