import Foundation
import SKANDevice
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// The drawing that the README shows.
@Suite("The drawing of the README", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct TimelineFixtureTests {
  @Test("Is up to date") func isUpToDate() throws {
    let workspace = try Workspace()
    let folder = Checkout.fixtures.appending(path: "timeline")
    let drawing = folder.appending(path: "trial.svg")
    let run = try workspace.run(["timeline", folder.appending(path: "trial.jsonl").path, "--svg", "-"])
    // SKAN_UPDATE_EXPECTED=1 swift test --filter TimelineFixture, and then look at it.
    try ExpectedFiles.update { try Data(run.out.utf8).write(to: drawing) }
    #expect(run.out == String(decoding: try Data(contentsOf: drawing), as: UTF8.self))
    #expect(run.err.isEmpty && run.code == 0)
  }
}
