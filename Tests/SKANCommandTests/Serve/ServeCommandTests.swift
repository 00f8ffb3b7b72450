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
      try workspace.write("bin/\(name)", "#!/bin/sh\necho \"$1\" > opened.part; mv opened.part opened\n")
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: workspace("bin/\(name)").path)
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

@Suite("serve without a process of its own")
struct ServeCommandInProcessTests {
  @Test("A command that cannot be started ends it; no model and the address are said before")
  func notStarted() {
    let run = World().run("serve --port 0 -- ./tests")
    let start =
      "skan: no --model is given: only /testing/api/v1/conversion_value has values\nskan: listening on http://127.0.0.1:"
    #expect(run.code == .unavailable && run.out.isEmpty)
    #expect(run.err.hasPrefix(start), "\(run)")
    #expect(run.err.hasSuffix("skan: cannot start ./tests: no program can be started here\n"), "\(run)")
  }

  @Test("A page that cannot be opened is said, and the server goes on")
  func unopened() {
    let run = World().run("serve --port 0 --open -- ./tests")
    #expect(
      run.err.contains(
        /skan: the page cannot be opened: cannot start (xdg-)?open: no program can be started here; it is at http:\/\/127\.0\.0\.1:[0-9]+\/\n/
      ), "\(run)")
  }

  @Test("Options of the live page that do not go together")
  func pageOptions() {
    #expect(
      World().run("serve --no-page --open") == .usage("--no-page and --open exclude each other", command: "serve"))
    #expect(World().run("serve --nopage").err.contains("did you mean --no-page?"))
    #expect(World().run("serve --open=now").code == .usage)
  }

  @Test("A receiver of postbacks whose options are wrong listens to nothing")
  func wrongOptions() {
    let world = World()
    world["r.jsonl.crm.offset"] = #"{"line":1,"bytes":9,"hash":"0000000000000000"}"#
    let run = world.run("serve --port 0 --postbacks r.jsonl --forward crm=http://localhost:9/ -- x")
    #expect(run.code == .badData && !run.err.contains("listening"), "\(run)")
  }

  @Test("The check of requests as they come passes over what is not a report", arguments: ["HEAD", "OPTIONS", "GET"])
  func live(method: String) {
    let check = LiveCheck { _ in }
    let paths = ["/healthz"] + (method == "GET" ? [] : ["/api/v1/evt", "/api/v2/conversion_value"])
    for path in paths {
      let request = HTTPRequest(method: method, target: HTTPTarget(path: path, query: "i=x"))
      #expect(check.inspect(request, query: nil, HTTPResponse(), at: .init(microseconds: 0)).isEmpty)
    }
    #expect(check.end())
  }

  @Test(
    "The summary of --check counts answers of 4xx and 5xx, as that of 'skan check' does",
    arguments: [
      ([200], nil), ([399], nil), ([400], "1 answer of 4xx"), ([500], "1 answer of 5xx"),
      ([404, 499, 200, 599, 503, 500], "2 answers of 4xx, 3 answers of 5xx"),
    ] as [([Int], String?)])
  func refusedAnswers(statuses: [Int], part: String?) {
    var reported: [String] = []
    let check = LiveCheck { reported.append($0) }
    var journal = ""
    for (index, status) in statuses.enumerated() {
      let query = "i=x&idfv=A&n=\(index)"
      let request = HTTPRequest(method: "GET", target: HTTPTarget(path: "/api/v1/evt", query: query))
      _ = check.inspect(
        request, query: nil, HTTPResponse(status: status), at: .init(microseconds: 0))
      journal += #"{"answer":"","at":0,"explanation":"","method":"GET","path":"/api/v1/evt","#
      journal += #""query":{"i":"x","idfv":"A","n":"\#(index)"},"status":\#(status)}"# + "\n"
    }
    _ = check.end()
    let world = World()
    world["journal.ndjson"] = journal
    let summary = world.run("check journal.ndjson").out.split(separator: "\n").first.map(String.init)
    // Up to the number of errors.
    let counts = [reported.first { $0.contains(" of 1 device: ") }, summary].map {
      ($0 ?? "").components(separatedBy: "; ").prefix { !$0.contains(" error") }
    }
    #expect(counts[0] == counts[1] && counts[0].dropFirst().first == part, "\(counts)")
  }

  @Test(
    "Sites and hosts that are none",
    arguments: [
      (
        "--allow-origin https://a/b",
        "--allow-origin must be a site without a path, such as https://tools.example, it is \"https://a/b\""
      ),
      (
        "--allow-origin null --allow-origin https://b.example --allow-origin c",
        "--allow-origin must be a site without a path, such as https://tools.example, it is \"c\""
      ),
      ("--allow-host a --allow-host b/c", "--allow-host must be the name of a host, such as skan.test, it is \"b/c\""),
      ("--allow-host=", "--allow-host must be the name of a host, such as skan.test, it is \"\""),
    ])
  func refused(options: String, message: String) {
    #expect(World().run("serve \(options)") == .usage(message, command: "serve"))
  }

  @Test("Several in one text, with commas between")
  func several() {
    #expect(
      World().run("serve --allow-origin https://a.example,b").err.hasPrefix(
        "skan: --allow-origin must be a site without a path, such as https://tools.example, it is \"b\""))
  }
}

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

@Suite("Lines of requests on a terminal")
struct RequestLinesTests {
  private static let text =
    "12:00:00.001  IDFV  GET /a  200 ok  1 low  Why.\n12:00:00.002  ::1  not HTTP  400  -  [r] It.\n"

  private static func parts(_ text: String) -> [RequestLogPart] {
    let marks: [(RequestLogPart.Kind, String)] = [
      (.time, "12:00:00.001"), (.success, "200 ok"), (.time, "12:00:00.002"), (.failure, "not HTTP  400"),
      (.finding, "[r]"),
    ]
    return marks.compactMap { kind, part in
      guard let range = text.firstRange(of: part) else { return nil }
      return RequestLogPart(
        kind: kind, range: text.utf8.distance(of: range.lowerBound)..<text.utf8.distance(of: range.upperBound))
    }
  }

  private static func styled(_ text: String, key: String? = nil, _ style: TerminalStyle) -> String {
    let redactor = Redactor(key: key)
    return String(
      decoding: RequestLines.styled(Array(text.utf8), parts(text), redactor, style), as: UTF8.self)
  }

  @Test("Each part in its color, of all lines of a piece")
  func colors() {
    #expect(
      Self.styled(Self.text, TerminalStyle(isColored: true))
        == "\u{1B}[2m12:00:00.001\u{1B}[0m  IDFV  GET /a  \u{1B}[32m200 ok\u{1B}[0m  1 low  Why.\n"
        + "\u{1B}[2m12:00:00.002\u{1B}[0m  ::1  \u{1B}[31mnot HTTP  400\u{1B}[0m  -  \u{1B}[33m[r]\u{1B}[0m It.\n")
  }

  @Test("Long lines go on behind the time; without colors the text is as it was")
  func wrapped() {
    #expect(
      Self.styled(Self.text, TerminalStyle(columns: 45))
        == "12:00:00.001  IDFV  GET /a  200 ok  1 low\n              Why.\n"
        + "12:00:00.002  ::1  not HTTP  400  -  [r] It.\n")
    #expect(Self.styled(Self.text, TerminalStyle(columns: 200)) == Self.text)
  }

  @Test("What a client sends cannot color or move anything, and the key is not printed")
  func hostile() {
    let text = "12:00:00.001  \u{1B}[31mred\u{9B}  GET /sekret-key  200 ok  -\n"
    let shown = Self.styled(text, key: "sekret-key", TerminalStyle(isColored: true))
    #expect(!shown.contains("\u{1B}[31m") && !shown.contains("\u{9B}") && !shown.contains("sekret"))
  }
}

extension String.UTF8View {
  fileprivate func distance(of index: String.Index) -> Int { distance(from: startIndex, to: index) }
}
