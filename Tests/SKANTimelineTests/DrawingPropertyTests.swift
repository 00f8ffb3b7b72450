import Foundation
import SKANBase
import SKANTimeline
import TestSupport
import Testing

@Suite("Drawings of random lives")
struct DrawingPropertyTests {
  @Test(arguments: Rounds.of(30))
  func terminal(seed: Int) throws {
    let timeline = try LivedPhone(RandomLives.list(seed: UInt64(seed))).timeline
    for (isASCII, width) in [(false, 80), (true, 80), (false, 60), (true, 133), (false, 200)] {
      let lines = TimelineText(timeline, isASCII: isASCII, width: width).lines
      #expect(lines == TimelineText(timeline, isASCII: isASCII, width: width).lines)
      // The rules of the windows take all of it.
      #expect(lines.contains { $0.columns == width })
      for line in lines {
        #expect(line.columns <= width, "\(line)")
        #expect(!line.hasSuffix(" ") && !line.contains { $0.isNewline })
        if isASCII { #expect(line.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }, "\(line)") }
      }
    }
  }

  @Test("Below the least width the drawing is as wide as that")
  func narrow() throws {
    let timeline = try LivedPhone(RandomLives.list(seed: 1)).timeline
    let narrow = TimelineText(timeline, isASCII: false, width: 10).lines
    #expect(narrow == TimelineText(timeline, isASCII: false, width: 60).lines)
    #expect(TimelineText(timeline, isASCII: false).lines == TimelineText(timeline, isASCII: false, width: 80).lines)
  }

  @Test(arguments: Rounds.of(30))
  func svg(seed: Int) throws {
    let timeline = try LivedPhone(RandomLives.list(seed: UInt64(seed))).timeline
    let drawing = TimelineSVG(timeline)
    #expect(drawing.text == TimelineSVG(timeline).text)
    check(boxes: drawing)
    check(numbers: drawing)
    // A life of hundreds of steps is no longer than one of dozens.
    #expect(drawing.text.utf8.count < 120_000)
  }

  /// No text lies on another or leaves the drawing.
  private func check(boxes drawing: TimelineSVG) {
    let boxes = drawing.textBoxes
    for (index, box) in boxes.enumerated() {
      #expect(
        box.left >= 0 && box.right <= drawing.size.width && box.top >= 0 && box.bottom <= drawing.size.height, "\(box)")
      for other in boxes[..<index] where box.top < other.bottom && other.top < box.bottom {
        #expect(box.left >= other.right || other.left >= box.right, "\(box) lies on \(other)")
      }
    }
  }

  private func check(numbers drawing: TimelineSVG) {
    let text = drawing.text
    #expect(!text.contains("nan") && !text.contains("inf\""))
    for (name, most) in [("x", drawing.size.width), ("cx", drawing.size.width), ("y", drawing.size.height)] {
      for part in text.components(separatedBy: " \(name)=\"").dropFirst() {
        guard let number = Double(part.prefix { $0 != "\"" }) else {
          Issue.record("\(name) is no number: \(part.prefix(20))")
          continue
        }
        #expect(number >= 0 && number <= most, "\(name)=\(number)")
      }
    }
    for scalar in text.unicodeScalars {
      #expect(scalar == "\n" || scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF)
    }
  }
}
