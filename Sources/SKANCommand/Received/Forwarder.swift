import SKANBase
import SKANDevice
import SKANHTTP
import SKANReceive
import SKANRun
import SKANSystem

/// Passes received postbacks on to one receiver: one after another, each until it is accepted.
///
/// What was accepted is written to the offset file before the next is sent, so it is not sent again, in this run or
/// another. Only one whose acceptance a run did not come to write is: its idempotency key is the same.
struct Forwarder: Sendable {
  /// How a run ended.
  enum Ending: Sendable, Equatable {
    /// All was accepted.
    case accepted
    /// The receiver answered with another status than 2xx.
    case refused
    case unanswered
    case interrupted
    /// The file of received postbacks cannot be read, or the offset file cannot be written.
    case failed
  }

  /// The result of a run.
  struct Outcome: Sendable {
    let target: ForwardTarget
    let ending: Ending
    /// How many were accepted.
    let count: Int
  }

  static let idempotencyHeader = "Idempotency-Key"
  /// Of an answer's body nothing is used.
  private static let limits = HTTPAnswerLimits(seconds: 30, bytes: 1 << 20)

  let target: ForwardTarget
  private let path: String
  private let offset: ForwardOffset
  private let offsetFile: ForwardOffsetFile
  private let committed: CommittedBytes
  /// How much shorter the waits are.
  private let speed: Double
  private let environment: Environment

  /// Finds where to go on.
  ///
  /// - Parameters:
  ///   - path: the file of received postbacks, which is locked.
  ///   - size: its bytes so far.
  /// - Throws: also when the offset file is of another file.
  init(
    _ path: String, size: Int, to target: ForwardTarget, speed: Double, _ environment: Environment
  ) throws(CommandError) {
    self.path = path
    self.target = target
    self.speed = speed
    self.environment = environment
    committed = CommittedBytes(size)
    offsetFile = ForwardOffsetFile(of: path, target, environment.files)
    offset = try offsetFile.read() ?? .start
    let now = CommittedBytes(size)
    now.end()
    do throws(ForwardProblem) { _ = try Self.queue(path, after: offset, now, environment) } catch {
      throw CommandError(error, path, offsetFile.path)
    }
  }

  /// More is on the disk.
  func grow(to size: Int) { committed.grow(to: size) }

  /// Nothing more comes: ``run()`` ends when all is accepted, or an attempt fails.
  func end() { committed.end() }

  private static func queue(
    _ path: String, after offset: ForwardOffset, _ committed: CommittedBytes, _ environment: Environment
  ) throws(ForwardProblem) -> ForwardQueue {
    let file: ByteSource
    do throws(SourceFailure) { file = try environment.files.openFile(path) } catch { throw .source(error) }
    return try ForwardQueue(committed.source(of: file), after: offset)
  }

  /// Sends what there is and what comes.
  ///
  func run() -> Outcome {
    var count = 0
    let ending = run(counting: &count)
    return Outcome(target: target, ending: ending, count: count)
  }

  private func run(counting count: inout Int) -> Ending {
    var status = ForwardStatus(target, environment)
    do throws(ForwardProblem) {
      let queue = try Self.queue(path, after: offset, committed, environment)
      while let (postback, offset) = try queue.next() {
        if let ending = deliver(postback, &status) { return ending }
        if let ending = record(offset, &status) { return ending }
        count += 1
      }
      return .accepted
    } catch {
      status.report("\(CommandError(error, path, offsetFile.path).statement ?? ""); nothing more is passed on")
      return .failed
    }
  }

  /// Sends one until it is accepted.
  ///
  /// - Returns: nil then.
  private func deliver(_ postback: ForwardedPostback, _ status: inout ForwardStatus) -> Ending? {
    let request = HTTPRequest.post(
      target.url.text, headers: [HTTPField(Self.idempotencyHeader, postback.idempotencyKey)], body: postback.body)
    var retries = ForwardRetries()
    while true {
      if environment.isInterrupted() { return .interrupted }
      let (ending, problem): (Ending, String)
      switch environment.send(request, Self.limits) {
      case .success(let exchange) where (200...299).contains(exchange.response.status):
        status.accepted()
        return nil
      case .success(let exchange): (ending, problem) = (.refused, "HTTP \(exchange.response.status)")
      case .failure(.interrupted): return .interrupted
      case .failure(let failure): (ending, problem) = (.unanswered, failure.message(url: target.url.text))
      }
      if committed.isEnded {
        status.report("\(problem); what is left comes with the next run")
        return ending
      }
      status.report(
        "\(problem); sent again after 1, 5, 15, 30 and 60 minutes and then every hour, and what comes waits")
      guard wait(retries.fail()) else { return environment.isInterrupted() ? .interrupted : ending }
    }
  }

  /// Writes that one was accepted, until it is written: it must not be sent again.
  ///
  /// - Returns: nil then.
  private func record(_ offset: ForwardOffset, _ status: inout ForwardStatus) -> Ending? {
    var retries = ForwardRetries()
    while true {
      do throws(CommandError) {
        try offsetFile.write(offset)
        return nil
      } catch {
        status.report(
          "\(error.statement ?? ""); the postback that was accepted last is sent again if this run ends before")
        guard !committed.isEnded, wait(retries.fail()) else { return .failed }
      }
    }
  }

  /// - Returns: false when nothing more comes, or the user asked to stop.
  private func wait(_ seconds: Double) -> Bool {
    var left = seconds / speed
    while left > 0 {
      if environment.isInterrupted() || !committed.wait(seconds: min(left, 0.05)) { return false }
      left -= 0.05
    }
    return true
  }
}

extension CommandError {
  fileprivate init(_ problem: ForwardProblem, _ path: String, _ offsetPath: String) {
    switch problem {
    case .source(let failure): self = CommandError(failure, file: path)
    case .notAPostback(let line):
      self = .unreadable(file: path, reason: "line \(line) is not of a received postback")
    case .otherFile(let line):
      self = .unusable(
        "\(offsetPath.oneLine) is not of this \(path.oneLine): line \(line) is not the one that was passed on last. Put "
          + "the file back; or remove \(offsetPath.oneLine), and all of the file is passed on from its first line")
    }
  }
}

extension Forwarder.Ending {
  /// The exit code of a command that sends once.
  var code: ExitCode {
    get throws(CommandError) {
      switch self {
      case .accepted: .ok
      case .refused: .badAnswer
      case .unanswered: .unavailable
      case .failed: .cannotWrite
      case .interrupted: throw .interrupted
      }
    }
  }
}

/// What is said on stderr of one receiver: a problem once, and that it is over.
struct ForwardStatus {
  private let target: ForwardTarget
  private let environment: Environment
  /// The problem that was reported last.
  private var problem: String?

  init(_ target: ForwardTarget, _ environment: Environment) {
    self.target = target
    self.environment = environment
  }

  mutating func report(_ problem: String) {
    if problem != self.problem { write(problem) }
    self.problem = problem
  }

  /// A postback was accepted.
  mutating func accepted() {
    if problem != nil { write("accepts postbacks again") }
    problem = nil
  }

  private func write(_ text: String) {
    let text = Redactor(key: environment.sdkKey).redacted(text)
    environment.printError(.remark("forward \(target.displayText): \(text)"))
  }
}

/// The file beside a file of received postbacks that says how far they were passed on to one receiver.
///
/// Who has the lock of the file of received postbacks writes it; nothing else does.
struct ForwardOffsetFile: Sendable {
  let path: String
  private let files: FileAccess

  init(of received: String, _ target: ForwardTarget, _ files: FileAccess) {
    path = "\(received).\(target.name).offset"
    self.files = files
  }

  /// - Returns: nil when there is no such file yet.
  func read() throws(CommandError) -> ForwardOffset? {
    guard let bytes = try files.read(path) else { return nil }
    do throws(SourceProblems) { return try ForwardOffset(bytes) } catch {
      throw .content(file: path, error.notes(in: bytes))
    }
  }

  /// Replaces the file; it is on the disk then.
  func write(_ offset: ForwardOffset) throws(CommandError) { try files.replace(path, offset.text) }
}

/// How much of a file that grows is on the disk for good: who reads it waits here for more.
final class CommittedBytes: Sendable {
  private struct State {
    var size: Int
    var isEnded = false
  }

  private let state: Monitor<State>

  /// - Parameter size: of the file so far.
  init(_ size: Int) { state = Monitor(State(size: size)) }

  /// More is on the disk.
  func grow(to size: Int) { state.change { $0.size = size } }

  /// Nothing more comes.
  func end() { state.change { $0.isEnded = true } }

  /// Whether nothing more comes, though not all may have been read.
  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Waits, though not beyond the end.
  ///
  /// - Returns: false when it has ended.
  func wait(seconds: Double) -> Bool { !state.wait(seconds: seconds) { $0.isEnded } }

  /// What of a file counts, for one reader: a read waits until there is something, or the end.
  func source(of file: ByteSource) -> ByteSource {
    var position = 0
    return unsafe ByteSource(isRegular: false) { [self] (buffer) throws(SourceFailure) in
      let count = min(buffer.count, bytes(behind: position))
      if count == 0 { return 0 }
      let read = try unsafe file.read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
      position += read
      return read
    }
  }

  /// At least one, or 0 at the end.
  private func bytes(behind position: Int) -> Int {
    state.wait(until: { $0.size > position || $0.isEnded }) { $0.size - position }
  }
}
