import Foundation

/// One client: reads its requests and carries answers out.
struct Connection {
  private let descriptor: Int32
  private let alarm: Int32
  /// Read, but not yet part of a request.
  private var buffer: [UInt8] = []

  init(descriptor: Int32, alarm: Int32) {
    self.descriptor = descriptor
    self.alarm = alarm
  }

  /// nil when the client has gone, the server stops or what comes can be no request.
  mutating func nextRequest() -> TestServer.Request? {
    let end = Array("\r\n\r\n".utf8)
    while true {
      if let range = buffer.firstRange(of: end) {
        var request = TestServer.Request(raw: Array(buffer[..<range.upperBound]))
        let total = range.upperBound + (request.header("Content-Length").flatMap { Int($0) } ?? 0)
        if buffer.count >= total {
          request.body = Array(buffer[range.upperBound..<total])
          buffer.removeSubrange(..<total)
          return request
        }
      }
      // A TLS hello is answered at once, as a real server would: it waits for no empty line.
      if buffer.first == 0x16 {
        _ = send(.raw("HTTP/1.1 400 Test\r\n\r\n"))
        return nil
      }
      guard buffer.count < 1 << 20, TestSocket.wait(for: descriptor, POLLIN, alarm: alarm) else { return nil }
      var piece = [UInt8](repeating: 0, count: 16384)
      let count = recv(descriptor, &piece, piece.count, 0)
      guard count > 0 else { return nil }
      buffer += piece[..<count]
    }
  }

  /// Whether the connection can go on.
  func send(_ response: TestServer.Response) -> Bool {
    for step in response.steps {
      switch step {
      case .send(let bytes): guard TestSocket.send(bytes, to: descriptor, alarm: alarm) else { return false }
      case .forever(let bytes):
        while TestSocket.send(bytes, to: descriptor, alarm: alarm) {}
        return false
      case .pause(let seconds): guard TestSocket.sleep(seconds, alarm: alarm) else { return false }
      case .close: return false
      case .reset:
        TestSocket.resetOnClose(descriptor)
        return false
      }
    }
    return true
  }
}
