import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

/// What the snippet finds in an answer that was never written is what it would find in the answer's body.
@Suite("A reply and its body")
struct ReplyMemberTests {
  private func check(_ reply: ReferenceReply) {
    guard case .members(let read) = SnippetAnswer(.response(status: 200, body: reply.body)) else {
      Issue.record("\(String(decoding: reply.body, as: UTF8.self))")
      return
    }
    #expect("\(read)" == "\(reply.members)", "\(String(decoding: reply.body, as: UTF8.self))")
  }

  @Test("Values", arguments: EndpointAPI.allCases, ConversionWindow.allCases)
  func values(api: EndpointAPI, window: ConversionWindow) {
    for fine: Int64 in [0, 1, 63] {
      for coarse in [CoarseValue?.none] + CoarseValue.allCases.map(Optional.some) {
        for locks in [false, true] {
          check(
            .values(
              ReferenceReply.Values(
                verdict: ModelVerdict(fine: fine, coarse: coarse, locks: locks), api: api, window: window, count: 1,
                elapsed: .zero, previousFine: 0)))
        }
      }
    }
  }

  @Test(
    "Errors",
    arguments: [
      .request(.unknownPlatform(nil)), .request(.unknownPlatform("Android")),
      .request(.badParameter("n", why: "is empty")), .request(.noCurrentValue),
      .noModel("com.\"a\"\n", known: []),
      .noModel("", known: ["com.a"]), .closed(hours: 3, age: 900, .v2), .closed(hours: 25, age: 25, .v1),
      .badPeriod(30, measured: 24),
      .lastCallBeforeFirst(hours: -3),
      .noRate("E\\UR/"),
    ] as [EndpointError])
  func errors(error: EndpointError) { check(.error(error)) }
}
