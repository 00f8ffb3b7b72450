import Foundation
import TestSupport
import Testing

/// Blocks of the README that are to be copied and pasted, run by a shell beside the fixtures.
@Suite("The README's blocks")
struct ReadmeBlockTests {
  @Test("Check your app's traffic")
  func traffic() throws {
    let workspace = try Workspace()
    try FileManager.default.createSymbolicLink(at: workspace("fixtures"), withDestinationURL: Checkout.fixtures)
    let chapter = try Readme().part(from: "\n## Check your app's traffic\n", to: "\n## ")
    let start = try #require(chapter.range(of: "```sh\n"))
    let end = try #require(chapter[start.upperBound...].range(of: "```"))
    let run = try workspace.shell("set -e; skan() { \"$SKAN\" \"$@\"; }\n\(chapter[start.upperBound..<end.lowerBound])")
    #expect(run.code == 0, "\(run)")
    #expect(run.out.hasPrefix("4 requests of 1 device: 1 launch, 1 evt, 2 conversion_value; 0 errors"))
    #expect(try workspace.names() == ["check.xml", "findings.csv", "fixtures", "shared.har"])
  }
}
