import Foundation
import TestSupport

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
