import Testing

@testable import SKANHTTP

@Suite("What goes between a process and the one that sends its requests")
struct FrameTests {
  private func content(_ frame: [UInt8]) -> [UInt8] { Array(frame.dropFirst(Frame.headLength)) }

  @Test func requests() throws {
    for request in [
      HTTPRequest(url: "http://h/?a=é", headers: [HTTPHeader("A", "b"), HTTPHeader("C", "")], maxSeconds: 0.3),
      HTTPRequest(url: "", body: [], maxSeconds: -.infinity, maxBytes: -1),
      HTTPRequest(url: "x", body: [0, 255], maxSeconds: .greatestFiniteMagnitude, maxBytes: .max),
    ] {
      #expect(try HTTPRequest(frame: content(request.frame)) == request)
    }
  }

  @Test(
    "Every failure comes over",
    arguments: [
      .badURL, .badHeader("a"), .noSuchHost, .connectionRefused(proxy: nil), .connectionRefused(proxy: "p:1"),
      .unreachable("x"), .timedOut(0.25), .timedOut(-.infinity), .interrupted, .closedWithoutAnswer, .connectionReset,
      .truncated, .notHTTP, .malformedHTTP("m"), .badCompression, .tls("t"), .redirectRefused(to: "r"),
      .tooManyRedirects(20), .bodyTooLarge(1 << 20), .headTooLarge(7), .tooMuchMemory(8), .crashed, .noHelper("n"),
      .other(code: -1, text: "o"),
    ] as [TransportFailure])
  func failures(failure: TransportFailure) throws {
    #expect(try Frame.outcome(content(Frame.of(.failure(failure)))) == .failure(failure))
  }

  @Test func exchanges() throws {
    let exchange = HTTPExchange(
      status: 302, headers: [HTTPHeader("A", "b")], body: [1, 2], url: "u",
      hops: [HTTPHop(url: "h", sent: []), HTTPHop(url: "i", sent: [HTTPHeader("x", "y")], status: 1, method: "POST")],
      seconds: 1.5)
    #expect(try Frame.outcome(content(Frame.of(.success(exchange)))) == .success(exchange))
  }

  @Test("A frame that is cut off, or of other bytes, is an error and no trap")
  func malformed() {
    let whole = content(Frame.of(.success(HTTPExchange(status: 1, headers: [], body: [1], url: "u"))))
    for count in whole.indices {
      #expect(throws: FrameReader.Malformed.self) { try Frame.outcome(Array(whole[..<count])) }
    }
    for byte in [UInt8(0x7F), 0x80, 0xFF] {
      let bytes = [UInt8](repeating: byte, count: 64)
      #expect(throws: FrameReader.Malformed.self) { try Frame.outcome(bytes) }
      #expect(throws: FrameReader.Malformed.self) { try HTTPRequest(frame: bytes) }
    }
  }
}
