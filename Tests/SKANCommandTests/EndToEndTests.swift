import Foundation
import TestSupport
import Testing

@Suite("End to end", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct EndToEndTests {
  @Test("End to end", arguments: EndToEndCase.all)
  func endToEnd(_ folder: EndToEndCase) throws {
    let result = try folder.run()
    // SKAN_UPDATE_EXPECTED=1 swift test --filter EndToEnd, and then read the difference.
    try ExpectedFiles.update { try folder.expect(result) }
    #expect(result == folder.expected)
  }

  @Test("Are there") func areThere() {
    #expect(EndToEndCase.all.count >= 20)
  }
}

/// A folder of `Tests/EndToEnd`: command lines, the files they find, and what they bring about.
///
/// `arguments` has one argument a line; a line `---` begins the next command, a line `<` and a name is a file at standard
/// input. `environment` may have lines `NAME=VALUE`, `files` what lies in the working directory. `expected.out` and
/// `expected.err` have the output of all commands, each under a line `$ skan …` when there are several; how long a replay
/// took is `N ms`, the examples of an installed program `fixtures`, when a postback was received `0`, and so is what else the real clock says; `$SKAN` is the program. `expected.code` has the exit codes, and `expected.files` what is new or changed in the working
/// directory, lock files aside; the times of a JUnit report, which are the real world's, as 0.
///
/// The command lines run in this process, over files in memory. Where the folder has a file `process`, which says why, and
/// with `TESTED_PROGRAM`, each is a process over real files.
struct EndToEndCase: Sendable, CustomTestStringConvertible {
  let directory: URL

  static let root = Checkout.root.appending(path: "Tests/EndToEnd")

  static let all: [EndToEndCase] =
    ((try? FileManager.default.contentsOfDirectory(atPath: root.path)) ?? []).sorted()
    .map { EndToEndCase(directory: root.appendingPathComponent($0)) }

  var testDescription: String { directory.lastPathComponent }

  /// What the command lines left.
  struct Result: Equatable, CustomTestStringConvertible {
    var out = ""
    var err = ""
    var code = ""
    var files: [String: String] = [:]

    var testDescription: String {
      "\n--- code\n\(code)--- out\n\(out)--- err\n\(err)"
        + files.sorted { $0.key < $1.key }.map { "--- \($0.key)\n\($0.value)" }.joined()
    }
  }

  private func text(_ name: String) -> String? {
    (try? Data(contentsOf: directory.appendingPathComponent(name))).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Whether each command line is a process.
  private var needsProcesses: Bool { World.areProcesses || text("process") != nil }

  /// Runs the command lines in a directory of their own, or in memory.
  func run() throws -> Result {
    let arguments = try #require(text("arguments"))
    let commands = arguments.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).dropLast()
      .split(separator: "---", omittingEmptySubsequences: false).map(Array.init)
    let pairs = (text("environment") ?? "").split(separator: "\n").map { $0.split(separator: "=", maxSplits: 1) }
    let environment = Dictionary(uniqueKeysWithValues: pairs.map { (String($0[0]), String($0[1])) })
    let found = Self.files(in: directory.appendingPathComponent("files"))
    let workspace = needsProcesses ? try Workspace() : nil
    if let workspace { for name in found.keys { try copy(name, to: workspace) } }
    let world = World { $0.files = found }
    var result = Result()
    for command in commands {
      let input = command.first { $0.hasPrefix("< ") }.map { String($0.dropFirst(2)) }
      let arguments = command.filter { !$0.hasPrefix("< ") }
      let run: Workspace.Run
      if let workspace {
        run = try workspace.start(
          arguments, environment: environment.merging(["SKAN": Workspace.executable.path]) { first, _ in first },
          input: try input.map { [UInt8](try Data(contentsOf: workspace($0))) } ?? []
        ).end()
      } else {
        run = world.runAsProcess(
          arguments, variables: environment,
          input: try input.map { try #require(world.state.withLock { $0.files }[$0]) } ?? [])
      }
      let head = commands.count > 1 ? "$ skan \(command.joined(separator: " "))\n" : ""
      result.out += head + Self.withoutReceipt(Self.withoutDuration(Self.withoutClock(run.out)))
      result.err += head + Self.withoutClock(run.err)
      result.code += "\(run.code)\n"
      if run.code != 0, run.err.isEmpty { Issue.record("exit code \(run.code) without a word: \(command)") }
    }
    let left = workspace.map { Self.files(in: $0.url) } ?? world.state.withLock { $0.files }
    result.files = Self.texts(left.filter { !$0.key.hasSuffix(".lock") && found[$0.key] != $0.value })
    for (name, text) in result.files where name.hasSuffix(".xml") { result.files[name] = Self.withoutTimes(text) }
    for (name, text) in result.files where name.hasSuffix(".json") { result.files[name] = Self.withoutClock(text) }
    for (name, text) in result.files where name.hasSuffix(".jsonl") { result.files[name] = Self.withoutReceipt(text) }
    return result
  }

  /// As it is, also when it is no text.
  private func copy(_ name: String, to workspace: Workspace) throws {
    let file = workspace(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: directory.appendingPathComponent("files/\(name)"), to: file)
  }

  /// How long a replay took differs each time.
  private static func withoutDuration(_ text: String) -> String {
    text.replacing(/(expectations?, [0-9]+ failed.*; )[0-9.]+ m?s\n/) { "\($0.output.1)N ms\n" }
  }

  /// What `doctor` says of the clock and `serve` of a request's time, as 0, and the free port that `serve` took as PORT.
  private static func withoutClock(_ text: String) -> String {
    text.replacing(Workspace.installedExamples, with: "fixtures")
      .replacing(/it is [0-9T:-]+Z/, with: "it is 0")
      .replacing(/127\.0\.0\.1:[0-9]{5}/, with: "127.0.0.1:PORT")
      .replacing(/(\n|^)((\x1b\[2m)?)[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}/) {
        "\($0.output.1)\($0.output.2)00:00:00.000"
      }
  }

  /// Received postbacks with 0 for the time of the real world.
  private static func withoutReceipt(_ text: String) -> String {
    text.replacing(/"received_at":"[0-9T:.-]+Z"/, with: "\"received_at\":\"0\"")
  }

  /// A JUnit report with 0 for every time of the real world.
  private static func withoutTimes(_ text: String) -> String {
    text.replacing(/\ time="[0-9.]+"/, with: " time=\"0\"")
      .replacing(/\ timestamp="[0-9T:-]+"/, with: " timestamp=\"0\"")
  }

  /// All files of a directory and those below it, by their paths in it.
  private static func files(in directory: URL) -> [String: [UInt8]] {
    let names = FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String } ?? []
    return names.reduce(into: [:]) { files, name in
      files[name] = (try? Data(contentsOf: directory.appendingPathComponent(name))).map { [UInt8]($0) }
    }
  }

  private static func texts(_ files: [String: [UInt8]]) -> [String: String] {
    files.mapValues { String(decoding: $0, as: UTF8.self) }
  }

  var expected: Result {
    Result(
      out: text("expected.out") ?? "", err: text("expected.err") ?? "", code: text("expected.code") ?? "",
      files: Self.texts(Self.files(in: directory.appendingPathComponent("expected.files"))))
  }

  /// Makes a result the expected one.
  func expect(_ result: Result) throws {
    for (name, text) in [("out", result.out), ("err", result.err), ("code", result.code)] {
      try Data(text.utf8).write(to: directory.appendingPathComponent("expected.\(name)"))
    }
    let folder = directory.appendingPathComponent("expected.files")
    try? FileManager.default.removeItem(at: folder)
    if result.files.isEmpty { return }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in result.files {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
  }
}

/// What becomes of the files that hold what the program is expected to print.
enum ExpectedFiles: Equatable {
  /// The program is compared with them.
  case compared
  /// They are written again, with what the program prints now: `SKAN_UPDATE_EXPECTED=1`.
  case written
  /// They would be written on a machine of a CI service, which sets `CI`: every difference would pass.
  case refused

  init(_ environment: [String: String]) {
    guard let update = environment["SKAN_UPDATE_EXPECTED"], !update.isEmpty else {
      self = .compared
      return
    }
    self = environment["CI"]?.isEmpty ?? true ? .written : .refused
  }

  /// Writes them if they are to be written; says whether it did.
  @discardableResult
  static func update(sourceLocation: SourceLocation = #_sourceLocation, _ write: () throws -> Void) rethrows -> Bool {
    switch Self(ProcessInfo.processInfo.environment) {
    case .compared: return false
    case .written:
      try write()
      return true
    case .refused:
      Issue.record("SKAN_UPDATE_EXPECTED is set, and CI, too: nothing is compared", sourceLocation: sourceLocation)
      return false
    }
  }
}

@Suite("The files of expectations")
struct ExpectedFilesTests {
  @Test(
    "They are written where it is asked for, and never in CI",
    arguments: [
      ([:], .compared), (["CI": "true"], .compared), (["SKAN_UPDATE_EXPECTED": ""], .compared),
      (["SKAN_UPDATE_EXPECTED": "1"], .written), (["SKAN_UPDATE_EXPECTED": "1", "CI": ""], .written),
      (["SKAN_UPDATE_EXPECTED": "1", "CI": "true"], .refused), (["SKAN_UPDATE_EXPECTED": "0", "CI": "1"], .refused),
    ] as [([String: String], ExpectedFiles)])
  func choice(environment: [String: String], choice: ExpectedFiles) {
    #expect(ExpectedFiles(environment) == choice)
  }
}
