import SKANDevice
import Testing

@testable import SKANModel

@Suite("The four errors that are not tried again")
struct ForwardedRefusalTests {
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
