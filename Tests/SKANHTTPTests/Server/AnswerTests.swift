import SKANBase
import Testing

@testable import SKANHTTP

@Suite struct AnswerTests {
  static let kept = HTTPPersistence(keepsAlive: true)

  static func text(_ answer: HTTPAnswer, date: String? = nil) -> String {
    String(writing: { answer.write(to: &$0, date: date) })
  }

  @Test func hasWhatHTTPWants() {
    let reply = HTTPReply(HTTPResponse(status: 404, headers: [HTTPField("X", "y")], body: Array("no".utf8)))
    #expect(
      Self.text(HTTPAnswer(reply: reply, persistence: Self.kept), date: "now")
        == "HTTP/1.1 404 Not Found\r\nDate: now\r\nX: y\r\nContent-Length: 2\r\n\r\nno")
    #expect(
      Self.text(
        HTTPAnswer(
          reply: reply, isHead: true, persistence: HTTPPersistence(minorVersion: 0, keepsAlive: true)))
        == "HTTP/1.1 404 Not Found\r\nX: y\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n")
    #expect(
      Self.text(HTTPAnswer(reply: HTTPReply(HTTPResponse(status: 204, body: [1]))))
        == "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
  }

  @Test(arguments: [-1, 0, 100, 199, 1000])
  func aStatusThatIsNoneBecomes500(_ status: Int) {
    let text = Self.text(HTTPAnswer(reply: HTTPReply(HTTPResponse(status: status)), persistence: Self.kept))
    #expect(text == "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n")
  }

  @Test func aValueCannotBecomeALine() {
    let headers: HTTPFields = [
      HTTPField("X", "a\r\nSet-Cookie: b"), HTTPField("content-length", "9"), HTTPField("Connection", "x"),
      HTTPField("Transfer-encoding", "chunked"),
    ]
    let text = Self.text(HTTPAnswer(reply: HTTPReply(HTTPResponse(headers: headers)), persistence: Self.kept))
    #expect(text == "HTTP/1.1 200 OK\r\nX: a  Set-Cookie: b\r\nContent-Length: 0\r\n\r\n")
  }

  @Test(arguments: [
    (HTTPFault.close, ""), (.raw(Array("?".utf8)), "?"),
    (.truncated(1), "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\na"),
    (.truncated(-1), "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\n"),
    (.truncated(9), "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc"),
    (.declaredLength(9), "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nabc"),
  ])
  func aFaultIsWhatItSays(_ fault: HTTPFault, _ text: String) {
    let answer = HTTPAnswer(reply: .bytes(Array("abc".utf8), fault: fault), persistence: Self.kept)
    #expect(Self.text(answer) == text)
    #expect(answer.isLast)
  }

  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (1_709_251_200, "Fri, 01 Mar 2024 00:00:00 GMT"), (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-1, "Thu, 01 Jan 1970 00:00:00 GMT"),
    (Int.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
  ])
  func datesHaveTheirForm(_ unixTime: Int, _ text: String) {
    #expect(HTTPDate.text(unixTime: unixTime) == text)
  }
}
