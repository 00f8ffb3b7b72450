import Testing

@testable import SKANDevice

@Suite("Revenue")
struct RevenueTests {
  @Test(
    "SKAN 4 adds in single precision",
    arguments: [
      ([9.99], Double(Float(9.99))), ([0.1, 0.2], Double(Float(0.1) + Float(0.2))), ([16_777_216, 1], 16_777_216),
      ([16_777_216, 1, 1, 1], 16_777_216), ([1, 16_777_216], 16_777_216), ([5, -5], 0),
      ([4.99, -9.98], Double(Float(4.99) + Float(-9.98))),
      ([1e-50], 0), ([1.25, 2.5, -0.75], 3), ([3.4e38], Double(Float(3.4e38))), ([123_456_789], 123_456_792),
    ] as [([Double], Double)])
  func single(amounts: [Double], sum: Double) throws {
    for snippet in [SnippetVersion.skan4, .skan4Beta] {
      var device = Device.phone(snippet)
      for amount in amounts {
        #expect(
          try device.addRevenue(amount, currency: "USD", isAdMonetization: false, at: moment(1)).outcome == .added)
      }
      #expect(device.kept.iapRevenue == RevenueTable([("USD", sum)]))
      #expect(device.kept.windowIAPRevenue[.p0] == RevenueTable([("USD", sum)]))
      #expect(device.kept.adRevenue == nil)
    }
  }

  @Test(
    "SKAN 3 narrows the old sum alone",
    arguments: [
      ([9.99], 9.99), ([0.1, 0.2], Double(Float(0.1)) + 0.2),
      ([0.1, 0.2, 0.3], Double(Float(Double(Float(0.1)) + 0.2)) + 0.3),
      ([16_777_216, 1], 16_777_217), ([16_777_216, 1, 1], 16_777_217), ([1e-50], 1e-50), ([1e-50, 1], 1), ([5, -5], 0),
    ] as [([Double], Double)])
  func mixed(amounts: [Double], sum: Double) throws {
    var device = Device.phone(.skan3)
    for amount in amounts { _ = try device.addRevenue(amount, currency: "USD", isAdMonetization: false, at: moment(1)) }
    #expect(device.kept.iapRevenue == RevenueTable([("USD", sum)]))
  }

  @Test(
    "Which sums an amount goes into",
    arguments: [
      (60, .p0), (2 * day, .p1), (7 * day, .p2), (35 * day, nil), (-day, .p0),
    ] as [(Int64, ConversionWindow?)], [false, true])
  func indices(_ example: (seconds: Int64, window: ConversionWindow?), isAd: Bool) throws {
    var device = Device.phone()
    var expected = device.kept
    let report = try device.addRevenue(2.5, currency: "EUR", isAdMonetization: isAd, at: moment(example.seconds))
    let table = RevenueTable([("EUR", 2.5)])
    if isAd { expected.adRevenue = table } else { expected.iapRevenue = table }
    if let window = example.window {
      if isAd { expected.windowAdRevenue[window] = table } else { expected.windowIAPRevenue[window] = table }
    }
    #expect(device.kept == expected)
    #expect(report.codes == (example.window == nil ? ["revenue-outside-windows"] : []))
    #expect(report.framework == nil && report.handler == nil)
  }

  @Test("Never registered: the life-long sum alone; no iOS check; no lock, no poison")
  func unregistered() throws {
    var device = Device.phone(ios: IOSVersion(9, 0), registered: false)
    device.process.isLockHeld = true
    device.kept.fineValue = .string("x")
    let report = try device.addRevenue(1, currency: "USD", isAdMonetization: false, at: moment(0))
    #expect(report.outcome == .added)
    #expect(report.codes == ["revenue-outside-windows"])
    #expect(device.kept.iapRevenue == RevenueTable([("USD", 1)]))
    #expect(device.kept.windowIAPRevenue == PerWindow(repeating: nil))
  }

  @Test(
    "Ignored",
    arguments: [
      (.skan4, "17.4", 0, "USD"), (.skan4, "17.4", -0.0, "USD"), (.skan4, "17.4", 1, nil), (.skan4, "17.4", 0, nil),
      (.skan3, "17.4", 0, "USD"), (.skan3, "17.4", 1, nil), (.skan3, "13.7", 1, "USD"),
    ] as [(SnippetVersion, String, Double, String?)])
  func ignored(snippet: SnippetVersion, ios: String, amount: Double, currency: String?) throws {
    var device = Device.phone(snippet, ios: try #require(IOSVersion(ios)))
    let before = device
    #expect(
      try device.addRevenue(amount, currency: currency, isAdMonetization: false, at: moment(1)).outcome == .ignored)
    #expect(device == before)
  }

  @Test("SKAN 3 has one total, and no window", arguments: [60, 40 * day] as [Int64])
  func merged(seconds: Int64) throws {
    var device = Device.phone(.skan3)
    _ = try device.addRevenue(1, currency: "USD", isAdMonetization: false, at: moment(seconds))
    let report = try device.addRevenue(2, currency: "USD", isAdMonetization: true, at: moment(seconds))
    #expect(report.codes == ["ad-revenue-merged"])
    #expect(device.kept.iapRevenue == RevenueTable([("USD", 3)]))
    #expect(device.kept.adRevenue == nil)
  }

  @Test("Currencies are kept as given, and a sum of 0 stays")
  func currencies() throws {
    var device = Device.phone()
    for (currency, amount) in [("usd", 1.0), ("USD", 2), ("", 3), ("USD", -2), ("é", 4)] {
      _ = try device.addRevenue(amount, currency: currency, isAdMonetization: false, at: moment(1))
    }
    #expect(device.kept.iapRevenue == RevenueTable([("", 3), ("USD", 0), ("usd", 1), ("é", 4)]))
  }

  @Test(
    "What would make every later request crash is refused, and nothing is changed",
    arguments: [
      ([.nan], .amountNotFinite), ([.infinity], .amountNotFinite), ([-.infinity], .amountNotFinite),
      ([1e39], .sumTooLarge(entry: "skan_total_revenue_by_currency")),
      ([-1e39], .sumTooLarge(entry: "skan_total_revenue_by_currency")),
      ([3e38, 1e38], .sumTooLarge(entry: "skan_total_revenue_by_currency")),
      ([-3e38, -1e38], .sumTooLarge(entry: "skan_total_revenue_by_currency")),
    ] as [([Double], RevenueError)], SnippetVersion.allCases)
  func refused(_ example: (amounts: [Double], error: RevenueError), snippet: SnippetVersion) throws {
    var device = Device.phone(snippet)
    _ = try device.addRevenue(1, currency: "EUR", isAdMonetization: false, at: moment(1))
    for amount in example.amounts.dropLast() {
      _ = try device.addRevenue(amount, currency: "USD", isAdMonetization: false, at: moment(1))
    }
    let before = device
    let last = try #require(example.amounts.last)
    #expect(throws: example.error) {
      try device.addRevenue(last, currency: "USD", isAdMonetization: false, at: moment(2))
    }
    #expect(device == before)
  }

  @Test("A window's sum can be too large while the life-long one is not")
  func windowSum() throws {
    var device = Device.phone()
    _ = try device.addRevenue(-3e38, currency: "USD", isAdMonetization: true, at: moment(1))
    _ = try device.addRevenue(3e38, currency: "USD", isAdMonetization: true, at: moment(3 * day))
    let before = device
    #expect(throws: RevenueError.sumTooLarge(entry: "p1_total_admon_revenue")) {
      try device.addRevenue(2e38, currency: "USD", isAdMonetization: true, at: moment(3 * day))
    }
    #expect(device == before)
  }
}
