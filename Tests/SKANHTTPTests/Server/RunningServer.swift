import Foundation
import SKANSystem
import Synchronization
import TestSupport
import Testing

@testable import SKANHTTP

/// A server on a thread of its own, as an app under test would meet it.
final class RunningServer: Sendable {
  /// What the server has told of itself.
  struct Record {
    var address: Result<SocketAddress, BindFailure>?
    var failures: [HTTPFailure] = []
    var served: Int?
  }

  /// A stopped server waits for clients to close; the tests' own often close later than they look for the end.
  static let quickLimits: HTTPLimits = {
    var limits = HTTPLimits()
    limits.lingerSeconds = 0.1
    return limits
  }()

  let port: UInt16
  private let record: Mutex<Record>
  private let mayStop = Atomic(false)
  private let ended = DispatchSemaphore(value: 0)

  init(
    limits: HTTPLimits = quickLimits, stopAfter: Int? = nil,
    handler: @escaping @Sendable (HTTPRequest, _ peer: String) -> HTTPReply = { request, _ in
      .text(200, request.target.text)
    }, beforeSending: (@Sendable () -> Void)? = nil
  ) throws {
    let server = HTTPServer(host: "127.0.0.1", port: 0, limits: limits, handler: handler)
    port = try server.bind().port
    record = Mutex(Record())
    let running = Handover(server)
    Thread.detachNewThread { @Sendable [self] in
      guard let server = running.take() else { return }
      server.beforeSending = beforeSending
      server.onFailure = { failure, _ in self.record.withLock { $0.failures.append(failure) } }
      let served = try? server.run(stopAfter: stopAfter) { self.mayStop.load(ordering: .relaxed) }
      self.record.withLock { $0.served = served }
      self.ended.signal()
    }
  }

  var failures: [HTTPFailure] { record.withLock { $0.failures } }

  func beginStop() { mayStop.store(true, ordering: .relaxed) }

  /// How many requests the handler had. A server that does not stop in time, whose thread throws, or that leaves a
  /// socket open fails the test.
  @discardableResult
  func waitUntilStopped(
    within seconds: Double = TestTime.patience, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Int? {
    guard ended.wait(timeout: .now() + seconds) == .success else {
      Issue.record("the server has not stopped within \(seconds) s", sourceLocation: sourceLocation)
      return nil
    }
    let served = record.withLock { $0.served }
    if served == nil { Issue.record("the server did not run", sourceLocation: sourceLocation) }
    #expect(OpenSockets.bound(to: Int(port)) == [], sourceLocation: sourceLocation)
    return served
  }

  /// Begins the stop and waits as ``waitUntilStopped(within:sourceLocation:)`` does.
  @discardableResult
  func stop(within seconds: Double = TestTime.patience, sourceLocation: SourceLocation = #_sourceLocation) -> Int? {
    beginStop()
    return waitUntilStopped(within: seconds, sourceLocation: sourceLocation)
  }

  func connect() throws -> RawClient { try RawClient(port: port) }

  /// Sends text on a connection of its own, and gives everything that comes until it ends.
  func exchange(_ text: String) throws -> String {
    let client = try connect()
    try client.send(text)
    return try client.receiveRest()
  }
}

/// Carries a value that is not `Sendable` to the one thread that takes it.
final class Handover<Value>: @unchecked Sendable {
  private let lock = NSLock()
  private var value: Value?

  init(_ value: sending Value) { self.value = value }

  func take() -> Value? {
    lock.withLock {
      defer { value = nil }
      return value
    }
  }
}

/// A client that sends exactly what it is told to.
final class RawClient {
  struct Failure: Error, Equatable {
    var call: String
    var code: Int32
  }

  let descriptor: Int32
  private var received: [UInt8] = []

  init(port: UInt16, receiveBuffer: Int32? = nil) throws {
    descriptor = socket(AF_INET, TestSocket.streamType, 0)
    guard descriptor >= 0 else { throw Failure(call: "socket", code: errno) }
    TestSocket.suppressSignal(descriptor)
    var limit = timeval(tv_sec: Int(TestTime.patience), tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    if var receiveBuffer {
      setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, socklen_t(MemoryLayout<Int32>.size))
    }
    if !TestSocket.connect(descriptor, to: port) { throw Failure(call: "connect", code: errno) }
  }

  deinit { close(descriptor) }

  func send(_ text: String) throws { try send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, TestSocket.sendFlags) }
      guard count > 0 else { throw Failure(call: "send", code: errno) }
      rest = rest.dropFirst(count)
    }
  }

  func endOutput() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Everything until the server closes.
  func receiveRest() throws -> String {
    while try receiveSome() {}
    defer { received = [] }
    return String(decoding: received, as: UTF8.self)
  }

  /// Up to and with the next such text.
  func receive(through text: String) throws -> String {
    while true {
      if let range = received.firstRange(of: Array(text.utf8)) {
        defer { received.removeSubrange(..<range.upperBound) }
        return String(decoding: received[..<range.upperBound], as: UTF8.self)
      }
      guard try receiveSome() else { throw Failure(call: "end", code: 0) }
    }
  }

  /// False at the end.
  func receiveSome(_ most: Int = 65536) throws -> Bool {
    var piece = [UInt8](repeating: 0, count: most)
    let count = recv(descriptor, &piece, most, 0)
    guard count >= 0 else { throw Failure(call: "recv", code: errno) }
    received += piece[..<count]
    return count > 0
  }
}

extension HTTPReply {
  /// A line of plain text.
  static func text(_ status: Int, _ line: String) -> HTTPReply { HTTPReply(.text(status, line)) }

  /// A reply of these bytes.
  static func bytes(
    _ body: [UInt8] = [], delay: Double = 0, closes: Bool = false, fault: HTTPFault? = nil
  ) -> HTTPReply {
    HTTPReply(HTTPResponse(body: body), delay: delay, closes: closes, fault: fault)
  }
}
