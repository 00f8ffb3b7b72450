import Foundation
import TestSupport
import Testing

/// Blocks of the manual that are to be copied and pasted, run by a shell beside the fixtures.
@Suite("The manual's blocks")
struct ManualBlockTests {
  @Test("Check your app's traffic")
  func traffic() throws {
    let workspace = try Workspace()
    try FileManager.default.createSymbolicLink(at: workspace("fixtures"), withDestinationURL: Checkout.fixtures)
    let chapter = try Manual.article("Checking")
    // What is between fences; the texts around it are every other part.
    let parts = chapter.components(separatedBy: "\n```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    let blocks = parts.filter { $0.hasPrefix("sh\n") }.map { $0.dropFirst(3) }.joined(separator: "\n")
    let run = try workspace.shell("set -e; skan() { \"$SKAN\" \"$@\"; }\n\(blocks)")
    #expect(run.code == 0, "\(run)")
    #expect(run.out.hasPrefix("4 requests of 1 device: 1 launch, 1 evt, 2 conversion_value; 0 errors"))
    #expect(run.out.contains("30 steps, 105 expectations, 0 failed"))
    #expect(try workspace.names() == ["check.xml", "findings.csv", "fixtures", "life.jsonl", "shared.har"])
  }
}
