import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANTraffic

struct CapturedRequestTests {
  @Test("A captured target keeps what was sent") func capturedTarget() {
    let captured = CapturedRequest(
      .get("https://s2s.singular.net/api/v1/evt?n=a+b%20c"), location: CaptureLocation(file: "-", entry: 1, line: 1))
    #expect(captured.request.query == "n=a+b%20c")
    #expect(captured.answer == .notCaptured)
  }

  @Test(
    "A form that may be shown has no secret, and what is no form is not shown",
    arguments: [
      ("a=k&n=x", "a=REDACTED&n=x"), ("n=x", "n=x"), ("", nil), ("{\"a\":\"k\"}", nil), ("[1]", nil),
      ("a=\u{0}", "a=REDACTED"),
    ] as [(String, String?)])
  func forms(body: String, expected: String?) {
    let captured = CapturedRequest(
      .post("https://me:pw@s2s.singular.net/api/v2/evt?a=k&n=y", body: Array(body.utf8)),
      location: CaptureLocation(file: "-", entry: 1, line: 1))
    #expect(captured.redactedForm == expected)
    #expect(captured.redactedURL == "https://REDACTED@s2s.singular.net/api/v2/evt?a=REDACTED&n=y")
    #expect(captured.secrets.contains("k"))
  }

  @Test("A body that is not a text is not shown") func bodyNot() {
    let captured = CapturedRequest(
      .post("https://s2s.singular.net/api/v2/evt", body: [0x61, 0x3D, 0xFF]),
      location: CaptureLocation(file: "-", entry: 1, line: 1))
    #expect(captured.redactedForm == nil && captured.redactedURL == "https://s2s.singular.net/api/v2/evt")
  }
}
