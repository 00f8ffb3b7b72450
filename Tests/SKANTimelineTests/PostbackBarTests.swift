import SKANDevice
import TestSupport
import Testing

@testable import SKANTimeline

@Suite("Postbacks in words")
struct PostbackBarTests {
  @Test(
    "Why none leaves",
    arguments: [
      (#""ad":{"tier":0}"#, "+40d", 1, "not sent: tier 0 has a first postback only"),
      (#""ad":{"won":false}"#, "+40d", 1, "not sent: an ad that did not win has a first postback only"),
      (#""build":"development""#, "+40d", 0, "not sent: Apple refuses an app that is not from the App Store"),
    ])
  func reasons(install: String, until: String, index: Int, sentence: String) throws {
    let life = try LivedPhone(
      list(
        Line.install(install), Line.register, Line.session("+1h", 5, 1), #"{"op":"details","at":"\#(until)"}"#))
    let bars = life.timeline.postbacks
    #expect(bars.count > index)
    #expect(bars[index].sentence == sentence && bars[index].sendsAt == nil, "\(bars.map(\.sentence))")
    #expect(bars[index].label == (sentence.hasPrefix("not sent") ? "not sent" : "none as things stand"))
  }
}
