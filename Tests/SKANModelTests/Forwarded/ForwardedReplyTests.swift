import Testing

@testable import SKANModel

@Suite("What an answer means to the sender")
struct ForwardedReplyTests {
  @Test(
    "The body decides",
    arguments: [
      (200, #"{"status":"ok"}"#, .ok(conversionValue: nil)),
      (200, #"{"status":"ok","conversion_value":7}"#, .ok(conversionValue: 7)),
      (200, #"{"status":"ok","conversion_value":"7"}"#, .ok(conversionValue: nil)),
      (200, #"{"status":"ok","conversion_value":7.0}"#, .ok(conversionValue: 7)),
      (200, #"{"status":"ok","conversion_value":7.5}"#, .ok(conversionValue: nil)),
      (400, #"{"status":"ok"}"#, .ok(conversionValue: nil)),
      (200, #"{"status":"error","reason":"missing argument: a"}"#, .refused(.missingArgument("a"))),
      (200, #"{"status":"error","reason":"internal"}"#, .failed("internal")),
      (200, #"{"status":"error"}"#, .failed("an error without a reason")),
      (200, "", .failed("the body has no status")), (200, "<html>", .failed("the body has no status")),
      (404, "<html>", .failed("status 404, and the body has none")),
      (503, #"{"status":"ok"}"#, .failed("status 503")), (429, "", .failed("status 429")),
    ] as [(Int, String, ForwardedReply)])
  func reply(status: Int, body: String, expected: ForwardedReply) {
    let reply = ForwardedReply(status: status, body: Array(body.utf8))
    #expect(reply == expected)
    let isDelivered = if case .ok = reply { true } else { false }
    #expect(!(isDelivered && reply.isRetryable))
    #expect(isDelivered == (reply.reason == nil))
  }
}
