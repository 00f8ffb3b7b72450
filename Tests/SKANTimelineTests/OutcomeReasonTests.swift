import SKANDevice
import TestSupport
import Testing

@testable import SKANTimeline

@Suite("Why a step or a call came to nothing")
struct OutcomeReasonTests {
  @Test(
    "An update that the snippet dropped says so; others give their reason alone",
    arguments: [
      (.notRegistered, "dropped: the app has not registered"),
      (.notHigher, "dropped: not higher than the value the app keeps"),
      (.windowOver, "dropped: no window of the app is open any more"),
      (.blocked, "dropped: an earlier answer left the snippet's lock held"),
      (.iosTooOld, "dropped: this iOS is too old"),
      (.noUpdate, "the endpoint had no new value"), (.transportError, "no answer came"), (.ignored, "not added"),
      (.alreadyRegistered, "nothing to do: registered before"),
      (.frameworkError, "Apple's call failed; the app still keeps the values"), (.updated, nil),
      (.forwarded, nil),
    ] as [(Outcome, String?)])
  func outcome(outcome: Outcome, reason: String?) {
    #expect(outcome.reason == reason)
    #expect(outcome.cause?.isDrop == reason.map { $0.hasPrefix("dropped: ") })
  }

  @Test(
    "What Apple made of a call",
    arguments: [
      (.taken, nil), (.registered, nil), (.alreadyRegistered, "Apple has the install registered already"),
      (.unknownVersion, "Apple holds nothing: this iOS does not know the ad's version"),
      (.tooLate, "ignored by Apple: 60 days after the install it accepts no first call"),
      (.windowsOver, "ignored by Apple: its windows are over"),
      (.final, "ignored by Apple: its timer ran out, the value is final"),
      (.notHigher, "ignored by Apple: not higher than what it holds"),
      (.fineOnly, "ignored by Apple: after P0 a coarse value is needed"),
    ] as [(CallFate.Kind, String?)])
  func fate(kind: CallFate.Kind, reason: String?) { #expect(kind.reason == reason) }

  @Test(
    "The values of a call that count in its window",
    arguments: [
      (.register, .p0, nil, nil), (.updateConversionValue(5), nil, nil, "fine 5"),
      (.updatePostback(fine: 5), .p0, .p1, "fine 5"), (.updatePostback(fine: 5), .p1, nil, "fine 5"),
      (.updatePostback(fine: 5), .p1, .p1, nil),
      (.updatePostbackCoarse(fine: 5, coarse: .high, lock: true), .p1, .p2, "high, lock"),
      (.updatePostbackCoarse(fine: 5, coarse: nil, lock: false), .p0, .p0, "fine 5, no coarse"),
    ] as [(FrameworkCall, ConversionWindow?, ConversionWindow?, String?)])
  func values(call: FrameworkCall, app: ConversionWindow?, apple: ConversionWindow?, text: String?) {
    #expect(call.displayText(app, apple: apple) == text)
  }
}
