import Foundation
import TestSupport
import Testing

@Suite("On a terminal", .enabled(if: Python.isThere, Python.isMissing), .timeLimit(.minutes(TestTime.minutes)), .waits)
struct TerminalExecutableTests {
  private static let escape = "\u{1B}["

  /// The lengths of the lines, without colors.
  private func widths(_ text: String) -> [Int] {
    text.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(separator: "\n").map(\.count)
  }

  @Test(
    "Lines are as wide as it is, and have colors where it shows them",
    arguments: [
      (50, "xterm", true), (100, "xterm", true), (100, "dumb", false), (100, nil, false), (0, "xterm", true),
    ] as [(Int, String?, Bool)])
  func width(columns: Int, term: String?, isColored: Bool) throws {
    let workspace = try Workspace()
    let text = try TerminalRun.output("explain lock-leaked", columns: columns, term: term, in: workspace)
    #expect(text.contains(Self.escape) == isColored)
    let widest = try #require(widths(text).max())
    // One that does not state its width is as wide as terminals were.
    let room = columns == 0 ? 80 : columns
    #expect(widest <= room && widest > room / 2, "\(text)")
  }

  @Test("A replay that waits for answers shows how far it is", arguments: ["--test", ""])
  func progress(options: String) throws {
    let server = try TestServer { _ in .delayed(1.2, .status(200, body: #"{"status":"ok"}"#)) }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write("a.jsonl", "{\"op\":\"register\"}\n{\"op\":\"session\"}\n")
    let arguments = "replay a.jsonl --endpoint http://127.0.0.1:\(server.port) \(options)"
    let text = try TerminalRun.output(arguments, columns: 80, term: "xterm", in: workspace)
    // How many steps a second is the machine's matter.
    #expect(text.contains(/\r\u{1B}\[K\[#{24}\] 100%  [0-9.]+ steps\/s  0s left/), "\(text)")
    let plain = try TerminalRun.output(arguments, columns: 80, term: "dumb", in: workspace)
    #expect(!plain.contains("\r") && plain.contains(options.isEmpty ? "registered" : "2 steps"), "\(plain)")
  }
}
