import Foundation
import SKANBase
import SKANHTTP
import SKANSigning
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The app's server over the wire", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ForwardExecutableTests {
  @Test("A report arrives by GET and by POST, and the model's value comes back", arguments: [[], ["--post"]])
  func arrives(post: [String]) throws {
    let workspace = try Workspace()
    let model = Checkout.fixtures.appending(path: "models/engagement.json").path
    let served = try Served(["--model", model, "--journal", "journal.ndjson"], in: workspace)
    _ = try workspace.run(["register", "-q", "--at", "2026-01-01T00:00:00Z"])
    let event = try workspace.run(
      ["s2s", "event", "a+b c", "--revenue", "9.99", "--currency", "USD", "--endpoint", served.address] + post)
    #expect(event.code == 0, "\(event)")
    let session = try workspace.run(
      ["session", "--forward", "--after", "1m", "--endpoint", served.address, "--expect", "forwarded.0.outcome=ok"]
        + post)
    #expect(session.code == 0 && session.out.contains("launch is accepted; its conversion_value is 1."), "\(session)")
    _ = served.end(SIGINT)
    let journal = try #require(workspace["journal.ndjson"])
    // Escaped so that a form and a query read back the same.
    #expect(journal.contains(post.isEmpty ? #""n":"a+b c""# : "&n=a%2Bb%20c&"))
  }
}
