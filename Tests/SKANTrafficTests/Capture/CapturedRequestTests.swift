import SKANHTTP
import Testing

@testable import SKANTraffic

struct CapturedRequestTests {
  @Test func `A captured target keeps what was sent`() {
    let captured = CapturedRequest(
      .get("https://s2s.singular.net/api/v1/evt?n=a+b%20c"), location: CaptureLocation(file: "-", entry: 1, line: 1))
    #expect(captured.request.query == "n=a+b%20c")
    #expect(captured.answer == .notCaptured)
  }
}
