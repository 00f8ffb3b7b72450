import Foundation
import SKANBase
import SKANHTTP
import SKANServe
import SKANTraffic
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("serve with a command of the user's", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ServeCommandTests {
  private static var listening: Regex<(Substring, Substring)> { #/skan: listening on http://127\.0\.0\.1:([0-9]+)\n/# }

  private func workspace() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write("model.json", Workspace.exampleModel("engagement"))
    return workspace
  }

  @Test("The command finds the server on a free port; standard output is its own")
  func environment() throws {
    let run = try workspace().run([
      "serve", "--model", "model.json", "--", "/bin/sh", "-c", "echo \"$SKAN_ENDPOINT $1\"; echo bad >&2", "sh", "a b",
    ])
    #expect(run.code == 0, "\(run)")
    let port = try #require(run.err.firstMatch(of: Self.listening)).1
    #expect(run.out == "http://127.0.0.1:\(port) a b\n")
    #expect(port != "8787" && port != "0" && run.err.hasSuffix("bad\n"))
  }

  @Test("The command is served, and skan itself takes the variable")
  func served() throws {
    let workspace = try workspace()
    let run = try workspace.run([
      "serve", "--model", "model.json", "--", Workspace.executable.path, "register", "--at", "2026-01-01T00:00:00Z",
    ])
    #expect(run.code == 0 && run.out.hasPrefix("registered"), "\(run)")
    let session = try workspace.run([
      "serve", "--model", "model.json", "--journal", "journal.jsonl", "--", Workspace.executable.path, "session",
      "--at",
      "+1h",
    ])
    #expect(session.code == 0 && session.out.hasPrefix("updated"), "\(session)")
    #expect(workspace["journal.jsonl"]?.split(separator: "\n").count == 1)
  }

  @Test(
    "Its exit code is passed on, and 128 and the signal that ended it",
    arguments: [("exit 0", 0), ("exit 1", 1), ("exit 42", 42), ("kill -9 $$", 137), ("kill -TERM $$", 143)])
  func status(script: String, code: Int32) throws {
    let run = try workspace().run(["serve", "--model", "model.json", "--", "sh", "-c", script])
    #expect(run.code == code, "\(run)")
    #expect(run.out == "")
    #expect(try #require(run.err.wholeMatch(of: Self.listening)).1 != "0")
  }

  @Test("What cannot be started: 127 and 126, and a plain message")
  func notStarted() throws {
    let workspace = try workspace()
    try workspace.write("plain.txt", "hello\n")
    try workspace.write("text", "hello\n")
    try workspace.write("torn.sh", "#!/nowhere/sh\n")
    try FileManager.default.createSymbolicLink(atPath: workspace("loop").path, withDestinationPath: "loop")
    for name in ["text", "torn.sh"] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: workspace(name).path)
    }
    let cases: [(String, Int32, String)] = [
      ("no-such-program", 127, "no-such-program: there is no such program on the PATH"),
      ("./none", 127, "./none: there is no such file, or its first line names a program that is not there"),
      ("./torn.sh", 127, "./torn.sh: there is no such file, or its first line names a program that is not there"),
      ("./text/none", 127, "./text/none: there is no such file: Not a directory"),
      ("./loop", 127, "./loop: there is no such file: Too many levels of symbolic links"),
      ("./plain.txt", 126, "./plain.txt: it is not executable"), (".", 126, ".: it is not executable"),
      ("./text", 126, "./text: it is not a program; a script begins with a line such as #!/bin/sh"),
    ]
    for (program, code, message) in cases {
      let run = try workspace.run(["serve", "--model", "model.json", "--", program])
      #expect(run.code == code, "\(run)")
      #expect(run.err.hasSuffix("skan: cannot start \(message)\n"), "\(run)")
    }
  }

  @Test("A signal reaches the command, which the server outlives", arguments: [SIGINT, SIGTERM])
  func signals(signal: Int32) throws {
    let workspace = try workspace()
    let script = """
      trap 'echo INT; exit 7' INT; trap 'echo TERM; exit 7' TERM; touch ready
      while :; do sleep 0.05; done
      """
    let running = try workspace.start(["serve", "--model", "model.json", "--", "sh", "-c", script])
    TestTime.wait { workspace["ready"] != nil }
    running.interrupt(signal)
    let run = running.end()
    #expect(run.code == 7 && run.out == (signal == SIGINT ? "INT\n" : "TERM\n"), "\(run)")
  }

  @Test("A stopped command is continued for a request to stop", arguments: [SIGINT, SIGTERM])
  func stopped(signal: Int32) throws {
    let workspace = try workspace()
    let running = try workspace.start([
      "serve", "--model", "model.json", "--", "sh", "-c", "echo $$ > part; mv part pid; kill -STOP $$; sleep 30",
    ])
    TestTime.wait { workspace["pid"] != nil }
    Thread.sleep(forTimeInterval: 0.1)
    let began = ContinuousClock.now
    running.interrupt(signal)
    #expect(running.end().code == 128 + signal)
    #expect(began.duration(to: .now) < .seconds(20))
  }

  #if os(Linux)
    @Test("A command gets SIGTERM when skan is killed")
    func orphan() throws {
      let workspace = try workspace()
      let script = "trap 'touch ended; exit' TERM; touch ready; while :; do sleep 0.05; done"
      let running = try workspace.start(["serve", "--model", "model.json", "--", "sh", "-c", script])
      TestTime.wait { workspace["ready"] != nil }
      running.interrupt(SIGKILL)
      TestTime.wait { workspace["ended"] != nil }
      #expect(running.end().code != 0)
    }
  #endif

  @Test("A command that a signal ends: 128 and its number")
  func endedBySignal() throws {
    let workspace = try workspace()
    let running = try workspace.start([
      "serve", "--model", "model.json", "--", "sh", "-c", "touch ready; exec sleep 30",
    ])
    TestTime.wait { workspace["ready"] != nil }
    Thread.sleep(forTimeInterval: 0.1)
    running.interrupt(SIGTERM)
    #expect(running.end().code == 143)
  }

  @Test("A closed pipe ends the command as it does elsewhere: it does not ignore SIGPIPE")
  func pipe() throws {
    let run = try workspace().run([
      "serve", "--model", "model.json", "--", "sh", "-c", "(yes; echo \"$?\" >&2) | head -1; exit 3",
    ])
    #expect(run.code == 3 && run.out == "y\n" && run.err.hasSuffix("141\n"), "\(run)")
  }

  @Test("--open gives the page's address to the system's program for URLs")
  func opens() throws {
    let workspace = try workspace()
    try FileManager.default.createDirectory(at: workspace("bin"), withIntermediateDirectories: true)
    for name in ["open", "xdg-open"] {
      try workspace.writeProgram("bin/\(name)", "#!/bin/sh\necho \"$1\" > opened.part; mv opened.part opened\n")
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/bin"
    let run = try workspace.run(
      ["serve", "--open", "--", "sh", "-c", "until [ -e opened ]; do sleep 0.05; done; echo \"$SKAN_ENDPOINT/\""],
      environment: ["PATH": "\(workspace("bin").path):\(path)"])
    #expect(run.code == 0 && run.out.hasPrefix("http://") && workspace["opened"] == run.out, "\(run)")
  }

  @Test("--port and --host count; the command gets an address that it can reach")
  func address() throws {
    let workspace = try workspace()
    let run = try workspace.run([
      "serve", "--host", "0.0.0.0", "--model", "model.json", "--", "sh", "-c", "echo $SKAN_ENDPOINT",
    ])
    #expect(run.code == 0 && run.out.hasPrefix("http://127.0.0.1:"), "\(run)")
    let server = try Served(["--model", "model.json"], in: workspace)
    let port = try #require(server.address.split(separator: ":").last.map(String.init))
    let taken = try workspace.run(["serve", "--port", port, "--", "true"])
    #expect(taken.code == 69 && taken.err.contains("is in use already"), "\(taken)")
    #expect(server.end(SIGTERM).code == 0)
  }

  @Test("--check and a command: the worse of both")
  func check() throws {
    let workspace = try workspace()
    let broken =
      "exec 3<>/dev/tcp/127.0.0.1/${SKAN_ENDPOINT##*:}; printf 'GET /api/v2/conversion_value?p=x HTTP/1.0\\r\\n\\r\\n' >&3; cat <&3 >/dev/null"
    let run = try workspace.run(["serve", "--check", "--model", "model.json", "--", "/bin/bash", "-c", broken])
    #expect(run.code == 1, "\(run)")
  }
}
