import Foundation
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// Paths that lead to something else than a file.
@Suite("Paths of the file system", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct LivePathTests {
  private func workspace() throws -> Workspace {
    let workspace = try Workspace()
    #expect(
      try workspace.shell(
        "mkdir -p sub/deep && ln -s loop loop && ln -s gone sub/dangling.json && mkfifo sub/pipe.json && echo '[]' > sub/.hidden.json"
      ).code == 0)
    return workspace
  }

  @Test(
    "What cannot be read says why",
    arguments: [
      (["timeline", "sub"], 66, "skan: cannot read sub: Is a directory\n"),
      (["timeline", "loop"], 66, "skan: cannot read loop: Too many levels of symbolic links\n"),
      (["check", "loop"], 66, "skan: cannot read loop: Too many levels of symbolic links\n"),
      (
        ["receive", "sub/deep"], 66,
        "skan: sub/deep/*.json does not exist; no file there has postbacks (*.json, *.jsonl)\n"
      ),
      (["receive", "sub/"], 66, "skan: sub/dangling.json does not exist; "),
      (["serve", "--postbacks", "sub"], 73, "/sub: Is a directory\n"),
      (["serve", "--journal", "none/j"], 73, "skan: cannot write none/j: No such file or directory\n"),
      (
        ["serve", "--", "./loop"], 127,
        "skan: cannot start ./loop: there is no such file: Too many levels of symbolic links\n"
      ),
      (["init", "loop/new"], 73, "skan: cannot write loop/new/: Too many levels of symbolic links\n"),
    ] as [([String], Int32, String)])
  func unreadable(arguments: [String], code: Int32, message: String) throws {
    let run = try workspace().run(arguments + (arguments[0] == "serve" && arguments[1] != "--" ? ["--port", "0"] : []))
    #expect(run.code == code, "\(run)")
    #expect(run.err.contains(message), "\(run)")
  }

  @Test(
    "A link to a file is that file",
    arguments: [
      (["check", "a.har", "link"], "link is named twice"),
      (["import", "e.csv", "--mapping", "a.har", "-o", "link"], "--output would replace the file of --mapping"),
      (["import", "link", "-o", "sub/../a.har"], "--output would replace link"),
      (
        ["serve", "--port", "0", "--answers", "a.har", "--journal", "link"],
        "--journal would add to the file of --answers"
      ),
    ])
  func links(arguments: [String], message: String) throws {
    let workspace = try workspace()
    try workspace.write("a.har", "{}")
    #expect(try workspace.shell("ln -s a.har link").code == 0)
    let run = try workspace.run(arguments)
    #expect(run.code == 64 && run.err.hasPrefix("skan: \(message)\n"), "\(run)")
    #expect(workspace["a.har"] == "{}")
  }

  @Test("A folder's postbacks are those of all folders in it; links to files count, pipes do not")
  func folder() throws {
    let workspace = try workspace()
    let body = { (id: String) in #"{"version":"4.0","ad-network-id":"com.example","transaction-id":"\#(id)"}"# + "\n" }
    try FileManager.default.removeItem(at: workspace("sub/dangling.json"))
    try workspace.write("sub/a.json", body("a"))
    try workspace.write("sub/deep/b.jsonl", body("b"))
    try workspace.write("outside", body("c"))
    #expect(try workspace.shell("ln -s ../outside sub/link.json && ln -s deep sub/folder").code == 0)
    let run = try workspace.run(["receive", "--json", "sub/"])
    let ids = run.out.matches(of: /"file":"([^"]*)"/).map { String($0.1) }
    #expect(ids == ["sub/a.json", "sub/deep/b.jsonl", "sub/link.json"], "\(run)")
  }

  @Test("A list whose name is a pattern is that list; streams that are closed stay closed")
  func names() throws {
    let workspace = try workspace()
    try workspace.write("a*.jsonl", "{\"op\":\"register\"}\n")
    try workspace.write("ab.jsonl", "broken")
    #expect(try workspace.run(["replay", "-q", "a*.jsonl"]).code == 0)
    let closed = try workspace.shell(
      "\"$SKAN\" register -q <&- && \"$SKAN\" session -q <&- 2>&- && \"$SKAN\" details >&-")
    #expect(closed.code == 73 && closed.err.hasPrefix("skan: cannot write the output: "), "\(closed)")
  }
}

@Suite("Exports and captures that are packed", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct GzipTests {
  private static let rows =
    "device,time,name\n" + (0..<30_000).map { "d\($0),1767225600,event\($0 % 7)\n" }.joined()

  /// A folder with an export, plain and packed.
  private func workspace() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write("plain.csv", Self.rows)
    #expect(try workspace.shell("gzip -c plain.csv > packed.csv.gz").code == 0)
    return workspace
  }

  @Test("A packed one is read as the same one unpacked, from a file and from a pipe")
  func same() throws {
    let workspace = try workspace()
    let plain = try workspace.run(["import", "-q", "-o", "-", "plain.csv"])
    #expect(plain.code == 0 && plain.out.split(separator: "\n").count == 90_000)
    #expect(try workspace.run(["import", "-q", "-o", "-", "packed.csv.gz"]) == plain)
    #expect(try workspace.shell("cat packed.csv.gz | \"$SKAN\" import -q -o - -") == plain)
  }

  @Test(
    "One that is damaged or cut off is said to be, wherever that is",
    arguments: [
      "head -c 30 packed.csv.gz", "head -c 40000 packed.csv.gz", "head -c 11 packed.csv.gz; head -c 300000 plain.csv",
      "cat packed.csv.gz; printf x | gzip -c | head -c 15",
    ])
  func damaged(command: String) throws {
    let workspace = try workspace()
    #expect(try workspace.shell("(\(command)) > damaged.gz").code == 0)
    let message = "skan: cannot read damaged.gz: gzip cannot unpack it: it is cut off or damaged\n"
    #expect(
      try workspace.run(["import", "-q", "-o", "-", "damaged.gz"]) == Workspace.Run(code: 66, out: "", err: message))
  }

  @Test(
    "A packed capture is read as the same one unpacked, from a file and from a pipe",
    arguments: ["alb.log", "cloudfront.log", "charles.har"])
  func captures(name: String) throws {
    let workspace = try Workspace()
    try workspace.write(
      name, try String(contentsOf: Checkout.fixtures.appending(path: "traffic/\(name)"), encoding: .utf8))
    let plain = try workspace.run(["check", name])
    #expect(plain.code == 0 && plain.out.hasPrefix("4 requests of 1 device"))
    #expect(try workspace.shell("gzip \(name)").code == 0)
    #expect(try workspace.run(["check", "\(name).gz"]) == plain)
    #expect(try workspace.shell("cat \(name).gz | \"$SKAN\" check -") == plain)
    #expect(try workspace.shell("cat \(name).gz | gzip -c | \"$SKAN\" check -").code == 65)
    #expect(try workspace.shell("head -c 99 \(name).gz | \"$SKAN\" check -").code == 66)
  }

  @Test("Without gzip its path is asked for; rows that cannot be used end it before the rest is unpacked")
  func stopped() throws {
    let workspace = try workspace()
    #expect(
      try workspace.run(["import", "-q", "--check", "packed.csv.gz"], environment: ["PATH": "/nonexistent"])
        == Workspace.Run(
          code: 69, out: "",
          err: "skan: packed.csv.gz is packed, and gzip, which unpacks it, is not on the PATH\n"))
    try workspace.write("bad.csv", "device,time,name\n" + String(repeating: "a,never,x\n", count: 300_000))
    #expect(try workspace.shell("gzip bad.csv").code == 0)
    let run = try workspace.run(["import", "-q", "--check", "--max-errors", "0", "bad.csv.gz"])
    #expect(run.code == 65 && run.err.contains("skan: more than 0 rows cannot be used"), "\(run.err)")
  }

  @Test("Every command that unpacks has a bound: a packed input that just fits is read, one byte more is refused")
  func bound() throws {
    let workspace = try workspace()
    try workspace.write(
      "plain.log", try String(contentsOf: Checkout.fixtures.appending(path: "traffic/alb.log"), encoding: .utf8))
    #expect(try workspace.shell("gzip -c plain.log > packed.log.gz").code == 0)
    let model = Checkout.fixtures.appending(path: "models/mixed.json").path
    let arguments: [CommandName: (file: String, more: [String])] = [
      .check: ("packed.log.gz", []), .import: ("packed.csv.gz", ["--check"]),
      .backtest: ("packed.csv.gz", ["--model", model, "--start-at-first-row"]),
      .modelFit: ("packed.csv.gz", ["--values", "3", "--start-at-first-row"]),
    ]
    let bounded = CommandLineTool.commands.filter { spec in
      spec.options.contains { $0.flag == PackedInputs.maxUnpacked.flag }
    }
    #expect(Set(bounded.map(\.name)) == Set(arguments.keys.map(\.rawValue)))
    for (command, (file, more)) in arguments {
      let plain = file.replacing(".gz", with: "").replacing("packed", with: "plain")
      let size = try #require(workspace[plain]).utf8.count
      for input in ["\(file)", "-"] {
        func run(_ most: Int) throws -> Workspace.Run {
          let line = (command.rawValue.split(separator: " ").map(String.init) + more).joined(separator: " ")
          return try workspace.shell("cat \(file) | \"$SKAN\" \(line) --max-unpacked \(most)B \(input)")
        }
        let name = input == "-" ? "standard input" : file
        let message =
          "skan: \(name) is packed, and unpacks to more than \(size - 1) bytes; --max-unpacked SIZE allows more\n"
        let fits = try run(size)
        #expect(!fits.err.contains("unpacks"), "\(command): \(fits)")
        let exceeds = try run(size - 1)
        #expect(exceeds.code == 65 && exceeds.err.hasSuffix(message), "\(command): \(exceeds)")
      }
    }
  }

  @Test("An interrupt while the writer of a packed pipe waits")
  func interrupted() throws {
    let workspace = try workspace()
    try #require(mkfifo(workspace("pipe").path, 0o600) == 0)
    let running = try workspace.start(["import", "-q", "-o", "-", "pipe"])
    // Opening it waits for the reader, which listens to signals by then.
    let writer = open(workspace("pipe").path, O_WRONLY)
    try #require(writer >= 0)
    defer { close(writer) }
    let begun = try Data(contentsOf: workspace("packed.csv.gz")).prefix(1000)
    #expect(begun.withUnsafeBytes { write(writer, $0.baseAddress, $0.count) } == begun.count)
    Thread.sleep(forTimeInterval: 0.5)
    running.interrupt()
    #expect(running.end() == Workspace.Run(code: 130, out: "", err: "skan: interrupted\n"))
  }
}

/// Inputs that end in an error of the disk behind what could be read.
@Suite("A source that breaks")
struct BrokenSourceTests {
  private static let head = "device,time,name\na,1767225600,install\n"
  private static let list = "{\"op\":\"register\",\"at\":1767225600}\n"

  private func world() throws -> World {
    let world = try World.withModels()
    world["model.json"] = world["mixed.json"]
    world["short.csv"] = Self.head
    // More than is read before the columns are looked at.
    world["long.csv"] = Self.head + String(repeating: "a,1767225601,x\n", count: 100_000)
    world["list.jsonl"] = Self.list
    world["received.jsonl"] = ""
    world["part.json"] = ""
    world["postback.json"] = #"{"version":"4.0","ad-network-id":"com.example","transaction-id":"a"}"#
    try world.addCapture("urls.txt")
    world.set {
      $0.streams["pipe"] = [String(Self.list.dropLast())]
      $0.input = Self.list
      $0.breaks = ["short.csv", "long.csv", "list.jsonl", "received.jsonl", "part.json", "urls.txt", "pipe", "-"]
    }
    return world
  }

  @Test(
    "is named with the system's reason, and nothing else is printed",
    arguments: [
      ("import --quiet --check short.csv", "short.csv"), ("import --quiet --check long.csv", "long.csv"),
      ("import --quiet -o out.jsonl long.csv", "long.csv"), ("backtest --model model.json short.csv", "short.csv"),
      ("backtest --model model.json long.csv", "long.csv"),
      ("backtest --model model.json --grouped long.csv", "long.csv"),
      ("backtest --model model.json list.jsonl", "list.jsonl"),
      ("backtest --model model.json --grouped pipe", "pipe"), ("backtest --merge part.json", "part.json"),
      ("timeline list.jsonl", "list.jsonl"), ("timeline pipe", "pipe"), ("check urls.txt", "urls.txt"),
      ("report received.jsonl", "received.jsonl"), ("receive --into received.jsonl postback.json", "received.jsonl"),
      ("replay -q list.jsonl", "list.jsonl"), ("replay -q pipe", "pipe"),
    ])
  func named(line: String, file: String) throws {
    let run = try world().run(line)
    let guess = "skan: \(file): read with preset plain, by its columns\n"
    #expect(run.code == .noInput && run.out.isEmpty && run.changes.isEmpty)
    #expect(run.err.replacing(guess, with: "") == "skan: cannot read \(file): Input/output error\n")
  }

  @Test("Standard input is called that")
  func standardInput() throws {
    for line in ["timeline -", "replay -q -", "backtest --model model.json -"] {
      let run = try world().run(line)
      #expect(run.code == .noInput && run.out.isEmpty, "\(line)")
      #expect(run.err == "skan: cannot read standard input: Input/output error\n", "\(line)")
    }
  }
}

/// What comes from outside and is not UTF-8, of which no other name may be made.
@Suite("Arguments and variables that are not UTF-8")
struct NotUTF8Tests {
  @Test("An argument that is not UTF-8 is shown escaped, and nothing is done")
  func argument() {
    let world = World()
    let arguments = ["register", "--state"].map { Array($0.utf8) } + [[0x73, 0x74, 0xFF]]
    #expect(CommandLineTool.status(of: arguments, in: world.environment) == ExitCode.usage.rawValue)
    #expect(
      world.errors
        == "skan: the argument st\\xFF is not UTF-8, as every argument must be\nTry 'skan --help'.\n")
    #expect(world.texts.isEmpty && world.output == "")
    let state = ["register", "-q", "--state", "stä"].map { Array($0.utf8) }
    #expect(CommandLineTool.status(of: state, in: world.environment) == 0 && world["stä"] != nil)
  }

  @Test("Neither is a variable's value, which is not shown")
  func variable() {
    let world = World { $0.variables = ["SKAN_STATE": "st\u{FFFD}"] }
    var environment = world.environment
    environment.isUTF8 = { $0 != "SKAN_STATE" }
    let words = "the value of SKAN_STATE is not UTF-8, as every variable must be"
    #expect(CommandLineTool.run(["register"], in: environment) == .usage)
    #expect(world.errors == "skan: \(words)\nTry 'skan --help'.\n" && world.texts.isEmpty)
    #expect(CommandLineTool.run(["doctor"], in: environment) == .expectationFailed)
    #expect(world.output.contains(words))
  }
}
