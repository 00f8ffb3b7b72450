import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANTraffic

@Suite("A request that is set aside")
struct CapturedRequestBytesTests {
  private static let location = CaptureLocation(file: "a.har", entry: 3, line: 7)

  static let requests: [CapturedRequest] = [
    CapturedRequest(.get("https://s2s.singular.net/api/v1/launch?a=k&n=%C3%A9"), location: location),
    CapturedRequest(
      HTTPRequest(
        method: "POST", target: HTTPTarget(path: "*"),
        headers: [HTTPField("Accept", "*/*"), HTTPField("accept", ""), HTTPField("X", "é")], body: Array("a=1&é".utf8)),
      at: Instant(microseconds: -1), answer: .status(503), location: location),
    CapturedRequest(
      .get("http://localhost?"), at: Instant(microseconds: 1_767_225_600_000_001),
      answer: .response(status: 200, body: [0, 0xFF, 10]), location: location),
    CapturedRequest(.get("/"), answer: .failure("timed out"), location: location),
    CapturedRequest(.get(""), answer: .response(status: 204, body: []), location: location),
    CapturedRequest(.get(""), answer: .unreadable(200), location: location),
    unread,
  ]

  private static var unread: CapturedRequest {
    var request = CapturedRequest(.post("https://s2s.singular.net/api/v2/evt?a=k", body: []), location: location)
    request.hasUnreadForm = true
    return request
  }

  @Test("It comes back as it was", arguments: requests)
  func roundTrip(request: CapturedRequest) {
    let bytes = [UInt8](writing: request.write)
    #expect(bytes.reading { CapturedRequest(from: &$0, at: Self.location) } == request)
    for count in bytes.indices {
      #expect(Array(bytes[..<count]).reading { CapturedRequest(from: &$0, at: Self.location) } == nil)
    }
  }
}
