import Testing

@testable import SKANDevice

@Suite("From one snippet to another")
struct MigrationTests {
  @Test("What becomes of the old first call", arguments: SnippetVersion.allCases, SnippetVersion.allCases)
  func warning(from old: SnippetVersion, to new: SnippetVersion) {
    for registered in [true, false] {
      var device = Device.phone(old, registered: registered)
      let kept = device.kept
      let report = device.update(snippet: new)
      let isMigration = (old == .skan3) != (new == .skan3)
      #expect(report.warnings == (isMigration && registered ? [.oldFirstCall(start, now: new)] : []))
      #expect(device.kept == kept)
      #expect(device.snippet == new)
      #expect(device.register(at: moment(day)).outcome == (registered ? .alreadyRegistered : .registered))
    }
  }

  @Test(
    "From SKAN 3 the windows count from the old start",
    arguments: [(1, .p0), (3, .p1), (10, .p2), (35, nil), (400, nil)] as [(Int64, ConversionWindow?)])
  func windows(days: Int64, window: ConversionWindow?) {
    var device = Device.phone(.skan3)
    _ = device.update(good("12"), at: 60)
    _ = device.update(snippet: .skan4)
    #expect(device.window(at: moment(days * day)) == window)
    let report = device.update(good("5", coarse: "1"), at: days * day)
    #expect(report.outcome == (window == nil ? .windowOver : .updated))
    #expect(device.kept.skan3Value == 12)
    #expect(device.kept.fineValue == (window == .p0 ? .integer(5) : nil))
    #expect(device.detailTexts?["skan_conversion_value"] == nil)
    if let window { #expect(device.kept.coarseValue[window] == .integer(1)) }
  }

  @Test("The first request after it carries the shared entries and no fine value")
  func request() throws {
    var device = Device.phone(.skan3)
    _ = device.update(good("12"), at: 60)
    _ = try device.addRevenue(9.99, currency: "USD", isAdMonetization: true, at: moment(61))
    _ = device.update(snippet: .skan4)
    let items = device.request(event: "e").queryItems(sdkKey: "K").dropFirst(7)
    #expect(
      Array(items) == [
        QueryItem("skan_total_revenue_by_currency", #"{"USD":9.9900000000000002}"#),
        QueryItem("skan_last_call_to_skadnetwork_timestamp", String(start + 60)),
        QueryItem("skan_first_call_to_skadnetwork_timestamp", String(start)),
      ])
  }

  @Test("The sum goes on, each snippet by its own arithmetic")
  func sums() throws {
    var device = Device.phone(.skan3)
    _ = try device.addRevenue(9.99, currency: "USD", isAdMonetization: false, at: moment(1))
    _ = device.update(snippet: .skan4)
    _ = try device.addRevenue(0.01, currency: "USD", isAdMonetization: false, at: moment(2))
    let single = Double(Float(9.99) + Float(0.01))
    #expect(device.kept.iapRevenue == RevenueTable([("USD", single)]))
    #expect(device.kept.windowIAPRevenue[.p0] == RevenueTable([("USD", Double(Float(0.01)))]))
    _ = device.update(snippet: .skan3)
    _ = try device.addRevenue(0.1, currency: "USD", isAdMonetization: false, at: moment(3))
    #expect(device.kept.iapRevenue == RevenueTable([("USD", Double(Float(single)) + 0.1)]))
  }

  @Test("Back to SKAN 3: its window counts from SKAN 4's last call")
  func back() {
    var device = Device.phone()
    _ = device.update(good("40", coarse: "2"), at: 5 * day)
    _ = device.update(snippet: .skan3)
    #expect(device.window(at: moment(6 * day - 1)) == .p0)
    #expect(device.window(at: moment(6 * day)) == nil)
    // No value of its own yet: 1 is higher than none.
    #expect(device.update(good("1"), at: 6 * day - 1).outcome == .updated)
    #expect(device.kept.skan3Value == 1)
    #expect(device.kept.fineValue == .integer(0))
  }

  @Test("Between the two of SKAN 4 the coarse check changes, and nothing else")
  func beta() {
    var device = Device.phone(.skan4Beta)
    _ = device.update(good("5", coarse: "9"), at: 1)
    _ = device.update(snippet: .skan4)
    #expect(device.kept.coarseValue[.p0] == .integer(9))
    #expect(device.detailTexts?["p0_coarse"] == "9")
    #expect(device.update(good("5", coarse: "9"), at: 2).outcome == .illegalValues)
  }

  @Test("The beta updates from iOS 15.4 on where another snippet has registered")
  func betaOnOldIOS() {
    var device = Device.phone(ios: IOSVersion(15, 4))
    _ = device.update(snippet: .skan4Beta)
    #expect(device.update(good("5")).framework == .updatePostback(fine: 5))
  }

  @Test("A lock that SKAN 4 leaked does not outlive the update of the app")
  func lock() {
    var device = Device.phone()
    _ = device.update(good("64"), at: 1)
    _ = device.update(snippet: .skan3)
    #expect(device.update(good("5"), at: 2).outcome == .updated)
  }
}
