import Testing

@testable import SKANDevice

@Suite("Instants and spans as numbers")
struct InstantTests {
  @Test(
    "Unix seconds, rounded to the microsecond, never across a second",
    arguments: [
      (0, 0), (1.5, 1_500_000), (-1.5, -1_500_000), (1_767_225_600.25, 1_767_225_600_250_000), (0.000_000_4, 0),
      (0.000_000_6, 1), (0.999_999_9, 999_999), (-0.999_999_9, -999_999),
      (1_699_999_999.999_999_8, 1_699_999_999_999_999),
      (-62_135_596_800, -62_135_596_800_000_000), (253_402_300_799, 253_402_300_799_000_000),
    ] as [(Double, Int64)])
  func unixSeconds(seconds: Double, microseconds: Int64) {
    #expect(Instant(unixSeconds: seconds)?.microseconds == microseconds)
  }

  @Test(
    "Outside the years 1 to 9999",
    arguments: [-62_135_596_801, 253_402_300_800, 1e300, -1e300, .infinity, -.infinity, .nan] as [Double])
  func outside(seconds: Double) {
    #expect(Instant(unixSeconds: seconds) == nil)
  }

  @Test(
    "Whole seconds: cut towards zero",
    arguments: [(0, 0), (999_999, 0), (1_000_000, 1), (-1, 0), (-999_999, 0), (-1_000_000, -1), (-1_500_000, -1)]
      as [(Int64, Int64)])
  func wholeSeconds(microseconds: Int64, expected: Int64) {
    #expect(Instant(microseconds: microseconds).wholeSeconds == expected)
  }

  @Test("Sums of fractions hit a border exactly")
  func sums() throws {
    var instant = moment(0)
    let tenth = try #require(TimeSpan(seconds: 0.1))
    for _ in 0..<1_728 { instant = try #require(instant.advanced(by: tenth)) }
    #expect(instant == moment(172.8))
    #expect(instant.since(moment(0)) == TimeSpan(seconds: 172.8 as Double))
    #expect(moment(0) < instant && instant.unixSeconds == 1_767_225_772.8)
  }

  @Test(
    "Moved out of the years 1 to 9999",
    arguments: [
      (253_402_300_799, 1, false), (253_402_300_798, 1, true), (-62_135_596_800, -1, false),
      (-62_135_596_799, -1, true),
      (0, 319_999_999_999, false), (0, -319_999_999_999, false),
    ] as [(Int64, Int64, Bool)])
  func moved(from seconds: Int64, by span: Int64, stays: Bool) {
    let instant = Instant(microseconds: seconds * 1_000_000)
    #expect((instant.advanced(by: TimeSpan(seconds: span)) != nil) == stays)
  }

  @Test("The largest of spans is no crash", arguments: [Int64.max, .min])
  func overflow(microseconds: Int64) {
    #expect(moment(0).advanced(by: TimeSpan(microseconds: microseconds)) == nil)
  }

  @Test(
    "Spans are read",
    arguments: [
      ("36h", 129_600), ("2d3h", 183_600), ("1.5s", 1.5), ("250ms", 0.25), ("1m30s", 90), ("0s", 0), ("1ms1s", 1.001),
      ("3h2d", 183_600), ("0.5d", 43_200), ("007m", 420), ("1d1h1m1s1ms", 90_061.001), ("0.000001s", 0.000_001),
      ("35d", 3_024_000),
    ] as [(String, Double)])
  func spans(text: String, seconds: Double) {
    #expect(TimeSpan(text: text) == TimeSpan(seconds: seconds))
  }

  @Test(
    "No spans",
    arguments: [
      "", "5", "s", "5 s", "5s ", " 5s", "-5s", "+5s", "5S", "5y", "5w", "1.s", ".5s", "1..5s", "1.5.5s", "1,5s",
      "5sec",
      "1e3s", "2d3", "d2", "５s", "5ſ", "99999999999d", "1e999s", "5s-3s", "٣s",
    ])
  func noSpans(text: String) {
    #expect(TimeSpan(text: text) == nil)
  }

  @Test(
    "Spans are shown in the form that is read",
    arguments: [
      (0, "0s"), (1.5, "1.5s"), (90, "1m30s"), (183_600, "2d3h"), (0.25, "0.25s"), (86_400, "1d"), (-5, "-5s"),
      (90_061.001, "1d1h1m1.001s"), (0.000_001, "0.000001s"), (3_155_760_000, "36525d"), (-183_600.5, "-2d3h0.5s"),
    ] as [(Double, String)])
  func shown(seconds: Double, text: String) throws {
    let span = try #require(TimeSpan(seconds: seconds))
    #expect(span.description == text)
    if seconds >= 0 { #expect(TimeSpan(text: text) == span) }
  }

  @Test("No span", arguments: [Double.infinity, -.infinity, .nan, 3.2e11, -3.2e11, 1e300])
  func noSpan(seconds: Double) {
    #expect(TimeSpan(seconds: seconds) == nil)
  }
}
