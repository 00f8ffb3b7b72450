import SKANBase
import SKANSystem

/// Sends several raw requests at the same time, each over its own connection; plain HTTP only.
package enum HTTPRawClient {
  /// Blocks until each has its answer, or has failed.
  ///
  /// - Parameters:
  ///   - seconds: how long all of it may take.
  ///   - isInterrupted: asked about every 50 ms.
  /// - Returns: in the order of the requests.
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

/// A request as the bytes that go over a connection of its own, with times: for what URLSession does not do, such as sending
/// slowly or breaking off.
package struct HTTPRawRequest: Sendable, Equatable {
  /// Some of its bytes.
  package struct Piece: Sendable, Equatable {
    /// When they are sent, in seconds from the beginning.
    package let time: Double
    package let bytes: [UInt8]

    package init(at time: Double, _ bytes: [UInt8]) {
      self.time = time
      self.bytes = bytes
    }
  }

  /// In the order of their times.
  package var pieces: [Piece]
  /// Whether the output ends after the last piece, so that what is missing never comes.
  package var endsOutput: Bool

  package init(pieces: [Piece], endsOutput: Bool = false) {
    self.pieces = pieces
    self.endsOutput = endsOutput
  }

  /// The head of a POST of JSON, with which the connection is closed.
  ///
  /// - Parameters:
  ///   - target: path and query.
  ///   - length: of the body; nil for one that comes in chunks.
  ///   - field: another header line.
  package static func head(of address: HTTPAddress, target: String, length: Int?, field: HTTPField) -> [UInt8] {
    let lines = [
      "POST \(target) HTTP/1.1", "Host: \(address.authority)", "Content-Type: application/json",
      length.map { "Content-Length: \($0)" } ?? "Transfer-Encoding: chunked", "\(field.name): \(field.value)",
      "Connection: close",
    ]
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}

/// The status of an answer, and when its head was there.
package struct HTTPRawAnswer: Sendable, Equatable {
  package var status: Int
  /// Since the beginning of all requests.
  package var seconds: Double
  /// The value of its header `Retry-After`; nil without one.
  package var retryAfter: String?

  package init(status: Int, seconds: Double, retryAfter: String? = nil) {
    self.status = status
    self.seconds = seconds
    self.retryAfter = retryAfter
  }
}

/// A raw request under way.
struct HTTPRawCall {
  /// More of an answer is not its head.
  private static let longestHead = 64 << 10

  private(set) var descriptor: Int32 = -1
  private(set) var result: Result<HTTPRawAnswer, TransportFailure>?
  private let request: HTTPRawRequest
  /// The piece that is sent, and how much of it was.
  private var piece = 0
  private var sent = 0
  private var received: [UInt8] = []

  init(_ request: HTTPRawRequest) { self.request = request }

  private var isSent: Bool { piece == request.pieces.count }

  /// Begins the connection.
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

  /// What it waits for: to send what is due, else for the answer, which may come before all is sent.
  func interest(at time: Double) -> PollSet.Interest {
    !isSent && request.pieces[piece].time <= time ? .output : .input
  }

  mutating func proceed(_ readiness: PollSet.Readiness, at time: Double) {
    if readiness.canRead { return read(at: time) }
    if readiness.hasFailed {
      let failure = TransportFailure(Socket.error(of: descriptor))
      // What came before a reset may be the answer.
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
    // A server may refuse before it has read all; its answer is still to be read.
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

  /// The first answer that is not 1xx, when its head is there.
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
  /// Why a connection failed.
  fileprivate init(_ error: Errno) {
    switch error {
    case .connectionRefused: self = .connectionRefused(proxy: nil)
    case .connectionReset, .brokenPipe, Errno(0): self = .connectionReset
    default: self = .unreachable(error.reason)
    }
  }
}
