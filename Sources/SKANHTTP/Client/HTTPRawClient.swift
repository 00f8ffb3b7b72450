import SKANBase
import SKANSystem

/// Sends raw requests in parallel, each over its own connection; plain HTTP only.
package enum HTTPRawClient {
  /// Sends requests and blocks until each is answered or has failed.
  ///
  /// - Parameters:
  ///   - seconds: the time limit for all requests together.
  ///   - isInterrupted: called about every 50 ms.
  /// - Returns: the results in the order of the requests.
  package static func send(
    _ requests: [HTTPRawRequest], to address: HTTPAddress, within seconds: Double, isInterrupted: () -> Bool
  ) -> [Result<HTTPRawAnswer, TransportFailure>] {
    let start = SystemClock.seconds
    var calls = requests.map { HTTPRawCall($0) }
    for index in calls.indices { calls[index].connect(to: address) }
    var failure = TransportFailure.timedOut(seconds)
    while calls.contains(where: { $0.result == nil }) {
      let now = SystemClock.seconds - start
      if now >= seconds { break }
      if isInterrupted() {
        failure = .interrupted
        break
      }
      var set = PollSet()
      let open = calls.indices.filter { calls[$0].result == nil }
      for index in open { set.append(calls[index].descriptor, calls[index].interest(at: now)) }
      _ = set.wait(seconds: 0.02)
      let time = SystemClock.seconds - start
      for (position, index) in open.enumerated() {
        if let readiness = set.readiness(at: position + 1) { calls[index].proceed(readiness, at: time) }
      }
    }
    return calls.map { call in
      call.close()
      return call.result ?? .failure(failure)
    }
  }
}

/// A request as the bytes of a connection, with times: for tests that URLSession cannot do, such as sending slowly or
/// aborting.
package struct HTTPRawRequest: Sendable, Equatable {
  /// A piece of the request.
  package struct Piece: Sendable, Equatable {
    /// The time of sending, in seconds since the start.
    package let time: Double
    package let bytes: [UInt8]

    package init(at time: Double, _ bytes: [UInt8]) {
      self.time = time
      self.bytes = bytes
    }
  }

  /// The pieces, ordered by time.
  package var pieces: [Piece]
  /// Whether the output ends after the last piece, so that the rest of the request never arrives.
  package var endsOutput: Bool

  package init(pieces: [Piece], endsOutput: Bool = false) {
    self.pieces = pieces
    self.endsOutput = endsOutput
  }

  /// The head of a POST of JSON that asks to close the connection.
  ///
  /// - Parameters:
  ///   - target: path and query.
  ///   - length: of the body; nil for one that is sent in chunks.
  ///   - field: an additional header line.
  package static func head(of address: HTTPAddress, target: String, length: Int?, field: HTTPField) -> [UInt8] {
    let lines = [
      "POST \(target) HTTP/1.1", "Host: \(address.authority)", "Content-Type: application/json",
      length.map { "Content-Length: \($0)" } ?? "Transfer-Encoding: chunked", "\(field.name): \(field.value)",
      "Connection: close",
    ]
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}

/// The status of an answer, and the time at which its head was complete.
package struct HTTPRawAnswer: Sendable, Equatable {
  package var status: Int
  /// Seconds since the start of all requests.
  package var seconds: Double
  /// The value of the header `Retry-After`; nil if absent.
  package var retryAfter: String?

  package init(status: Int, seconds: Double, retryAfter: String? = nil) {
    self.status = status
    self.seconds = seconds
    self.retryAfter = retryAfter
  }
}

/// A raw request in progress.
struct HTTPRawCall {
  /// The most bytes in which the head of an answer must end.
  private static let longestHead = 64 << 10

  private(set) var descriptor: Int32 = -1
  private(set) var result: Result<HTTPRawAnswer, TransportFailure>?
  private let request: HTTPRawRequest
  /// The piece being sent, and how many of its bytes were.
  private var piece = 0
  private var sent = 0
  private var received: [UInt8] = []

  init(_ request: HTTPRawRequest) { self.request = request }

  private var isSent: Bool { piece == request.pieces.count }

  /// Starts the connection.
  mutating func connect(to address: HTTPAddress) {
    do throws(Socket.ConnectFailure) {
      descriptor = try Socket.openConnection(host: address.host, port: address.port)
    } catch {
      switch error {
      case .noSuchHost: result = .failure(.noSuchHost)
      case .noSocket(let error): result = .failure(.unreachable(error.reason))
      case .refused(let error): result = .failure(TransportFailure(error))
      }
    }
  }

  func close() { if descriptor >= 0 { Socket.closeDescriptor(descriptor) } }

  /// The event to wait for: sending a piece that is due, else the answer, which may come early.
  func interest(at time: Double) -> PollSet.Interest {
    !isSent && request.pieces[piece].time <= time ? .output : .input
  }

  mutating func proceed(_ readiness: PollSet.Readiness, at time: Double) {
    if readiness.canRead { return read(at: time) }
    if readiness.hasFailed {
      let failure = TransportFailure(Socket.error(of: descriptor))
      // The bytes before a reset may be the answer.
      if failure == .connectionReset { read(at: time) }
      if result == nil { result = .failure(failure) }
      return
    }
    if readiness.canWrite { write() }
  }

  private mutating func write() {
    guard !isSent else { return }
    let bytes = request.pieces[piece].bytes
    let transfer = unsafe bytes[sent...].withUnsafeBytes { unsafe Socket.transmit(descriptor, $0) }
    switch transfer {
    case .bytes(let count): sent += count
    case .wouldBlock: return
    // A server may refuse a request before reading all of it; its answer is read.
    case .ended, .failed: (piece, sent) = (request.pieces.count, 0)
    }
    if !isSent, sent == bytes.count { (piece, sent) = (piece + 1, 0) }
    if isSent, request.endsOutput { Socket.endOutput(descriptor) }
  }

  private mutating func read(at time: Double) {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let transfer = unsafe buffer.withUnsafeMutableBytes { unsafe Socket.receive(descriptor, into: $0) }
    switch transfer {
    case .bytes(let count):
      received += buffer[..<count]
      result = answer(at: time)
      if result == nil, received.count > Self.longestHead { result = .failure(.headTooLarge(Self.longestHead)) }
    case .wouldBlock: break
    case .ended: result = .failure(received.isEmpty ? .closedWithoutAnswer : .truncated)
    case .failed: result = .failure(received.isEmpty ? .connectionReset : .truncated)
    }
  }

  /// The first answer that is not 1xx, once its head is complete.
  private func answer(at time: Double) -> Result<HTTPRawAnswer, TransportFailure>? {
    var rest = ArraySlice(received)
    while let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
      let line = rest.prefix(while: { $0 != 0x0D }).split(separator: UInt8(ascii: " "))
      guard line.count > 1, line[0].starts(with: "HTTP/1.".utf8), line[1].count == 3,
        let status = Int(String(decoding: line[1], as: UTF8.self))
      else { return .failure(.notHTTP) }
      if status >= 200 {
        let name = "retry-after:"
        let field = rest[..<end.lowerBound].split(separator: 0x0A).lazy.map { String(decoding: $0, as: UTF8.self) }
          .first { $0.lowercased().hasPrefix(name) }
        let value = field.map { String($0.dropFirst(name.count).trimming { $0 == " " || $0 == "\t" || $0 == "\r" }) }
        return .success(HTTPRawAnswer(status: status, seconds: time, retryAfter: value))
      }
      rest = rest[end.upperBound...]
    }
    return nil
  }
}

extension TransportFailure {
  /// The failure for a connection error.
  fileprivate init(_ error: Errno) {
    switch error {
    case .connectionRefused: self = .connectionRefused(proxy: nil)
    case .connectionReset, .brokenPipe, Errno(0): self = .connectionReset
    default: self = .unreachable(error.reason)
    }
  }
}
