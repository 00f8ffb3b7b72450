import Foundation
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

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
      .modelWorth: ("packed.csv.gz", ["--model", model, "--start-at-first-row"]),
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
