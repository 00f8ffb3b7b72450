import Testing

@testable import SKANBacktest

/// For each preset a row, changes of it that count, and others beside them that do not.
@Suite("Both sides of what each preset says of a row")
struct PresetBoundaryTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let preset: ExportPreset
    /// The columns and the fields of the row without changes.
    let row: [(column: String, field: String)]
    /// Fields that change, and what the row is then: what stands behind its time, unless the device or the reason is said.
    let changes: [(fields: [String: String], result: String)]

    var testDescription: String { preset.rawValue }

    /// The lines of the header and of all changed rows.
    func lines(_ columns: [String]) -> [String] {
      let base = Dictionary(uniqueKeysWithValues: row)
      return ([columns] + changes.map { change in columns.map { change.fields[$0] ?? base[$0] ?? "" } }).map { fields in
        fields.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\n"
      }
    }
  }

  /// What a row comes to.
  private static func result(_ export: ExportText) -> String {
    if let row = export.rows.first { return row.replacing("D | 2026-01-01T10:00:00Z | ", with: "") }
    if export.tally.filteredRows == 1 { return "left out" }
    let reason = export.tally.places.first?.reason
    return "rejected: \(reason?.name ?? "")"
  }

  @Test("Rows", arguments: cases)
  func rows(example: Case) throws {
    for columns in [example.row.map(\.column), example.row.map(\.column).reversed()] {
      let lines = example.lines(columns)
      for (index, change) in example.changes.enumerated() {
        let export = try ExportText(lines[0] + lines[index + 1])
        #expect(export.layout.flatMap { ExportPreset(columns: $0.columns) } == example.preset)
        #expect(Self.result(export) == change.result, "\(change.fields)")
      }
      let (inOrder, reversed) = (
        try ExportText(lines.joined()), try ExportText(lines[0] + lines.dropFirst().reversed().joined())
      )
      #expect(reversed.rows == inOrder.rows.reversed())
      #expect(reversed.tally.systems == inOrder.tally.systems)
      #expect(reversed.tally.filtered == inOrder.tally.filtered && reversed.tally.rejected == inOrder.tally.rejected)
    }
  }

  @Test("Without a column that identifies it an export is not recognized", arguments: cases)
  func fingerprint(example: Case) {
    let fingerprint = example.preset.fingerprint
    let columns = example.row.map(\.column)
    for missing in fingerprint {
      #expect(ExportPreset(columns: columns.filter { !missing.contains($0) }) != example.preset, "\(missing)")
    }
    for (index, names) in fingerprint.enumerated() {
      for present in names {
        var least = fingerprint.compactMap(\.first)
        least[index] = present
        #expect(ExportPreset(columns: least) == example.preset, "\(present)")
        // Some databases write all names in capitals.
        #expect(ExportPreset(columns: least.map { $0.uppercased() }) == example.preset, "\(present)")
      }
    }
  }

  @Test("Each preset has its row") func eachPreset() { #expect(Self.cases.map(\.preset) == ExportPreset.allCases) }

  private static let zeros = "00000000-0000-0000-0000-000000000000"
  private static let at = "2026-01-01T10:00:00Z"

  private static let cases: [Case] = [
    Case(
      preset: .appsflyer,
      row: [
        ("IDFV", "D"), ("AppsFlyer ID", "A"), ("Event Time", "2026-01-01 10:00:00Z"), ("Event Name", "level"),
        ("Event Revenue", ""), ("Event Revenue Currency", ""), ("Event Revenue USD", ""), ("Event Value", ""),
        ("Install Time", ""), ("Platform", "ios"), ("Is Primary Attribution", "true"),
      ],
      changes: [
        ([:], "event | level"), (["IDFV": ""], "A | \(at) | event | level"),
        (["IDFV": zeros], "A | \(at) | event | level"),
        (["IDFV": zeros.dropLast() + "1"], "\(zeros.dropLast())1 | \(at) | event | level"),
        (["IDFV": "", "AppsFlyer ID": zeros], "rejected: no-device"),
        (["Platform": "IOS"], "event | level"), (["Platform": "android"], "left out"),
        (["Platform": ""], "event | level"),
        (["Is Primary Attribution": "FALSE"], "left out"), (["Is Primary Attribution": ""], "event | level"),
        (
          ["Event Name": "af_ad_view", "Event Revenue": "1", "Event Revenue Currency": "EUR"],
          "event | af_ad_view | 1.0 EUR ad"
        ),
        (
          ["Event Name": "af_ad_views", "Event Revenue": "1", "Event Revenue Currency": "EUR"],
          "event | af_ad_views | 1.0 EUR"
        ),
        (["Event Name": "af_ad_revenue", "Event Revenue USD": "2"], "event | af_ad_revenue | 2.0 USD ad"),
        (["Event Revenue": "1", "Event Revenue Currency": "EUR", "Event Revenue USD": "2"], "event | level | 1.0 EUR"),
        (["Event Revenue": "1", "Event Revenue USD": "2"], "rejected: currency"),
        (["Event Value": #"{"af_revenue":"3","af_currency":"GBP"}"#], "event | level | 3.0 GBP"),
        (["Event Value": #"{"revenue":"3","af_currency":"GBP"}"#], "event | level"),
        (["Install Time": "2026-01-01 09:00:00Z"], "event | level | installed 2026-01-01T09:00:00Z"),
        (["Install Time": "1767258000"], "event | level"), (["Event Time": "1767261600"], "rejected: time"),
        (["Event Time": "2026-01-01 10:00:00"], "rejected: time-zone"), (["Event Name": ""], "rejected: no-name"),
        (["Event Name": "install"], "install"), (["Event Name": "reinstall"], "install"),
        (["Event Name": "re-attribution"], "install"), (["Event Name": "Install"], "event | Install"),
        (["Event Name": "af_app_opened"], "session"), (["Event Name": "app_opened"], "event | app_opened"),
        (["Event Name": "re-engagement"], "left out"), (["Event Name": "re-engagements"], "event | re-engagements"),
      ]),
    Case(
      preset: .appsflyerLocker,
      row: [
        ("idfv", "D"), ("appsflyer_id", "A"), ("event_time", "2026-01-01 10:00:00Z"), ("event_name", "level"),
        ("event_revenue", ""), ("event_revenue_currency", ""), ("event_revenue_usd", ""), ("event_value", ""),
        ("install_time", ""), ("platform", "ios"), ("is_primary_attribution", "true"),
      ],
      changes: [
        ([:], "event | level"), (["idfv": ""], "A | \(at) | event | level"), (["platform": "Android"], "left out"),
        (["platform": "iOS"], "event | level"), (["is_primary_attribution": "false"], "left out"),
        (["event_name": "install"], "install"), (["event_name": "af_app_opened"], "session"),
        (["event_name": "re-engagement"], "left out"), (["event_revenue_usd": "2"], "event | level | 2.0 USD"),
        (["event_revenue": "1", "event_revenue_currency": "EUR", "event_revenue_usd": "2"], "event | level | 1.0 EUR"),
        (["event_value": #"{"af_revenue":3,"af_currency":"GBP"}"#], "event | level | 3.0 GBP"),
        (["event_value": #"{"af_price":3,"af_currency":"GBP"}"#], "event | level"),
        // Data Locker writes times of UTC.
        (["event_time": "2026-01-01 10:00:00"], "event | level"), (["event_time": "1767261600"], "rejected: time"),
        (
          ["event_name": "af_ad_view", "event_revenue": "1", "event_revenue_currency": "usd"],
          "event | af_ad_view | 1.0 USD ad"
        ),
        (
          ["event_name": "af_purchase", "event_revenue": "-1", "event_revenue_currency": "USD"],
          "event | af_purchase | -1.0 USD"
        ),
        (["install_time": "2026-01-01 09:00:00Z"], "event | level | installed 2026-01-01T09:00:00Z"),
      ]),
    Case(
      preset: .adjust,
      row: [
        ("{idfv}", "D"), ("{adid}", "A"), ("{created_at}", "1767261600"), ("{event_name}", "level"),
        ("{activity_kind}", "event"), ("{revenue_float}", ""), ("{revenue}", ""), ("{currency}", ""),
        ("{reporting_revenue}", ""), ("{reporting_currency}", ""), ("{installed_at}", ""),
        ("{environment}", "production"),
        ("{os_name}", "ios"), ("{nonce}", ""), ("{random}", ""),
      ],
      changes: [
        ([:], "event | level"), (["{idfv}": ""], "A | \(at) | event | level"), (["{event_name}": ""], "event | event"),
        (["{activity_kind}": "session"], "session"), (["{activity_kind}": "install"], "install"),
        (["{activity_kind}": "reinstall"], "left out"), (["{activity_kind}": ""], "event | level"),
        (["{activity_kind}": "ad_revenue", "{revenue_float}": "1", "{currency}": "EUR"], "revenue | 1.0 EUR ad"),
        (["{activity_kind}": "ad_revenue"], "rejected: no-name"),
        (["{activity_kind}": "session", "{revenue_float}": "1", "{currency}": "EUR"], "session"),
        (["{revenue_float}": "1", "{revenue}": "2", "{currency}": "EUR"], "event | level | 1.0 EUR"),
        (["{revenue}": "2", "{currency}": "EUR"], "event | level | 0.02 EUR"),
        (["{revenue}": "4.99", "{currency}": "EUR"], "rejected: cents"),
        (["{reporting_revenue}": "3", "{reporting_currency}": "GBP", "{currency}": "EUR"], "event | level | 3.0 GBP"),
        (["{environment}": "sandbox"], "left out"), (["{os_name}": "android"], "left out"),
        (["{installed_at}": "1767258000"], "event | level | installed 2026-01-01T09:00:00Z"),
        (["{created_at}": "1767261600000"], "rejected: time"),
        (["{created_at}": "2026-01-01 10:00:00Z"], "rejected: time"),
      ]),
    Case(
      preset: .singular,
      row: [
        ("device_id", "D"), ("custom_user_id", "A"), ("adjusted_timestamp", "1767261600"), ("name", "level"),
        ("converted_revenue", ""), ("converted_currency", ""), ("install_time", ""),
      ],
      changes: [
        ([:], "event | level"), (["device_id": ""], "A | \(at) | event | level"), (["name": "__SESSION__"], "session"),
        (["name": "__session__"], "event | __session__"), (["name": "install"], "install"),
        (["name": "installs"], "event | installs"), (["name": "__START__"], "install"),
        (["name": "__REINSTALL__"], "install"), (["name": "__UNINSTALL__"], "left out"),
        (["name": "__START"], "event | __START"), (["name": "__UNINSTALL"], "event | __UNINSTALL"),
        (
          ["name": "__ADMON_USER_LEVEL_REVENUE__", "converted_revenue": "1", "converted_currency": "USD"],
          "revenue | 1.0 USD ad"
        ),
        (["name": "__iap__", "converted_revenue": "1", "converted_currency": "USD"], "event | __iap__ | 1.0 USD"),
        (["converted_revenue": "0"], "event | level"), (["converted_revenue": "0.01"], "rejected: currency"),
        (["install_time": "1767258000"], "event | level | installed 2026-01-01T09:00:00Z"),
        (["adjusted_timestamp": "1767261600000"], "event | level"),
        (["adjusted_timestamp": "17672616000"], "rejected: time"),
      ]),
    Case(
      preset: .branch,
      row: [
        ("user_data_idfv", "D"), ("user_data_developer_identity", "A"), ("user_data_os", "IOS"),
        ("timestamp", "1767261600000"), ("timestamp_iso", ""), ("name", "level"), ("event_data_revenue", ""),
        ("event_data_currency", ""), ("event_data_revenue_in_usd", ""), ("install_activity_timestamp_iso", ""),
      ],
      changes: [
        ([:], "event | level"), (["user_data_idfv": ""], "A | \(at) | event | level"),
        (["user_data_os": "ANDROID"], "left out"),
        (["timestamp": "", "timestamp_iso": "2026-01-01T10:00:00Z"], "event | level"),
        (["timestamp": ""], "rejected: time"),
        (["name": "VIEW_AD", "event_data_revenue": "1", "event_data_currency": "EUR"], "event | VIEW_AD | 1.0 EUR ad"),
        (["name": "VIEW_ITEM", "event_data_revenue_in_usd": "2"], "event | VIEW_ITEM | 2.0 USD"),
        (["install_activity_timestamp_iso": "2026-01-01T09:00:00Z"], "event | level | installed 2026-01-01T09:00:00Z"),
        (["name": "OPEN"], "session"), (["name": "open"], "event | open"), (["name": "INSTALL"], "install"),
        (["name": "REINSTALL"], "install"), (["name": "UNINSTALL"], "event | UNINSTALL"),
      ]),
    Case(
      preset: .firebase,
      row: [
        ("device.vendor_id", "D"), ("user_pseudo_id", "A"), ("event_timestamp", "1767261600000000"),
        ("event_name", "level"), ("event_value_in_usd", ""), ("event_params[key=value].value.double_value", ""),
        ("event_params[key=value].value.int_value", ""), ("event_params[key=value].value.string_value", ""),
        ("event_params[key=currency].value.string_value", ""), ("user_first_touch_timestamp", ""), ("platform", "IOS"),
      ],
      changes: [
        ([:], "event | level"), (["device.vendor_id": ""], "A | \(at) | event | level"),
        (["event_name": "first_open"], "install"), (["event_name": "first_visit"], "event | first_visit"),
        (["event_name": "session_start"], "session"), (["event_name": "session_end"], "event | session_end"),
        (["event_params[key=value].value.int_value": "1"], "event | level"),
        (
          ["event_params[key=value].value.int_value": "1", "event_params[key=currency].value.string_value": "EUR"],
          "event | level | 1.0 EUR"
        ),
        (["event_name": "ad_impression", "event_value_in_usd": "2"], "event | ad_impression | 2.0 USD ad"),
        (["event_name": "ad_reward", "event_value_in_usd": "2"], "event | ad_reward | 2.0 USD ad"),
        (["event_name": "ad_click", "event_value_in_usd": "2"], "event | ad_click | 2.0 USD"),
        (["user_first_touch_timestamp": "1767258000000000"], "event | level | installed 2026-01-01T09:00:00Z"),
        (["platform": "ANDROID"], "left out"), (["event_timestamp": "1767261600000"], "rejected: time"),
      ]),
    Case(
      preset: .amplitude,
      row: [
        ("device_id", "D"), ("user_id", "A"), ("amplitude_id", "B"), ("event_time", "2026-01-01 10:00:00.000000"),
        ("client_event_time", ""), ("event_type", "level"), ("event_properties.$revenue", ""),
        ("event_properties.revenue", ""), ("event_properties.$currency", ""), ("$insert_id", ""), ("os_name", "ios"),
      ],
      changes: [
        ([:], "event | level"), (["device_id": ""], "A | \(at) | event | level"),
        (["device_id": "", "user_id": ""], "B | \(at) | event | level"), (["os_name": "android"], "left out"),
        (
          ["event_properties.$revenue": "1", "event_properties.revenue": "2", "event_properties.$currency": "EUR"],
          "event | level | 1.0 EUR"
        ),
        (["event_properties.revenue": "2", "event_properties.$currency": "EUR"], "event | level | 2.0 EUR"),
        (["event_time": "", "client_event_time": "2026-01-01 10:00:00"], "event | level"),
        (["event_time": "1767261600"], "rejected: time"),
        (["event_type": "[Amplitude] Start Session"], "session"), (["event_type": "session_start"], "session"),
        (["event_type": "[Amplitude] End Session"], "event | [Amplitude] End Session"),
        (["event_type": "[Amplitude] Application Installed"], "install"),
        (["event_type": "[Amplitude] Application Opened"], "event | [Amplitude] Application Opened"),
      ]),
    Case(
      preset: .mixpanel,
      row: [
        ("event", "level"), ("properties.time", "1767261600"), ("properties.$device_id", "D"),
        ("properties.distinct_id", "A"), ("properties.amount", ""), ("properties.revenue", ""),
        ("properties.$insert_id", ""),
      ],
      changes: [
        ([:], "event | level"), (["properties.$device_id": ""], "A | \(at) | event | level"),
        (["event": "$ae_first_open"], "install"), (["event": "$ae_session"], "session"),
        (["event": "$ae_updated"], "event | $ae_updated"),
        (["properties.amount": "1"], "rejected: currency"), (["properties.amount": "0"], "event | level"),
        (["properties.time": "1767261600000"], "event | level"),
      ]),
    Case(
      preset: .segment,
      row: [
        ("context_device_id", "D"), ("anonymous_id", "A"), ("timestamp", "2026-01-01T10:00:00Z"),
        ("original_timestamp", ""),
        ("event", "level"), ("properties_revenue", ""), ("properties_currency", ""),
      ],
      changes: [
        ([:], "event | level"), (["context_device_id": ""], "A | \(at) | event | level"),
        (["event": "Application Installed"], "install"), (["event": "application_installed"], "install"),
        (["event": "Application Opened"], "session"), (["event": "application_opened"], "session"),
        (["event": "Application Backgrounded"], "event | Application Backgrounded"),
        (["timestamp": "", "original_timestamp": "2026-01-01T10:00:00+00:00"], "event | level"),
        (["timestamp": "2026-01-01T12:00:00+02:00"], "event | level"),
        (["properties_revenue": "1", "properties_currency": "EUR"], "event | level | 1.0 EUR"),
        (["properties_revenue": "1,5", "properties_currency": "EUR"], "rejected: decimal-comma"),
      ]),
    Case(
      preset: .plain,
      row: [
        ("device", "D"), ("time", "1767261600"), ("name", "level"), ("revenue", ""), ("currency", ""),
        ("ad_revenue", ""),
        ("installed", ""), ("transaction", ""),
      ],
      changes: [
        ([:], "event | level"), (["device": ""], "rejected: no-device"), (["name": "__SESSION__"], "session"),
        (["name": "install"], "install"), (["name": "first_open"], "install"),
        (["name": "first_opened"], "event | first_opened"),
        (["revenue": "1", "currency": "USD", "ad_revenue": "true"], "event | level | 1.0 USD ad"),
        (["revenue": "1", "currency": "USD", "ad_revenue": "1"], "event | level | 1.0 USD ad"),
        (["revenue": "1", "currency": "USD", "ad_revenue": "0"], "event | level | 1.0 USD"),
        (["revenue": "1", "currency": "US"], "rejected: currency"),
        (["revenue": "1x", "currency": "USD"], "rejected: amount"),
        (["name": "", "revenue": "1", "currency": "USD"], "revenue | 1.0 USD"), (["name": ""], "rejected: no-name"),
        (["installed": "1767258000"], "event | level | installed 2026-01-01T09:00:00Z"),
        // The ends of the years that times are of.
        (["time": "946684800"], "D | 2000-01-01T00:00:00Z | event | level"), (["time": "946684799"], "rejected: time"),
        (["time": "4102444799"], "D | 2099-12-31T23:59:59Z | event | level"),
        (["time": "4102444800"], "rejected: time"),
      ]),
  ]
}
