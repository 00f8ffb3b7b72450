import Foundation
import SKANDevice
import TestSupport
import Testing

@testable import SKANTimeline

/// Every number and word of a drawing counts. Those of the end-to-end cases were looked at.
@Suite("Drawings are those that were looked at")
struct PinnedDrawingTests {
  private static let folder = Checkout.root.appending(path: "Tests/EndToEnd")
  private static let cases = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter {
    name in
    name.hasPrefix("timeline-")
      && ["files/list.jsonl", "expected.files/life.svg"].allSatisfy {
        FileManager.default.fileExists(atPath: folder.appending(path: "\(name)/\($0)").path)
      }
  }

  @Test("Drawing", arguments: cases)
  func drawing(name: String) throws {
    func text(_ path: String) throws -> String {
      try String(contentsOf: Self.folder.appending(path: "\(name)/\(path)"), encoding: .utf8)
    }
    let timeline = try LivedPhone(text("files/list.jsonl")).timeline
    let drawn = TimelineText(timeline).lines.joined(separator: "\n") + "\n"
    let heads = ["", " --svg life.svg"].map { "$ skan timeline list.jsonl\($0)\n" }
    #expect(try text("expected.out") == heads[0] + drawn + heads[1])
    #expect(try text("expected.files/life.svg") == TimelineSVG(timeline).text)
  }

  @Test("All") func all() { #expect(Self.cases.count > 5) }
}
