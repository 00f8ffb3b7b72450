import Foundation
import SKANBase
import SKANHTTP
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

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

/// What the executable writes to a terminal of its own, which Python makes.
enum TerminalRun {
  private static let program = """
    import fcntl, os, pty, struct, sys, termios
    process, terminal = pty.fork()
    if process == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
        os.execv(sys.argv[2], sys.argv[2:])
    while True:
        try:
            data = os.read(terminal, 4096)
        except OSError:
            break
        if not data:
            break
        sys.stdout.buffer.write(data)
    os.waitpid(process, 0)

    """

  /// - Parameters:
  ///   - arguments: words of the shell.
  ///   - columns: the width that the terminal states; 0 = none.
  ///   - term: what `TERM` says; nil = it is not set.
  static func output(_ arguments: String, columns: Int, term: String?, in workspace: Workspace) throws -> String {
    try workspace.write("terminal.py", program)
    let variable = term.map { "export TERM=\($0)" } ?? "unset TERM"
    let run = try workspace.shell(Python.line("\(variable); python3 terminal.py \(columns) \"$SKAN\" \(arguments)"))
    #expect(run.code == 0 && run.err.isEmpty, "\(run)")
    // A terminal turns each line feed into two characters.
    return run.out.replacing("\r\n", with: "\n")
  }
}
