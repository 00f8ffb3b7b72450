import Foundation
import TestSupport
import Testing

/// A directory of its own for one test, removed with everything in it at the end; the executable runs in it.
final class Workspace: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("skan-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func callAsFunction(_ name: String) -> URL { url.appendingPathComponent(name) }

  /// The text of a file; nil when there is none. Setting nil changes nothing.
  subscript(name: String) -> String? {
    (try? Data(contentsOf: self(name))).map { String(decoding: $0, as: UTF8.self) }
  }

  func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: self(name)) }

  /// Writes a script that can be run. Another process makes its file: a child that this one starts meanwhile would
  /// inherit a file open for writing, and a system runs no such program ("Text file busy").
  func writeProgram(_ name: String, _ script: String) throws {
    try write("\(name).text", script)
    let copied = try shell("cp '\(name).text' '\(name)' && chmod +x '\(name)' && rm '\(name).text'")
    try #require(copied.code == 0, "\(copied)")
  }

  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }

  var state: String? { self["skan-state.json"] }

  /// The device file, as ``Changes`` compares it.
  var files: [String: [UInt8]] { state.map { [Changes.state: Array($0.utf8)] } ?? [:] }

  /// A device file of a registered phone in virtual time.
  static func registered(_ options: String...) throws -> Workspace {
    let workspace = try Workspace()
    let run = try workspace.run(["register", "--at", "2026-01-01T00:00:00Z"] + options)
    try #require(run.code == 0, "\(run)")
    return workspace
  }

  /// What a finished process left.
  struct Run: Equatable, CustomStringConvertible {
    var code: Int32
    var out: String
    var err: String

    var description: String { "exit code \(code)\n--- out\n\(out)--- err\n\(err)" }
  }

  /// Runs `skan` here and waits for its end.
  func run(_ arguments: [String], environment: [String: String] = [:], input: String = "") throws -> Run {
    try start(arguments, environment: environment, input: Array(input.utf8)).end()
  }

  /// The executable that the tests run: `TESTED_PROGRAM`, such as an installed one, or the one that was built with them.
  static let executable =
    ProcessInfo.processInfo.environment["TESTED_PROGRAM"].map { URL(filePath: $0) } ?? builtExecutable

  /// Where an installed program has its examples, which a clone has in `fixtures`.
  static let installedExamples = executable.resolvingSymlinksInPath().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "share/skan/fixtures").path

  /// The environment of the processes: no proxy, no `SKAN_…` variable and no project file of the machine. What concerns
  /// the tools that it is built with goes along: a profile of coverage would be written into the current folder.
  static let environment: [String: String] = {
    let tools = ["LLVM_PROFILE_FILE", "ASAN_OPTIONS", "TSAN_OPTIONS"]
    return ProcessInfo.processInfo.environment.filter { tools.contains($0.key) }
      .merging(["PATH": "/usr/bin:/bin", "SKAN_PROJECT": "none"]) { $1 }
  }()

  /// Runs a line of the shell here; `$SKAN` is the executable.
  func shell(_ line: String) throws -> Run { try startShell(line).end() }

  /// The same, without waiting for its end. What such a line leaves in the background counts as part of it.
  func startShell(_ line: String) throws -> Running {
    try start(["-c", line], program: URL(fileURLWithPath: "/bin/sh"), environment: ["SKAN": Self.executable.path])
  }

  /// Starts a process whose output goes to files, so that no process waits for a pipe.
  func start(
    _ arguments: [String], program: URL = executable, environment: [String: String] = [:], input: [UInt8] = []
  ) throws -> Running {
    let name = UUID().uuidString
    let directory = FileManager.default.temporaryDirectory
    let files = ["in", "out", "err"].map { directory.appendingPathComponent("skan-\(name).\($0)") }
    for file in files { try Data(file == files[0] ? input : []).write(to: file) }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = url
    process.environment = Self.environment.merging(environment) { $1 }
    let input = try FileHandle(forReadingFrom: files[0])
    let outputs = try files[1...].map { try FileHandle(forWritingTo: $0) }
    process.standardInput = input
    process.standardOutput = outputs[0]
    process.standardError = outputs[1]
    // Foundation keeps them open forever, and with some 1,360 descriptors its next start of a process reads beyond a
    // buffer.
    defer { for handle in [input] + outputs { try? handle.close() } }
    return try Running(process, out: files[1], err: files[2], input: files[0])
  }

  /// A process on its way.
  final class Running {
    private let process: Process
    private let files: (out: URL, err: URL, input: URL)
    private let hasEnded = DispatchSemaphore(value: 0)

    fileprivate init(_ process: Process, out: URL, err: URL, input: URL) throws {
      self.process = process
      files = (out, err, input)
      process.terminationHandler = { [hasEnded] _ in hasEnded.signal() }
      // A test runs on a thread that takes no signals, and a process inherits that.
      var signals = sigset_t()
      var before = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGINT)
      sigaddset(&signals, SIGTERM)
      pthread_sigmask(SIG_UNBLOCK, &signals, &before)
      defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
      try process.run()
    }

    var id: Int32 { process.processIdentifier }

    /// As Ctrl-C does, once the program listens to it: before, the signal would end it as any other.
    func interrupt(_ signal: Int32 = SIGINT) {
      TestTime.wait { Workspace.catchesInterrupts(id) }
      kill(id, signal)
    }

    /// Waits for the end, though not forever; a signal that ended it counts as its negative number.
    func end() -> Run {
      if hasEnded.wait(timeout: .now() + TestTime.patience) == .timedOut {
        kill(id, SIGKILL)
        hasEnded.wait()
      }
      defer { for file in [files.out, files.err, files.input] { try? FileManager.default.removeItem(at: file) } }
      let text = { (url: URL) in (try? Data(contentsOf: url)).map { String(decoding: $0, as: UTF8.self) } ?? "" }
      let status = process.terminationStatus
      return Run(
        code: process.terminationReason == .uncaughtSignal ? -status : status, out: text(files.out),
        err: text(files.err))
    }
  }
}

#if canImport(Darwin)
  extension Workspace {
    /// The built executable, beside the test bundle.
    static let builtExecutable = Bundle(for: Workspace.self).bundleURL.deletingLastPathComponent()
      .appendingPathComponent("skan")

    /// Whether a process has taken SIGINT over. Nothing tells it here: a moment is enough.
    static func catchesInterrupts(_ id: Int32) -> Bool {
      Thread.sleep(forTimeInterval: 0.5)
      return true
    }
  }
#endif

#if !canImport(Darwin)
  extension Workspace {
    /// The built executable, beside the test bundle.
    static let builtExecutable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("skan")

    /// Whether a process has taken SIGINT over.
    static func catchesInterrupts(_ id: Int32) -> Bool {
      let status = (try? String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)) ?? ""
      let caught = status.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }?.split(separator: "\t").last
      return caught.flatMap { UInt64($0, radix: 16) }.map { $0 & 1 << UInt64(SIGINT - 1) != 0 } ?? true
    }
  }
#endif

/// Python, which some tests and the programs of the repository need.
enum Python {
  static let isMissing: Comment = "python3 is not installed; .ci/run installs it"
  static let isThere: Bool = {
    let run = try? Workspace().shell(line("python3 -c pass"))
    return run?.code == 0
  }()

  /// A line of the shell that finds python3 also where package managers put it.
  static func line(_ line: String) -> String { "export PATH=$PATH:/usr/local/bin:/opt/homebrew/bin; \(line)" }
}
