import SKANBase
import SKANCommandLine
import SKANDevice
import SKANHTTP
import SKANReceive
import SKANRun
import SKANSystem

/// Forwards received postbacks to one receiver: one at a time and in order, each until it is accepted.
///
/// Each acceptance is written to the offset file before the next postback is sent, so an accepted postback is not sent
/// again in this or another run. The exception is one whose acceptance could not be written before the run ended; it is
/// sent again with the same idempotency key.
struct Forwarder: Sendable {
  /// The way a run ended.
  enum Ending: Sendable, Equatable {
    /// All postbacks were accepted.
    case accepted
    /// The receiver answered with a status other than 2xx.
    case refused
    case unanswered
    case interrupted
    /// The file of received postbacks cannot be read, or the offset file cannot be written.
    case failed
  }

  struct Outcome: Sendable {
    let target: ForwardTarget
    let ending: Ending
    /// The number of accepted postbacks.
    let count: Int
  }

  static let idempotencyHeader = "Idempotency-Key"
  /// The body of an answer is not used.
  private static let limits = HTTPAnswerLimits(seconds: 30, bytes: 1 << 20)

  let target: ForwardTarget
  private let path: String
  private let offset: ForwardOffset
  private let offsetFile: ForwardOffsetFile
  private let committed: CommittedBytes
  /// The factor by which waits between attempts are shortened, for tests alone.
  private let speed: Double
  /// Whether postbacks of development keys are forwarded.
  private let allowsDevelopment: Bool
  private let environment: Environment

  /// Reads the position at which to continue.
  ///
  /// - Parameters:
  ///   - path: the file of received postbacks, which is locked.
  ///   - size: the size in bytes of the file so far.
  /// - Throws: also if the offset file belongs to another file.
  init(
    _ path: String, size: Int, to target: ForwardTarget, allowsDevelopment: Bool = false,
    _ environment: Environment
  ) throws(CommandError) {
    self.path = path
    self.target = target
    speed = environment.variable("TEST_FORWARD_SPEED").flatMap { Double($0) } ?? 1
    self.allowsDevelopment = allowsDevelopment
    self.environment = environment
    committed = CommittedBytes(size)
    offsetFile = ForwardOffsetFile(of: path, target, environment.files)
    offset = try offsetFile.read() ?? .start
    let now = CommittedBytes(size)
    now.end()
    do throws(ForwardProblem) { _ = try queue(now) } catch {
      throw CommandError(error, path, offsetFile.path)
    }
  }

  /// Reports the size in bytes up to which the file has been written to the disk.
  func grow(to size: Int) { committed.grow(to: size) }

  /// Reports that the file is complete: ``run()`` ends once everything is accepted or an attempt fails.
  func end() { committed.end() }

  private func queue(_ committed: CommittedBytes) throws(ForwardProblem) -> ForwardQueue {
    let file: ByteSource
    do throws(SourceFailure) { file = try environment.files.openFile(path) } catch { throw .source(error) }
    return try ForwardQueue(committed.source(of: file), after: offset, allowsDevelopment: allowsDevelopment)
  }

  /// Sends the postbacks in the file, and those added to it.
  func run() -> Outcome {
    var count = 0
    let ending = run(counting: &count)
    return Outcome(target: target, ending: ending, count: count)
  }

  private func run(counting count: inout Int) -> Ending {
    var status = ForwardStatus(target, environment)
    do throws(ForwardProblem) {
      let queue = try queue(committed)
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

  /// Sends a postback until it is accepted.
  ///
  /// - Returns: nil once it is accepted, otherwise the reason to end the run.
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

  /// Writes the acceptance of a postback to the offset file, and retries until that succeeds, so that the postback is
  /// not sent again.
  ///
  /// - Returns: nil once it is written, otherwise the reason to end the run.
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

  /// - Returns: false if the file is complete, or the user asked to stop.
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
    case .differentFile(let line):
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

/// Reports the state of one receiver on stderr: each problem once, and the recovery from it.
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

  /// Reports that a postback was accepted.
  mutating func accepted() {
    if problem != nil { write("accepts postbacks again") }
    problem = nil
  }

  private func write(_ text: String) {
    environment.printError([.remark("forward \(target.displayText): \(text)")])
  }
}

/// The file that records how far a file of received postbacks has been forwarded to one receiver.
///
/// It is written only by the holder of the lock on the file of received postbacks.
struct ForwardOffsetFile: Sendable {
  let path: String
  private let files: FileAccess

  init(of received: String, _ target: ForwardTarget, _ files: FileAccess) {
    path = "\(received).\(target.name).offset"
    self.files = files
  }

  /// - Returns: nil if the file does not exist yet.
  func read() throws(CommandError) -> ForwardOffset? {
    guard let bytes = try files.read(path) else { return nil }
    do throws(SourceProblems) { return try ForwardOffset(bytes) } catch {
      throw .content(file: path, error.notes(in: bytes))
    }
  }

  /// Replaces the file durably.
  func write(_ offset: ForwardOffset) throws(CommandError) { try files.replace(path, offset.text) }
}

/// The number of bytes of a growing file that are safely on the disk. Readers wait here for more.
final class CommittedBytes: Sendable {
  private struct State {
    var size: Int
    var isEnded = false
  }

  private let state: Monitor<State>

  /// - Parameter size: the size in bytes of the file so far.
  init(_ size: Int) { state = Monitor(State(size: size)) }

  func grow(to size: Int) { state.change { $0.size = size } }

  /// Marks the file as complete.
  func end() { state.change { $0.isEnded = true } }

  /// Whether the file is complete, though it may not have been read to the end.
  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Waits, but no longer than until the file is complete.
  ///
  /// - Returns: false if the file is complete.
  func wait(seconds: Double) -> Bool { !state.wait(seconds: seconds) { $0.isEnded } }

  /// A source of the file's committed bytes, for one reader. A read waits until there are some, or the file is
  /// complete.
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

  /// The number of committed bytes behind a position: at least 1, or 0 at the end.
  private func bytes(behind position: Int) -> Int {
    state.wait(until: { $0.size > position || $0.isEnded }) { $0.size - position }
  }
}
