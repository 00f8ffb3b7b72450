import SKANDevice
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

  @Test(
    "What a request is refused with",
    arguments: [
      ("", .launch, "missing argument: a"), ("a=k", .launch, "missing argument: p"),
      ("a=&p=iOS&i=x", .launch, "missing argument: a"), ("a=k&p=iOS", .event(.v1), "missing argument: i"),
      ("a=k&p=iOS&i=x&idfv=v", .event(.v1), "missing argument: n"), ("a=k&p=iOS&i=x&idfv=v", .launch, nil),
      ("a=k&p=ios&i=x&idfv=v", .launch, "invalid platform: ios"), ("a=k&p=iOS&i=x", .launch, "no device ID supplied"),
      ("a=k&p=iOS&i=x&idfa=v", .launch, "platform: iOS should have an idfv param"),
      ("a=k&p=Android&i=x&idfa=v", .launch, nil), ("a=k&p=iOS&i=x&n=e&sdid=v", .event(.v2), nil),
      ("a=k&p=iOS&i=x&n=e&idfv=v", .event(.v2), "platform: iOS should have an sdid param"),
    ] as [(String, EndpointKind, String?)])
  func refusal(query: String, endpoint: EndpointKind, reason: String?) throws {
    let sent = try #require(SentParameters(Array(query.utf8)))
    #expect(ForwardedRefusal(of: sent, at: endpoint)?.reason == reason)
  }

  @Test(
    "A reason reads back",
    arguments: [
      .missingArgument("a"), .invalidPlatform("ios"), .noDeviceID,
      .platformParameter(platform: "iOS", parameter: "idfv"),
    ] as [ForwardedRefusal])
  func readsBack(refusal: ForwardedRefusal) { #expect(ForwardedRefusal(reason: refusal.reason) == refusal) }

  @Test("Another reason is none", arguments: ["", "missing argument", "internal error", "platform: iOS"])
  func other(reason: String) { #expect(ForwardedRefusal(reason: reason) == nil) }
}
