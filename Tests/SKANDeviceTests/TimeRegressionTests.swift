import Testing

@testable import SKANDevice

/// Mistakes that were mended, so that they stay so.
@Suite("Mended: time")
struct TimeRegressionTests {
  @Test(
    "An offset does not lead out of the years 1 to 9999, which no file can hold and no text can show",
    arguments: ["9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59-23:59", "0001-01-01T00:00:00+00:01"])
  func offsets(text: String) {
    #expect(Instant(iso8601: text) == nil)
  }

  @Test("The last second of 9999 has fractions, in text as in Unix seconds")
  func lastSecond() throws {
    let text = try #require(Instant(iso8601: "9999-12-31T23:59:59.5Z"))
    #expect(Instant(unixSeconds: text.unixSeconds) == text)
  }

  @Test("After a fresh install `+1h` counts from the wall's clock, which goes on, as everything else does")
  func freshInstall() {
    var clock = PhoneClock(first: moment(0), hasGivenTime: true, end: moment(31 * day), isVirtual: true)
    clock.startAnew()
    #expect(clock.beginning(nil, now: moment(0)) == moment(31 * day))
    #expect(clock.beginning(.after(TimeSpan(seconds: 3600 as Int64)), now: moment(0)) == moment(31 * day + 3600))
    #expect(clock.beginning(.sinceFirst(TimeSpan(seconds: 3600 as Int64)), now: moment(0)) == moment(31 * day + 3600))
  }
}
