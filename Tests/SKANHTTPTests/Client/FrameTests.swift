import Foundation
import SKANBase
import SKANSystem
import TestSupport
import Testing
import skan_http

@testable import SKANHTTP

@Suite("What goes between a process and the one that sends its requests")
struct FrameTests {
  private func content(_ frame: [UInt8]) -> [UInt8] { Array(frame.dropFirst(Frame.headLength)) }

  @Test("Requests") func requests() throws {
    for (request, limits) in [
      (
        .get("http://h/?a=é", headers: [HTTPField("A", "b"), HTTPField("C", "")]),
        HTTPAnswerLimits(seconds: 0.3)
      ), (.post("", body: []), HTTPAnswerLimits(seconds: -.infinity, bytes: -1)),
      (.post("x", body: [0, 255]), HTTPAnswerLimits(seconds: .greatestFiniteMagnitude, bytes: .max)),
    ] as [(HTTPRequest, HTTPAnswerLimits)] {
      let read = try Frame.request(content(Frame.of(request, limits)))
      #expect(read.0 == request)
      #expect(read.1 == limits)
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

  @Test("Exchanges") func exchanges() throws {
    let answer = HTTPResponse(status: 302, headers: [HTTPField("A", "b")], body: [1, 2])
    let post = HTTPRequest.post("i", headers: [HTTPField("x", "y")], body: [3])
    let exchange = HTTPExchange(answer, url: "u", hops: [HTTPHop(.get("h")), HTTPHop(post, answer)], seconds: 1.5)
    #expect(try Frame.outcome(content(Frame.of(.success(exchange)))) == .success(exchange))
  }

  @Test("Numbers that stand for nothing are malformed: a kind of failure, a count, a mark for what is absent")
  func numbers() throws {
    // Of a failure: 0, its kind, whether a text follows, a number.
    let failure = content(Frame.of(.failure(.headTooLarge(7))))
    #expect(try Frame.outcome(failure) == .failure(.headTooLarge(7)))
    // 0.5 is not a whole number.
    for (offset, value) in [(0, [2]), (1, [99]), (2, [7]), (3, [0, 0, 0, 0, 0, 0, 0xE0, 0x3F])] as [(Int, [UInt8])] {
      var bytes = failure
      bytes.replaceSubrange(offset..<offset + value.count, with: value)
      #expect(throws: Frame.Malformed.self, "\(offset)") { try Frame.outcome(bytes) }
    }
  }

  @Test("A frame that is cut off, or of other bytes, is an error and no trap")
  func malformed() {
    let whole = content(Frame.of(.success(HTTPExchange(HTTPResponse(status: 1, body: [1]), url: "u"))))
    for count in whole.indices {
      #expect(throws: Frame.Malformed.self) { try Frame.outcome(Array(whole[..<count])) }
    }
    for byte in [UInt8(0x7F), 0x80, 0xFF] {
      let bytes = [UInt8](repeating: byte, count: 64)
      #expect(throws: Frame.Malformed.self) { try Frame.outcome(bytes) }
      #expect(throws: Frame.Malformed.self) { try Frame.request(bytes) }
    }
  }
}
