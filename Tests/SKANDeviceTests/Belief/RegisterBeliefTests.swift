import Testing

@testable import SKANDevice

@Suite("What register draws about Apple")
struct RegisterBeliefTests {
  @Test(
    arguments: [
      (Belief(), []), (Belief(snippet: .skan4Beta), []), (Belief(snippet: .skan3), []), (Belief(ad: "3.0"), []),
      (Belief(ad: nil), ["organic-install"]), (Belief(snippet: .skan4Beta, ad: nil), ["organic-install"]),
      (Belief(snippet: .skan3, ad: nil), ["organic-install"]),
      (Belief(build: .development), ["framework-error-kept"]),
      (Belief(snippet: .skan3, build: .development), ["framework-error-kept"]),
      (Belief(registerError: 10), ["framework-error-kept"]),
      (Belief(ios: IOSVersion(15, 0)), []),
      (Belief(settings: ["clock-start=first_launch"], launch: -47), []),
      (Belief(settings: ["clock-start=first_launch"], launch: -48), ["ignored-by-apple"]),
      (Belief(snippet: .skan3, settings: ["clock-start=first_launch"], launch: -48), []),
      (Belief(settings: ["clock-start=first_launch"], launch: -840), ["ignored-by-apple"]),
    ] as [(Belief, [String])])
  func draws(life: Belief, codes: [String]) {
    #expect(life.live().register.codesOfApple == codes)
  }

  @Test("A second register makes no call, and draws nothing", arguments: SnippetVersion.allCases)
  func again(snippet: SnippetVersion) {
    for life in [Belief(snippet: snippet), Belief(snippet: snippet, ad: nil)] {
      var device = life.live().device
      let before = device
      let report = device.register(at: h(60))
      #expect(report.codesOfApple == [] && report.framework == nil && report.frameworkAnswer == nil)
      #expect(device == before)
    }
  }
}
