import Foundation
import TestSupport
import Testing

/// The blocks of the README and of the articles, command by command: what they say is printed is what the program prints.
@Suite("The manual", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ManualTests {
  /// Each article is a session of its own, in an empty folder beside the fixtures: in memory where each line only calls
  /// `skan`, and with `TESTED_PROGRAM` never.
  @Test("Console blocks", arguments: Manual.paths)
  func console(path: String) throws {
    let text = try Manual.text(of: path)
    let blocks = ManualBlocks(text)
    let commands = blocks.commands
    if commands.isEmpty { return }
    let isInMemory = !World.areProcesses && commands.allSatisfy { World.words($0.line)?.first == "skan" }
    let outputs = isInMemory ? printedInMemory(commands) : try printed(commands)
    // SKAN_UPDATE_EXPECTED=1 swift test --filter ManualTests, and then read the difference.
    let isWritten = try ExpectedFiles.update {
      try Manual.rewrite(path) { ManualBlocks($0).text(with: outputs) }
    }
    if !isWritten {
      for (command, output) in zip(commands, outputs) { #expect(output == command.output, "\(command.line)") }
    }
  }

  private func printedInMemory(_ commands: [ManualBlocks.Command]) -> [String] {
    let world = World { $0.files = World.fixtures }
    return commands.map { world.runAsProcess(line: $0.line).map { $0.out + $0.err } ?? "" }
  }

  private func printed(_ commands: [ManualBlocks.Command]) throws -> [String] {
    let workspace = try Workspace()
    try FileManager.default.createSymbolicLink(at: workspace("fixtures"), withDestinationURL: Checkout.fixtures)
    var background: [Workspace.Running] = []
    var outputs: [String] = []
    for command in commands {
      if command.line.hasSuffix(" &") {
        // The shell becomes the program, so that an end of the one is that of the other.
        let line = "PATH=\"${SKAN%/*}:$PATH\"; exec \(command.line.dropLast(2))"
        background.append(try workspace.startShell(line))
        outputs.append("")
        continue
      }
      let run = try workspace.shell("PATH=\"${SKAN%/*}:$PATH\"; \(command.line)")
      let output = (run.out + run.err).replacing(Workspace.installedExamples, with: "fixtures")
      outputs.append(command.line.contains("skan serve") ? Self.settled(output) : output)
    }
    #expect(background.allSatisfy { $0.end().code == 0 })
    return outputs
  }

  /// The output of a server with a port and times that are the same every time.
  private static func settled(_ output: String) -> String {
    output.replacing(/127\.0\.0\.1:\d{4,5}/, with: "127.0.0.1:49152")
      .replacing(#/(?m)^\d\d:\d\d:\d\d\.\d{3} /#, with: "09:41:07.250 ")
  }

  @Test("The README begins with a list, the tour has more commands, and an article can be written again as it was")
  func blocks() throws {
    let readme = ManualBlocks(try Manual.text(of: "README.md")).commands.map(\.line)
    #expect(readme.count == 2 && readme[0].hasPrefix("cat ") && readme[1].hasPrefix("skan replay "))
    let text = try Manual.article("Tour")
    let blocks = ManualBlocks(text)
    #expect(blocks.commands.count > 8)
    #expect(blocks.text(with: blocks.commands.map(\.output)) == text)
    #expect(blocks.text(with: [""]) != text)
  }

  @Test("The README has at most 250 lines, an article 200", arguments: Manual.paths)
  func length(path: String) throws {
    let count = try Manual.text(of: path).components(separatedBy: "\n").count - 1
    #expect(count <= (path == "README.md" ? 250 : 200), "\(count)")
  }

  @Test("Links lead to files and articles that exist", arguments: Manual.paths)
  func links(path: String) throws {
    let text = try Manual.text(of: path)
    let folder = Checkout.root.appending(path: path).deletingLastPathComponent()
    for link in text.matches(of: /\]\((?!http|#|doc:)([^)#]+)/) {
      #expect(
        FileManager.default.fileExists(atPath: folder.appending(path: String(link.output.1)).path), "\(link.output.1)")
    }
    for link in text.matches(of: /doc:([A-Za-z0-9]+)/) {
      let file = folder.appending(path: "\(link.output.1).md")
      #expect(FileManager.default.fileExists(atPath: file.path), "\(link.output.1)")
    }
  }

  @Test(
    "Every article of a catalog is in the table of contents of its catalog, and in the README's, if it is the manual's")
  func contents() throws {
    let readme = try Manual.text(of: "README.md")
    for path in Manual.paths.dropFirst() {
      let url = Checkout.root.appending(path: path)
      let catalog = url.deletingLastPathComponent()
      let name = url.deletingPathExtension().lastPathComponent
      let root = catalog.deletingPathExtension().lastPathComponent
      if name == root { continue }
      let contents = try String(contentsOf: catalog.appending(path: "\(root).md"), encoding: .utf8)
      #expect(contents.contains("- <doc:\(name)>\n"), "\(path)")
      #expect(root != "skan" || readme.contains("](\(path))"), "\(path)")
    }
  }

  @Test("Commands of other blocks have the names and options that they use", arguments: Manual.paths)
  func otherBlocks(path: String) throws {
    let table = try HelpTableDocument.printed()
    for line in ManualBlocks(try Manual.text(of: path)).shellLines {
      for part in line.split(separator: "#")[..<min(1, line.count)].joined().components(separatedBy: "skan ")
        .dropFirst()
      {
        let call = part.prefix { !"|>&;)".contains($0) }
        let words = call.split(separator: " ")
        let command = table.commands.filter { (call + " ").hasPrefix($0.name + " ") }.max {
          $0.name.count < $1.name.count
        }
        guard let command else {
          #expect(words.first?.first?.isLowercase != true || !line.hasPrefix("skan "), "\(line)")
          continue
        }
        #expect(Manual.options(in: String(call)).subtracting(command.optionNames) == [], "\(line)")
      }
    }
  }

  /// What a test cannot run, and why: the first line of each block for a shell.
  private static let notRun = [
    (
      "README", "swift run skan replay fixtures/first-month.jsonl   # 36 days of one phone, step by step",
      "it builds skan"
    ),
    ("README", "skan register", "the reader's own server, on a port of its own"),
    ("Backtesting", "head -n 1 events.csv > header", "GNU parallel; scripts/distributed/shards runs it"),
    (
      "Commands", "skan completion bash > ~/.local/share/bash-completion/completions/skan",
      "the reader's home; scripts/check-install"
    ),
    ("Backtesting", "mapred streaming \\", "Hadoop"),
    ("Commands", "skan help --json | jq -r '.commands[].name'", "jq"),
    (
      "Warehouses",
      "skan import --check --timezone UTC --query \"SELECT idfv AS device, ts AS time, event AS name FROM events\" "
        + "app.duckdb",
      "DuckDB; scripts/check-warehouses"
    ),
    (
      "Warehouses",
      "bq extract --destination_format PARQUET analytics.events_20260601 'gs://bucket/june/*.parquet'",
      "BigQuery; scripts/check-warehouses runs it on its forms"
    ),
    (
      "Warehouses",
      "snow sql -q \"COPY INTO @exports/june/ FROM (SELECT idfv AS \\\"device\\\", ts AS \\\"time\\\", event AS \\\"name\\\" "
        + "FROM events) FILE_FORMAT = (TYPE = PARQUET) HEADER = TRUE\"", "Snowflake, the same"
    ),
    (
      "Warehouses",
      "psql \"$REDSHIFT\" -c \"UNLOAD ('SELECT idfv AS device, ts AS time, event AS name FROM events') TO "
        + "'s3://bucket/june/' IAM_ROLE default FORMAT PARQUET\"", "Redshift, the same"
    ),
    (
      "Warehouses",
      "aws athena start-query-execution --query-string \"UNLOAD (SELECT idfv AS device, ts AS time, event AS name FROM "
        + "events) TO 's3://bucket/unload/' WITH (format = 'PARQUET')\"", "Athena, the same"
    ),
    ("Warehouses", "skan import --check --timezone UTC 'lake/hive/**/*.parquet'", "DuckDB, the same"),
    ("Reports", "skan replay -q --report-tap - tests/ | tap-parser", "two readers of TAP"),
    (
      "Serving", "skan serve --model com.example.app=fixtures/models/mixed.json --journal requests.jsonl",
      "ends when the reader stops it; its port is one for all"
    ),
    ("Serving", "set -eu", "a script of several lines; continuousIntegration runs it"),
  ]

  @Test("Every other block is run, but for these")
  func unrun() throws {
    let blocks = try Manual.paths.flatMap { path in
      let name = path.split(separator: "/").last?.split(separator: ".").first ?? ""
      return ManualBlocks(try Manual.text(of: path)).shellStarts.map { "\(name): \($0)" }
    }
    #expect(Set(blocks) == Set(Self.notRun.map { "\($0.0): \($0.1)" }))
  }

  @Test("The suites and scripts that a promise names exist")
  func promises() throws {
    let folder = Checkout.root.appending(path: "Tests")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    let suites = try files.reduce(into: Set<Substring>()) { names, file in
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      names.formUnion(text.matches(of: /(?:struct|enum) (\w+Tests)\b/).map(\.output.1))
      names.formUnion(file.split(separator: "/").prefix(1))
    }
    let names = Manual.codes(in: try Manual.article("WhatYouCanRelyOn"))
    for name in names where name.hasSuffix("Tests") {
      #expect(suites.contains(Substring(name)), "\(name)")
    }
    for name in names where name.hasPrefix("scripts/") {
      #expect(FileManager.default.fileExists(atPath: Checkout.root.appending(path: name).path), "\(name)")
    }
  }

  @Test("Every command and exit code is in the manual")
  func isComplete() throws {
    let text = try Manual().text
    let help = try Workspace().run(["--help"])
    for line in help.out.components(separatedBy: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      guard line.hasPrefix("  "), !line.hasPrefix("   "), let name = words.first, words.count == 2,
        !line.hasPrefix("  skan")
      else { continue }
      #expect(text.contains("`\(name)") || text.contains("| \(name) |"), "\(name)")
    }
  }

  /// The script for CI, which must neither hang nor lie, whatever happens to it.
  @Test(
    "The block for CI",
    arguments: [
      (change: ("", ""), code: Int32(0), says: ""),
      (("outcome=updated", "outcome=no-update"), 1, "expectation failed: outcome"),
      (("mixed.json", "missing.json"), 66, "missing.json does not exist"),
      (("serve --model", "serve --port 1 --host 192.0.2.1 --model"), 64, "192.0.2.1 is not an address of this machine"),
      (("-- skan session", "-- skin session"), 127, "cannot start skin"),
    ])
  func continuousIntegration(change: (from: String, to: String), code: Int32, says: String) throws {
    let text = try Manual.article("Serving")
    let start = try #require(text.range(of: "In CI, beside the app's server under test:\n\n```sh\n"))
    let block = text[start.upperBound...].prefix { $0 != "`" }
    let workspace = try Workspace()
    try FileManager.default.createSymbolicLink(at: workspace("fixtures"), withDestinationURL: Checkout.fixtures)
    let path = "PATH=\"$(dirname \"$SKAN\"):$PATH\"\n"
    let run = try workspace.shell(path + (change.from.isEmpty ? block : block.replacing(change.from, with: change.to)))
    #expect(run.code == code)
    #expect(says.isEmpty || run.err.contains(says))
  }
}
