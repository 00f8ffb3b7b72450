import Foundation
import SKANBase
import SKANHTTP
import SKANServe
import SKANTraffic
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The lines of serve", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ServeLogTests {
  private static let path =
    "/api/v2/conversion_value?a=SECRET&v=17.4&i=com.example.app&app_v=1.0&n=__SESSION__&p=iOS&idfv=IDFV-1"
    + "&skan_current_conversion_value=0&skan_last_call_to_skadnetwork_timestamp=1767225600"
    + "&skan_first_call_to_skadnetwork_timestamp=1767225600"
  private static let time = [("X-SKAN-Device-Time", "1767225600")]

  private func served(_ options: String..., isQuiet: Bool = false) throws -> Served {
    let workspace = try Workspace()
    try workspace.write("model.json", Workspace.exampleModel("engagement"))
    return try Served(["--model", "model.json"] + options, in: workspace, isQuiet: isQuiet)
  }

  @Test("One line a request on standard output, without the query")
  func lines() throws {
    let server = try served()
    _ = try server.get(Self.path, headers: Self.time)
    _ = try server.get("/nothing")
    _ = try server.get("/x", headers: [("Content-Length", "x")])
    let end = server.end(SIGTERM)
    let lines = end.out.split(separator: "\n")
    #expect(end.code == 0 && end.err == "" && lines.count == 3, "\(end)")
    #expect(lines[0].dropFirst(12).hasPrefix("  IDFV-1  GET /api/v2/conversion_value  200 ok  1 low  __SESSION__ for"))
    #expect(lines[1].dropFirst(12).hasPrefix("  127.0.0.1  GET /nothing  404 error  -  no such path"))
    #expect(lines[2].dropFirst(12).hasPrefix("  127.0.0.1  not HTTP  400  -  The Content-Length header"))
    #expect(!end.out.contains("SECRET"))
  }

  @Test("-v adds the query without the key, -q leaves all out")
  func options() throws {
    for (option, isShown) in [("-v", true), ("-q", false)] {
      let server = try served(option)
      _ = try server.get(Self.path, headers: Self.time)
      let end = server.end(SIGTERM)
      #expect(end.out.contains("?a=REDACTED&v=17.4&") == isShown && !end.out.contains("SECRET"), "\(end)")
      #expect(end.out.isEmpty != isShown)
    }
    let both = try Workspace().run(["serve", "-q", "-v"])
    #expect(both.code == 64 && both.err.hasPrefix("skan: --quiet and --verbose exclude each other\n"), "\(both)")
  }

  @Test("With a command the lines go to standard error")
  func command() throws {
    let workspace = try Workspace()
    try workspace.write("model.json", Workspace.exampleModel("engagement"))
    #expect(try workspace.run(["register", "--at", "2026-01-01T00:00:00Z"]).code == 0)
    let run = try workspace.run([
      "serve", "--model", "model.json", "--", Workspace.executable.path, "session", "--after", "1h",
    ])
    #expect(run.code == 0 && run.out.hasPrefix("updated"), "\(run)")
    #expect(run.err.contains("  GET /api/v2/conversion_value  200 ok  1 low  __SESSION__ for"), "\(run)")
  }

  @Test("A pipe that nobody reads holds up no answer")
  func fullPipe() throws {
    let server = try served()
    // Some 100 KB of lines; a pipe holds 64.
    for _ in 0..<400 { #expect(try server.get("/nothing").status == 404) }
    let end = server.end(SIGTERM)
    let lines = end.out.split(separator: "\n")
    #expect(end.code == 0 && (100..<400).contains(lines.count), "\(lines.count)")
    #expect(lines.dropLast().allSatisfy { $0.contains("GET /nothing  404 error  -  no such path") })
  }
}
