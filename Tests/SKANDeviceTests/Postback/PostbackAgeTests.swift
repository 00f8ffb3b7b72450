import Testing

@testable import SKANDevice

@Suite("How old an install is when its postback leaves")
struct PostbackAgeTests {
  @Test(
    "By version and window",
    arguments: [
      (AdVersion.v4, ConversionWindow.p0, 72, 84, 96), (.v4, .p1, 192, 252, 312), (.v4, .p2, 864, 924, 984),
      (.v3, .p0, 24, 36, 48), (.v2_0, .p0, 24, 36, 48),
    ] as [(AdVersion, ConversionWindow, Int64, Int64, Int64)])
  func bounds(version: AdVersion, window: ConversionWindow, shortest: Int64, middle: Int64, longest: Int64) {
    let age = PostbackAge(version, window, clock: .production)
    #expect(age.shortest == .hours(shortest) && age.middle == .hours(middle) && age.longest == .hours(longest))
  }

  @Test("In Developer Mode it is minutes")
  func developer() {
    let age = PostbackAge(.v4, .p2, clock: .developer)
    #expect(age.shortest == .minutes(14) && age.longest == .minutes(19) && age.middle == TimeSpan(seconds: 990))
  }
}
