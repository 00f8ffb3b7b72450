import Foundation
import Testing

@testable import SKANSystem

@Suite("Lines added to a file")
struct LineWriterTests {
  @Test(
    "As many whole lines as there is room for, and at least one",
    arguments: [
      ("ab\ncd\n", 6, "ab\ncd\n"), ("ab\ncd\n", 5, "ab\n"), ("ab\ncd\n", 3, "ab\n"), ("ab\ncd\n", 2, "ab\n"),
      ("ab\ncd\n", 1, "ab\n"), ("abcdef", 2, "abcdef"), ("ab\ncd\nef\n", 8, "ab\ncd\n"), ("\n\n\n", 2, "\n\n"),
    ])
  func pieces(lines: String, room: Int, piece: String) {
    #expect(Array(LineWriter.firstPiece(of: Array(lines.utf8)[...], room: room)) == Array(piece.utf8))
  }
}
