import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANRun
import SKANSigning
import SKANSystem
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// A world in memory for command lines: files, a clock that stands still, and recorded output.
///
/// What a test does not set (the network, standard input, a stream) must not be asked for: a command that does fails the test.
final class World: Sendable {
  struct State: Sendable {
    var files: [String: [UInt8]] = [:]
    var variables: [String: String] = [:]
    /// 2026-06-01T12:00:00Z unless a test moves it: far from any virtual time in the tests.
    var now = Instant(microseconds: 1_780_315_200_000_000)
    /// Standard input when it is a regular file.
    var input: String?
    /// Where a project file is looked for.
    var projectFolders: [String] = []
    /// Pipes by name, with their lines.
    var streams: [String: [String]] = [:]
    /// Who takes postbacks.
    var post: (@Sendable (Post) -> Result<HTTPExchange, TransportFailure>)?
    fileprivate(set) var posts: [Post] = []
    var network: (@Sendable (_ url: String, _ maxSeconds: Double) -> Result<HTTPExchange, TransportFailure>)?
    /// What operations on files fail with, under `read NAME`, `lock NAME` and so on.
    var failures: [String: CommandError] = [:]
    /// Files and pipes that cannot be read any further behind their bytes.
    var breaks: Set<String> = []
    /// A file that takes no byte of what it is to hold.
    var fullFile: String?
    var outputFailure: CommandError?
    /// Another process removes lock files that are held.
    var losesLocks = false
    var isInterrupted = false
    /// How often it is asked whether the user wants to stop before the user does.
    var looksBeforeInterrupt = Int.max
    /// Whether the output goes into a pipe.
    var isPiped = false
    /// Whether a person watches stderr.
    var isTerminal = false
    /// The width of the terminal that both streams go to, if they do.
    var columns: Int?
    /// How many lists run at a time.
    var cores = 1
    /// Examples that are installed with the program.
    var installedFixtures: String?
    var mostRowsOfDevice = 500_000
    /// Nothing that signs, unless a test sets it.
    var signatures = SignatureTool.missing
    /// No DuckDB, unless a test sets it.
    var duckDB = DuckDBProgram.none
    fileprivate(set) var out = ""
    fileprivate(set) var err = ""
    /// What was done to the outside, in order.
    var log: [String] = []
  }

  /// A postback on its way.
  struct Post: Sendable, Equatable {
    var url: String
    var recipient: String?
    var body: String
    /// Of a postback that is passed on.
    var idempotencyKey: String?
  }

  /// All that were sent, in order.
  var posts: [Post] { state.withLock { $0.posts } }

  let state = Mutex(State())

  init(_ set: (inout State) -> Void = { _ in }) { self.set(set) }

  func set(_ change: (inout State) -> Void) { state.withLock { change(&$0) } }

  /// The text of a file.
  subscript(name: String) -> String? {
    get { state.withLock { $0.files[name] }.map { String(decoding: $0, as: UTF8.self) } }
    set { set { $0.files[name] = newValue.map { Array($0.utf8) } } }
  }

  /// All files, by name.
  var texts: [(name: String, text: String)] {
    state.withLock { $0.files }.sorted { $0.key < $1.key }.map { ($0.key, String(decoding: $0.value, as: UTF8.self)) }
  }

  /// What stands on stderr since the last command line began.
  var errors: String { state.withLock { $0.err } }

  /// The same of stdout.
  var output: String { state.withLock { $0.out } }

  /// What was done to the outside since it was last asked.
  func takeLog() -> [String] {
    state.withLock { state in
      defer { state.log = [] }
      return state.log
    }
  }

  /// Runs a command line: the words of `line`, and then `more` as they are.
  @discardableResult
  func run(_ line: String, _ more: String...) -> Consequences { run(line, arguments: more) }

  @discardableResult
  func run(_ line: String, arguments more: [String]) -> Consequences {
    let before = state.withLock { $0.files }
    let code = execute(line.split(separator: " ").map(String.init) + more)
    return state.withLock {
      Consequences(code, out: $0.out, err: $0.err, changes: Changes.between(before, $0.files))
    }
  }

  /// Runs a command line, whose output is ``output`` and ``errors`` then.
  func execute(_ arguments: [String]) -> ExitCode {
    set {
      $0.out = ""
      $0.err = ""
    }
    let code = CommandLineTool.run(arguments, in: environment)
    // Whatever a test is about, a failure says why.
    if code != .ok, errors.isEmpty { Issue.record("\(code) without a word: \(arguments)") }
    return code
  }

  var environment: Environment {
    var environment = Environment(
      variable: { name in self.state.withLock { $0.variables[name] } },
      now: { self.state.withLock { $0.now } },
      files: files,
      writeOutput: { (text) throws(CommandError) in
        if let failure = self.state.withLock({ $0.outputFailure }) { throw failure }
        let text = text.string
        self.set { $0.out += text }
      },
      writeError: { text in self.set { $0.err += text } },
      send: { request, limits in
        if request.method == "POST" { return self.post(request) }
        self.set { $0.log.append("send") }
        guard let network = self.state.withLock({ $0.network }) else {
          Issue.record("the network was asked: \(request.target.text)")
          return .failure(.noSuchHost)
        }
        return network(request.target.text, limits.seconds)
      },
      isInterrupted: {
        self.state.withLock { state in
          state.looksBeforeInterrupt -= 1
          return state.isInterrupted || state.looksBeforeInterrupt < 0
        }
      })
    environment.mostRowsOfDevice = state.withLock { $0.mostRowsOfDevice }
    environment.signatures = state.withLock { $0.signatures }
    environment.duckDB = state.withLock { $0.duckDB }
    environment.variables = { prefix in
      self.state.withLock { $0.variables.filter { $0.key.hasPrefix(prefix) }.map { ($0.key, $0.value) } }
    }
    environment.sleep = { seconds in self.set { $0.log.append("sleep \(seconds)") } }
    environment.isPiped = { self.state.withLock { $0.isPiped } }
    environment.isTerminal = { self.state.withLock { $0.isTerminal } }
    environment.terminalColumns = { _ in self.state.withLock { $0.columns } }
    environment.projectFolders = { self.state.withLock { $0.projectFolders } }
    environment.cores = { self.state.withLock { $0.cores } }
    environment.installedFixtures = { self.state.withLock { $0.installedFixtures } }
    return environment
  }

  private func post(_ request: HTTPRequest) -> Result<HTTPExchange, TransportFailure> {
    let recipient = request.headers["X-SKAN-Simulated"]
    let post = Post(
      url: request.target.text, recipient: recipient, body: String(decoding: request.body, as: UTF8.self),
      idempotencyKey: request.headers["Idempotency-Key"])
    set {
      $0.posts.append(post)
      $0.log.append("post")
    }
    guard let answer = state.withLock({ $0.post }) else {
      Issue.record("a postback was sent: \(request.target.text)")
      return .failure(.noSuchHost)
    }
    return answer(post)
  }

  private func attempt(_ action: String) throws(CommandError) {
    set { $0.log.append(action) }
    if let failure = state.withLock({ $0.failures[action] }) { throw failure }
  }

  var files: FileAccess {
    var files = basicFiles
    files.exists = { (path) throws(CommandError) in
      self.state.withLock { $0.files[path] != nil || $0.failures["read \(path)"] != nil }
    }
    files.appendDurably = { (path, size) throws(CommandError) in
      try self.attempt("open \(path)")
      self.set { $0.files[path] = Array(($0.files[path] ?? []).prefix(size)) }
      return { (lines) throws(CommandError) in
        try self.attempt("append \(path)")
        self.set { $0.files[path, default: []] += lines }
      }
    }
    files.publishPieces = { [publishPieces = files.publishPieces] (path, content) throws(CommandError) in
      guard self.state.withLock({ $0.fullFile }) == path else { return try publishPieces(path, content) }
      do throws(FileError) {
        try content { (_) throws(FileError) in throw FileError(.write, path, .inputOutput) }
      } catch {
        throw .cannotWrite(file: path, reason: error.reason)
      }
    }
    files.requireReplaceable = { (path) throws(CommandError) in try self.attempt("check \(path)") }
    return files
  }

  private var basicFiles: FileAccess {
    FileAccess(
      read: { (path) throws(CommandError) in
        try self.attempt("read \(path)")
        return self.state.withLock { $0.files[path] }
      },
      replace: { (path, bytes) throws(CommandError) in
        try self.attempt("replace \(path)")
        self.set { $0.files[path] = bytes }
      },
      lock: { (path, seconds, _) throws(CommandError) in
        try self.attempt("lock \(path) \(seconds)")
        return HeldLock(isIntact: { !self.state.withLock { $0.losesLocks } }) {
          self.set { $0.log.append("unlock \(path)") }
        }
      },
      readInput: { () throws(CommandError) in
        guard let input = self.state.withLock({ $0.input }) else {
          Issue.record("standard input was read")
          return []
        }
        return Array(input.utf8)
      },
      open: { (path) throws(SourceFailure) in try self.open(path) },
      entries: { (path) throws(SourceFailure) in
        if case .unreadable(_, let reason)? = self.state.withLock({ $0.failures["entries \(path)"] }) {
          throw .unreadable(reason)
        }
        let prefix = path.hasSuffix("/") ? path : "\(path)/"
        let found = self.state.withLock { $0.files.keys.filter { $0.hasPrefix(prefix) } }
        let parts = found.map { $0.dropFirst(prefix.count).split(separator: "/", maxSplits: 1) }
        let entries = parts.map { DirectoryEntry(name: String($0[0]), isDirectory: $0.count > 1) }
        return found.isEmpty ? nil : entries.enumerated().filter { entries.firstIndex(of: $1) == $0 }.map(\.element)
      },
      glob: { pattern in
        let names = self.state.withLock { $0.files.keys.sorted() }
        let glob = Glob(pattern)
        return names.contains(pattern) ? [pattern] : names.filter { glob.matches($0) && !$0.contains("/") }
      })
  }

  private func open(_ path: String) throws(SourceFailure) -> ByteSource {
    let source = try openWhole(path)
    guard state.withLock({ $0.breaks.contains(path) }) else { return source }
    return ByteSource(isRegular: source.isRegular, size: source.size) { buffer throws(SourceFailure) in
      let count = try source.read(buffer)
      if count == 0 { throw .unreadable("Input/output error") }
      return count
    }
  }

  private func openWhole(_ path: String) throws(SourceFailure) -> ByteSource {
    if let lines = state.withLock({ $0.streams[path] }) {
      var rest = Array(lines.map { "\($0)\n" }.joined().utf8)[...]
      return ByteSource(isRegular: false) { buffer throws(SourceFailure) in
        let part = rest.prefix(buffer.count)
        buffer.copyBytes(from: part)
        rest = rest.dropFirst(part.count)
        return part.count
      }
    }
    do throws(CommandError) { try attempt("read \(path)") } catch {
      if case .unreadable(_, let reason) = error { throw .unreadable(reason) }
      throw .missing
    }
    if path == "-" {
      guard let input = state.withLock({ $0.input }) else {
        Issue.record("standard input was opened")
        throw .missing
      }
      return ByteSource(Array(input.utf8))
    }
    guard let bytes = state.withLock({ $0.files[path] }) else { throw .missing }
    return ByteSource(bytes)
  }

  /// Whether command lines that could run in this process are to be processes: with `TESTED_PROGRAM`.
  static let areProcesses = ProcessInfo.processInfo.environment["TESTED_PROGRAM"] != nil

  /// The files below `fixtures`, by their paths.
  static let fixtures: [String: [UInt8]] = {
    let names = FileManager.default.enumerator(atPath: Checkout.fixtures.path)?.compactMap { $0 as? String } ?? []
    return names.reduce(into: [:]) { files, name in
      files["fixtures/\(name)"] = (try? Data(contentsOf: Checkout.fixtures.appending(path: name))).map { [UInt8]($0) }
    }
  }()

  /// Runs a command line as a process would run it: by the real clock, with these variables and this input.
  func runAsProcess(
    _ arguments: [String], variables: [String: String] = [:], input: [UInt8] = []
  ) -> Workspace.Run {
    set {
      $0.now = Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
      $0.variables = ["SKAN_PROJECT": "none"].merging(variables) { $1 }
      $0.input = String(decoding: input, as: UTF8.self)
      $0.signatures = .platform()
    }
    let code = execute(arguments)
    return Workspace.Run(code: code.rawValue, out: output, err: errors)
  }

  /// The same of a line of the shell; nil where that does not only call `skan`.
  func runAsProcess(line: String) -> Workspace.Run? {
    guard let words = Self.words(line), words.first == "skan" else { return nil }
    return runAsProcess(Array(words.dropFirst()))
  }

  /// The words of a line of the shell; nil where it has more than words and quotes.
  static func words(_ line: String) -> [String]? {
    var words: [String] = []
    var quote: Character?
    var word: String?
    for character in line {
      switch character {
      case quote: quote = nil
      case _ where quote == "'": word?.append(character)
      case "$", "`", "\\": return nil
      case _ where quote != nil: word?.append(character)
      case "'", "\"":
        quote = character
        word = word ?? ""
      case " ":
        if let word { words.append(word) }
        word = nil
      default:
        if "|&;<>()*?[]#~\n{}!".contains(character) { return nil }
        word = (word ?? "") + String(character)
      }
    }
    return quote == nil ? words + (word.map { [$0] } ?? []) : nil
  }
}
