import SKANBase
import SKANDevice
import TestSupport
import Testing

@testable import SKANTimeline

@Suite("Parts of a terminal's chart")
struct StripTests {
  @Test("A label has a free column on each side, stays within the strip and before its end")
  func labels() {
    var strip = TextStrip(width: 10)
    for (text, column, end, fits) in [
      ("", 1, nil, false), ("abc", -1, nil, false), ("abc", 8, nil, false), ("abc", 2, 4, false), ("abc", 2, 5, true),
      ("x", 1, nil, false), ("x", 5, nil, false), ("y", 0, nil, true), ("ab", 8, 20, true), ("z", 7, nil, false),
      ("z", 6, nil, true),
    ] as [(String, Int, Int?, Bool)] {
      #expect(strip.label(text, at: column, before: end) == fits, "\(text) \(column)")
    }
    #expect(strip.text == "y abc z ab" && strip.width == 10)
    strip.fill(-2..<1, with: "-")
    strip.fill(9..<12, with: "=")
    strip.put("!", at: 10)
    #expect(strip.text == "- abc z a=")
  }

  @Test(
    "The last value of a window has its label at its column, after the present, or as near before it as there is space",
    arguments: [
      (["high", "hi"], 2, 8, nil, "", "  high      "), (["high", "hi"], 2, 6, nil, "", "  high      "),
      (["high", "hi"], 2, 5, nil, "", "  hi        "), (["high", "hi"], 2, 3, nil, "", "            "),
      (["high", "hi"], 2, 3, 0..<12, "", "  high      "), (["high", "hi"], 2, 3, 0..<6, "", "  high      "),
      (["high", "hi"], 2, 3, 0..<5, "", "  hi        "), (["high", "hi"], 2, 3, 0..<4, "", "  hi        "),
      (["high", "hi"], 2, 3, 0..<3, "", " hi         "), (["high", "hi"], 2, 3, 1..<3, "", " hi         "),
      (["high", "hi"], 2, 3, 2..<3, "", "            "), (["hi"], 5, 6, 0..<12, "      x", "   hi x     "),
      (["hi"], 5, 6, 0..<12, "     x", "     x      "),
      (["hi"], 20, 21, 0..<12, "", "          hi"),
    ] as [([String], Int, Int, Range<Int>?, String, String)])
  func last(texts: [String], start: Int, end: Int, room: Range<Int>?, taken: String, text: String) {
    var strip = TextStrip(width: 12)
    if let column = taken.firstIndex(of: "x") {
      strip.label("x", at: taken.distance(from: taken.startIndex, to: column))
    }
    LaneLabel(texts: texts, start: start, end: end, room: room).put(on: &strip)
    #expect(strip.text == text)
  }

  @Test("Every sign is one of a kind")
  func glyphs() { #expect(Set(StoryItem.Mark.allCases.map(Glyphs.mark)).count == 6) }
}
