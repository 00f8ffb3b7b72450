import Foundation
import TestSupport
import Testing

@testable import SKANHTTP

@Suite(.timeLimit(.minutes(TestTime.minutes)), .waits) struct ServerFaultTests {
  static let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  @Test(arguments: [
    (HTTPFault.close, ""), (.raw(Array("SSH-2.0-x\r\n".utf8)), "SSH-2.0-x\r\n"),
    (.truncated(2), "HTTP/1.1 200 OK\r\nContent-Length: 6\r\nConnection: close\r\n\r\nab"),
    (.declaredLength(99), "HTTP/1.1 200 OK\r\nContent-Length: 99\r\nConnection: close\r\n\r\nabcdef"),
  ])
  func comesAndTheConnectionEnds(_ fault: HTTPFault, _ text: String) throws {
    let server = try RunningServer { _, _ in
      HTTPReply.bytes(Array("abcdef".utf8), delay: 0.01, fault: fault)
    }
    let client = try server.connect()
    // The second request is never answered.
    try client.send(Self.request + Self.request)
    #expect(try client.receiveRest() == text)
    #expect(server.stop() == 1)
  }
}
