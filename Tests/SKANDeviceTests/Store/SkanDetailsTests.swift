import SKANBase
import Testing

@testable import SKANDevice

@Suite("getSkanDetails")
struct SkanDetailsTests {
  static let names = [
    "skan_current_conversion_value", "prev_fine_value", "p0_coarse", "p1_coarse", "p2_coarse", "p0_prev_coarse_value",
    "p1_prev_coarse_value", "p2_prev_coarse_value", "p0_window_lock", "p1_window_lock", "p2_window_lock",
    "skan_total_revenue_by_currency", "skan_total_admon_revenue_by_currency", "p0_total_iap_revenue",
    "p1_total_iap_revenue", "p2_total_iap_revenue", "p0_total_admon_revenue", "p1_total_admon_revenue",
    "p2_total_admon_revenue", "skan_last_call_to_skadnetwork_timestamp", "skan_first_call_to_skadnetwork_timestamp",
  ]

  @Test("Each entry has a slot of its own, in the order of all")
  func slots() {
    #expect(StoreEntry.all.map(\.slot) == Array(StoreEntry.all.indices))
    #expect(Set(StoreEntry.all.map(\.name)).count == StoreEntry.all.count)
  }

  @Test("What the entries hold, and of which window")
  func kinds() {
    for (entry, name) in zip(StoreEntry.all, Self.names + ["skan_conversion_value"]) {
      #expect(entry.isRevenue == name.contains("revenue"))
      #expect(entry.isTimestamp == (name.hasSuffix("timestamp") || name.hasSuffix("lock")))
      #expect(entry.kind.isAsAnswered == (name.contains("coarse") || entry == .fineValue || name.contains("fine")))
      #expect(
        entry.window?.key ?? ""
          == (name.hasPrefix("p0") || name.hasPrefix("p1") || name.hasPrefix("p2") ? String(name.prefix(2)) : ""))
    }
  }

  @Test("The names of SKAN 3: in its request, and where the app's server forwards them")
  func skan3Names() {
    #expect(
      StoreEntry.skan3.map { $0.requestName(in: .v1) } == [
        "conversion_value", "total_revenue_by_currency", "last_call_to_skadnetwork_timestamp",
        "first_call_to_skadnetwork_timestamp",
      ])
    #expect(
      EndpointAPI.v1.forwarded.map { $0.forwardedName(in: .v1) } == [
        "skan_conversion_value", "skan_first_call_timestamp", "skan_last_call_timestamp",
      ])
    #expect(EndpointAPI.v2.forwarded.map { $0.forwardedName(in: .v2) } == Self.names)
    #expect(StoreEntry.iapRevenue.forwardedName(in: .v1) == nil && StoreEntry.fineValue.requestName(in: .v1) == nil)
    #expect(StoreEntry.skan3Value.requestName(in: .v2) == nil && StoreEntry.skan3Value.forwardedName(in: .v2) == nil)
  }

  @Test("The keys and their order")
  func keys() {
    #expect(StoreEntry.skan4.map(\.name) == Self.names)
    #expect(
      StoreEntry.skan3.map(\.name) == [
        "skan_conversion_value", "skan_total_revenue_by_currency", "skan_last_call_to_skadnetwork_timestamp",
        "skan_first_call_to_skadnetwork_timestamp",
      ])
    #expect(StoreEntry.all.map(\.name) == Self.names + ["skan_conversion_value"])
  }

  @Test("Every entry is read where it was put", arguments: StoreEntry.all)
  func indices(key: StoreEntry) {
    var kept = KeptState()
    let isTable = key.name.contains("revenue")
    let entry: KeptState.Entry = isTable ? .revenue(RevenueTable([("USD", 1)])) : .value(.integer(7))
    #expect(kept.entry(key) == nil)
    let isSet = kept.set(key, to: entry)
    #expect(isSet)
    #expect(kept.entry(key) == entry)
    #expect(StoreEntry.all.filter { kept.entry($0) != nil } == [key])
    // The other kind has no place there.
    let unchanged = kept
    let isOtherSet = kept.set(key, to: isTable ? .value(.integer(1)) : .revenue(RevenueTable()))
    #expect(!isOtherSet)
    #expect(kept == unchanged)
  }

  @Test("Times are whole numbers", arguments: [StoreEntry.lastCall, .firstCall, .windowLock(.p1), .skan3Value])
  func times(key: StoreEntry) {
    var kept = KeptState()
    for value in [KeptValue.double(1), .bool(true), .string("1")] {
      let isSet = kept.set(key, to: .value(value))
      #expect(!isSet)
    }
    #expect(kept == KeptState())
  }

  @Test("Numbers are decimal strings, revenue is a dictionary of numbers, and the rest is left out")
  func values() throws {
    var kept = KeptState()
    kept.fineValue = .double(1.7)
    kept.previousFineValue = .double(5)
    kept.coarseValue[.p0] = .bool(true)
    kept.previousCoarseValue[.p2] = .double(-0.0)
    kept.windowLock[.p1] = 42
    kept.iapRevenue = RevenueTable([("USD", 0), ("EUR", Double(Float(9.99)))])
    kept.adRevenue = RevenueTable()
    kept.lastCall = 7
    kept.skan3Value = 12
    #expect(
      try SkanDetails(of: kept, in: .v2).json
        == .object([
          ("skan_current_conversion_value", .string("1.7")), ("prev_fine_value", .string("5")),
          ("p0_coarse", .string("1")),
          ("p2_prev_coarse_value", .string("-0")), ("p1_window_lock", .string("42")),
          ("skan_total_revenue_by_currency", .object([("EUR", .double(Double(Float(9.99)))), ("USD", .double(0))])),
          ("skan_total_admon_revenue_by_currency", .object([])),
          ("skan_last_call_to_skadnetwork_timestamp", .string("7")),
        ]))
    let skan3 = try SkanDetails(of: kept, in: .v1)
    #expect(skan3.entries.map(\.key) == [.skan3Value, .iapRevenue, .lastCall])
    #expect(
      skan3.queryItems == [
        QueryItem("skan_conversion_value", "12"),
        QueryItem("skan_total_revenue_by_currency", #"{"EUR":9.9899997711181641,"USD":0}"#),
        QueryItem("skan_last_call_to_skadnetwork_timestamp", "7"),
      ])
  }

  @Test("Nothing kept, nothing shown", arguments: SnippetVersion.allCases)
  func empty(snippet: SnippetVersion) throws {
    let details = try SkanDetails(of: KeptState(), in: snippet.rules.api)
    #expect(details.entries.isEmpty)
    #expect(details.json == .object([]))
  }

  @Test(
    "A string crashes SKAN 4's reading, wherever it is kept",
    arguments: [StoreEntry.fineValue, .previousFineValue]
      + ConversionWindow.allCases.flatMap { [StoreEntry.coarseValue($0), .previousCoarseValue($0)] })
  func poisoned(key: StoreEntry) throws {
    var device = Device.phone()
    _ = device.kept.set(key, to: .value(.string("5")))
    let poison = PoisonedEntry(key: key, value: .string("5"))
    #expect(throws: poison) { try device.details() }
    #expect(device.kept.poisonedEntry == poison)
    _ = try SkanDetails(of: device.kept, in: .v1)
    let before = device.kept
    let report = device.readDetails()
    #expect(report.outcome == .crashed)
    #expect(report.codes == ["app-crashed", "install-poisoned"])
    #expect(report.crash?.reason.contains(key.name) == true)
    #expect(device.kept == before)
    #expect(device.process.launches == 2)
  }

  @Test("Reading counts what is kept", arguments: [(SnippetVersion.skan4, 3), (.skan4Beta, 3), (.skan3, 2)])
  func read(snippet: SnippetVersion, count: Int) {
    var device = Device.phone(snippet)
    let report = device.readDetails()
    #expect(report.outcome == .read)
    #expect(report.explanation == .detailsRead(count))
    #expect(report.warnings.isEmpty && report.handler == nil)
  }

  @Test("Details are equal when their entries are")
  func equality() throws {
    func details(_ fine: Int64, _ sum: Double? = nil) throws -> SkanDetails {
      var kept = KeptState()
      kept.fineValue = .integer(fine)
      kept.iapRevenue = sum.map { RevenueTable([("USD", $0)]) }
      return try SkanDetails(of: kept, in: .v2)
    }
    #expect(try details(5, 1) == details(5, 1))
    #expect(try [details(6, 1), details(5, 2), details(5)].allSatisfy { try $0 != details(5, 1) })
  }
}

/// What the app's handler finds in the store; see the article "What the app keeps".
@Suite("getSkanDetails inside the handler")
struct HandlerDetailsTests {
  private static let records: UpdateOptions = {
    var options = UpdateOptions()
    options.recordsKeptInHandler = true
    return options
  }()

  @Test(
    "SKAN 4 runs the handler before it keeps the values, also after an error of Apple's",
    arguments: [SnippetVersion.skan4, .skan4Beta], [nil, 10 as Int64?])
  func skan4(snippet: SnippetVersion, frameworkError: Int64?) throws {
    var phone = Device.phone(snippet)
    var options = Self.records
    options.frameworkError = frameworkError
    let before = phone.kept
    let report = phone.update(#"{"conversion_value":5,"skan_updated_coarse_value":1}"#, options: options)
    #expect(report.handler != nil && report.keptInHandler == before)
    #expect(phone.kept.fineValue == .integer(5))
  }

  @Test("SKAN 4 has set the first call of an install that was not registered before")
  func unregistered() throws {
    var phone = Device.phone(registered: false)
    // The clock of 1970 is the one by which an unregistered install has an open window.
    phone.kept.firstCall = nil
    let report = phone.finishUpdate(
      SnippetAnswer(.response(status: 200, body: Array(#"{"conversion_value":5}"#.utf8))), at: moment(60),
      options: Self.records)
    #expect(report.keptInHandler?.firstCall == start + 60 && report.keptInHandler?.fineValue == nil)
  }

  @Test("SKAN 3 keeps the value first")
  func skan3() throws {
    var phone = Device.phone(.skan3)
    let report = phone.update(#"{"conversion_value":5}"#, options: Self.records)
    #expect(report.handler == .skan3Value(5))
    #expect(report.keptInHandler == phone.kept && phone.kept.skan3Value == 5)
  }

  @Test(
    "An error that is handed over leaves the store as it was",
    arguments: [SnippetVersion.skan4, .skan3], ["", #"{"status":"error","reason":"r"}"#])
  func errors(snippet: SnippetVersion, body: String) throws {
    var phone = Device.phone(snippet)
    let report = phone.update(body, options: Self.records)
    #expect(report.handler != nil && report.keptInHandler == phone.kept)
  }

  @Test("Without a handler, without its call, and unless it is asked for there is nothing")
  func nothing() throws {
    var phone = Device.phone()
    var options = Self.records
    options.hasHandler = false
    #expect(phone.update(#"{"conversion_value":5}"#, options: options).keptInHandler == nil)
    #expect(phone.update(#"{"status":"ok"}"#, options: Self.records).keptInHandler == nil)
    #expect(phone.update(#"{"conversion_value":6}"#).keptInHandler == nil)
  }
}
