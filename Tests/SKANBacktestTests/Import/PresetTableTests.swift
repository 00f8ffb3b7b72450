import Foundation
import SKANBase
import SKANDevice
import SKANRun
import TestSupport
import Testing

@testable import SKANBacktest

/// What each vendor's documentation says of its export, and that the preset reads it so. `fixtures/export-edges` has an
/// export of each: an iPhone with a purchase of 4.99 EUR, a device whose row names no system, a device of another system
/// with a purchase of 100, and a row whose identifiers mean none.
@Suite("Presets and the documentation of their vendors")
struct PresetTableTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let preset: ExportPreset
    let file: String
    /// The columns that name the system, and their source.
    let systems: ([String], source: String)
    /// The columns of an amount, each with the unit, and their source.
    let revenue: ([String], source: String)
    /// The columns of the time, the first of which is of UTC, and their source.
    let times: ([String], source: String)
    /// The name of the purchase in the fixture.
    let purchase: String
    /// Why the row of another system is left out; nil where the preset reads no system.
    let other: String?
    /// The texts of the last row that mean no identifier.
    let blanks: [BlankText]

    var testDescription: String { preset.rawValue }
  }

  private static let appsflyer =
    "AppsFlyer's raw data field dictionary, support.appsflyer.com/hc/en-us/articles/208387843"
  private static let singular =
    "Singular's data schemas of data destinations, support.singular.net/hc/en-us/articles/360048784092"

  static let cases = [
    Case(
      preset: .appsflyer, file: "appsflyer.csv", systems: (["Platform"], appsflyer),
      revenue: (["Event Revenue", "Event Revenue USD", "Event Value", "Event Revenue Preferred"], appsflyer),
      // The zone of an export is the app's; the dictionary names no column with it.
      times: (["Event Time"], appsflyer), purchase: "af_purchase", other: "Platform is android, not iOS",
      blanks: [.null, .null]),
    Case(
      preset: .appsflyerLocker, file: "appsflyer-locker.csv", systems: (["platform"], appsflyer),
      revenue: (["event_revenue", "event_revenue_usd", "event_value", "event_revenue_preferred"], appsflyer),
      times: (["event_time"], "\(appsflyer): Data Locker: UTC"), purchase: "af_purchase",
      other: "platform is android, not iOS", blanks: [.nullInParentheses, .copyNull]),
    Case(
      preset: .adjust, file: "adjust.csv",
      systems: (["{os_name}"], "inferred, from callback URLs in public code"),
      revenue: (
        ["{revenue_float}", "{revenue} in cents", "{reporting_revenue}"],
        "help.adjust.com/en/article/ad-revenue-callbacks: {revenue} in cents, {revenue_float} in whole currency units"
      ),
      times: (["{created_at}"], "help.adjust.com/en/article/event-callbacks: a Unix time"), purchase: "purchase",
      other: "{os_name} is android, not iOS", blanks: [.zeros, .none]),
    Case(
      preset: .singular, file: "singular.csv",
      systems: (
        ["platform", "os", "device_id_type"],
        "\(singular); 4411780525979, \"Types of Device IDs\"; os is inferred"
      ), revenue: (["converted_revenue", "revenue"], singular),
      times: (["adjusted_timestamp_unix_utc", "adjusted_timestamp"], singular), purchase: "__iap__",
      other: "device_id_type is AIFA, which no iPhone has", blanks: [.undefined]),
    Case(
      preset: .branch, file: "branch.csv",
      systems: (
        ["user_data_os", "user_data_platform"], "Branch's list of export fields; the values of the second are inferred"
      ),
      revenue: (["event_data_revenue", "event_data_revenue_in_usd"], "Branch's list of export fields"),
      times: (["timestamp", "timestamp_iso"], "Branch's list of export fields: milliseconds"), purchase: "PURCHASE",
      other: "user_data_os is ANDROID, not iOS", blanks: [.notApplicable, .nil]),
    Case(
      preset: .firebase, file: "firebase.ndjson",
      systems: (["platform", "device.operating_system"], "developers.google.com/analytics/bigquery/event-schema"),
      revenue: (
        [
          "event_value_in_usd", "event_params[key=value].value.double_value", "event_params[key=value].value.int_value",
          "event_params[key=value].value.string_value", "ecommerce.purchase_revenue_in_usd",
        ], "developers.google.com/analytics/bigquery/event-schema"
      ),
      times: (["event_timestamp"], "developers.google.com/analytics/bigquery/event-schema: microseconds, UTC"),
      purchase: "purchase", other: "platform is ANDROID, not iOS", blanks: [.undefined, .notSet]),
    Case(
      preset: .amplitude, file: "amplitude.ndjson",
      systems: (["platform", "os_name"], "fivetran.com/docs/connectors/applications/amplitude/connector-schema"),
      revenue: (
        [
          "event_properties.$revenue", "event_properties.revenue",
          "event_properties.$price × event_properties.$quantity",
        ],
        "amplitude.com/docs/data/sources/instrument-track-revenue: $revenue, else $price * $quantity"
      ), times: (["event_time", "client_event_time"], "inferred: UTC"), purchase: "purchase",
      other: "platform is Android, not iOS", blanks: [.undefined, .null]),
    Case(
      preset: .mixpanel, file: "mixpanel.ndjson",
      systems: (["properties.$os"], "docs.mixpanel.com default properties; its Swift SDK writes UIDevice.systemName"),
      revenue: (
        ["properties.amount", "properties.revenue", "properties.$ae_iap_price × properties.$ae_iap_quantity"],
        "the README of mixpanel-swift on $ae_iap; amount, revenue and currency are inferred"
      ), times: (["properties.time"], "Mixpanel's export: Unix seconds"), purchase: "$ae_iap",
      other: "properties.$os is Android, not iOS", blanks: [.null, .none]),
    Case(
      preset: .segment, file: "segment.csv",
      systems: (
        ["context_os_name", "context_device_type"],
        "Segment's Spec: Common Fields, context.os.name and context.device.type"
      ),
      revenue: (
        ["properties_revenue", "revenue"],
        "Segment's Warehouse Schemas: the table of an event has columns of its properties; the first is inferred"
      ), times: (["timestamp", "original_timestamp"], "Segment's Spec: Common Fields: UTC"),
      purchase: "order_completed", other: "context_os_name is Android, not iOS", blanks: [.copyNull, .nullInBrackets]),
    Case(
      preset: .plain, file: "plain.csv", systems: ([], "ours"), revenue: (["revenue"], "ours"),
      times: (["time"], "ours"), purchase: "purchase", other: nil, blanks: [.nan]),
  ]

  @Test("Each preset has its row") func eachPreset() { #expect(Self.cases.map(\.preset) == ExportPreset.allCases) }

  @Test("The preset reads what the documentation names", arguments: cases)
  func columns(example: Case) {
    let mapping = example.preset.mapping
    #expect(mapping.systems.map(\.column.name) == example.systems.0)
    #expect(mapping.time.map(\.name) == example.times.0)
    let revenue = mapping.revenue.flatMap { source in
      source.amount.map { column in
        column.name + (source.quantity.map { " × \($0.name)" } ?? "")
          + (source.unit == .units ? "" : " in \(source.unit)")
      }
    }
    #expect(revenue == example.revenue.0)
    #expect([example.systems.source, example.revenue.source, example.times.source].allSatisfy { !$0.isEmpty })
  }

  @Test("The export of the vendor's form", arguments: cases)
  func export(example: Case) throws {
    let text = try String(
      contentsOf: Checkout.fixtures.appending(path: "export-edges/\(example.file)"), encoding: .utf8)
    let export = try ExportText(text) {
      if example.preset == .appsflyer { $0.timeZone = ExportTimeZone("UTC") }
    }
    #expect(export.layout.flatMap { ExportPreset(columns: $0.columns) } == example.preset)
    #expect(
      export.rows == [
        "D1 | 2026-01-01T10:05:00Z | event | \(example.purchase) | 4.99 EUR",
        "D2 | 2026-01-01T10:06:00Z | event | level",
      ])
    let leftOut = export.tally.leftOut(by: example.preset.mapping)
    #expect(leftOut.map(\.reason) == [example.other].compactMap(\.self) && leftOut.allSatisfy { $0.count == 1 })
    #expect(export.tally.places.map(\.reason) == [.device])
    for blank in BlankText.allCases {
      #expect(export.tally.blanks[blank.rawValue] == example.blanks.count { $0 == blank }, "\(blank)")
    }
    // In capitals, as Snowflake writes the names of columns, it is the same.
    if example.file.hasSuffix(".csv"), let end = text.firstIndex(of: "\n") {
      let capitals = try ExportText(text[..<end].uppercased() + text[end...]) {
        if example.preset == .appsflyer { $0.timeZone = ExportTimeZone("UTC") }
      }
      #expect(capitals.rows == export.rows && capitals.tally.leftOut(by: example.preset.mapping).count == leftOut.count)
    }
  }

  /// A row of a table with the preset's own columns: those of the device, the time and the name, and some more.
  private func tally(_ preset: ExportPreset, _ fields: [String: String]) throws -> ExportText {
    let mapping = preset.mapping
    let time =
      mapping.timeUnit == .microseconds
      ? "1767261900000000" : mapping.timeUnit == .text ? "2026-01-01 10:05:00Z" : "1767261900"
    var row = [(mapping.device[0].name, "D"), (mapping.time[0].name, time), (mapping.eventName[0].name, "x")]
    row.removeAll { fields[$0.0] != nil }
    row += fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let lines = [row.map(\.0), row.map(\.1)].map { fields in
      fields.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",")
    }
    return try ExportText(lines.joined(separator: "\n") + "\n", mapping)
  }

  @Test("Every column of a system: iOS in all spellings and what names none passes", arguments: ExportPreset.allCases)
  func systems(preset: ExportPreset) throws {
    for system in preset.mapping.systems {
      let name = system.column.name
      let identifiers = system.others == nil ? [] : ["SDID", "IDFV", "idfa", "tablet"]
      for same in ["ios", "iOS", "IOS", "iPadOS", "iPhone OS", "iPhone", "iOS 17.4", "", "null", "(not set)"]
        + identifiers
      {
        #expect(try tally(preset, [name: same]).tally.filteredRows == 0, "\(name) \(same)")
      }
      for other in system.others ?? ["Android", "android 14", "web", "macOS", "Fire OS", "visionOS"] {
        let export = try tally(preset, [name: other.uppercased()])
        #expect(export.rows == [] && export.tally.leftOut(by: preset.mapping).count == 1, "\(name) \(other)")
      }
    }
  }

  /// The fields of a row whose only identifier is in this column.
  private func device(_ text: String, in column: ExportColumn, of preset: ExportPreset) -> [String: String] {
    var fields = [preset.mapping.device[0].name: ""]
    fields[column.name] = text
    return fields
  }

  @Test("Texts that mean no identifier, in any letter case, in every column of one", arguments: ExportPreset.allCases)
  func blanks(preset: ExportPreset) throws {
    for column in preset.mapping.device {
      for blank in BlankText.allCases {
        for text in [blank.shown, blank.text.uppercased(), " \(blank.shown)"]
        where !(blank == .zeros && text.first == " ") {
          let export = try tally(preset, device(text, in: column, of: preset))
          #expect(export.tally.places.map(\.reason) == [.device], "\(column.name) \(text)")
          #expect(export.tally.blanks[blank.rawValue] == 1, "\(text)")
        }
      }
      for text in ["nulls", "0", "nan1", "undefined-1", "00000000-0000-0000-0000-000000000001", "N", "(null", "\\M"] {
        let export = try tally(preset, device(text, in: column, of: preset))
        #expect(export.rows.first?.hasPrefix("\(text) | ") == true, "\(text)")
      }
    }
  }

  @Test("Every source of revenue is read in its unit", arguments: ExportPreset.allCases)
  func revenue(preset: ExportPreset) throws {
    for source in preset.mapping.revenue {
      for column in source.amount {
        var fields = [column.name: source.unit == .cents ? "499" : "4.99"]
        if let keys = source.keys {
          fields[column.name] = #"{"\#(keys.amount)":4.99,"\#(keys.currency)":"USD"}"#
        } else if let currency = source.currency.first {
          fields[currency.name] = "USD"
        }
        let expected: String
        if let quantity = source.quantity {
          fields[quantity.name] = "3"
          expected = "14.97 USD"
        } else {
          expected = "4.99 USD"
        }
        let export = try tally(preset, fields)
        // Where no column has a currency, one must be given.
        if source.currency.isEmpty, source.code == nil, source.keys == nil {
          #expect(export.tally.places.map(\.reason) == [.currency], "\(column.name)")
        } else {
          #expect(
            export.rows.first?.contains(expected) == true && export.tally.revenues == 1, "\(column.name) \(export.rows)"
          )
        }
      }
    }
  }

  @Test(
    "A quantity is a whole number from 1",
    arguments: [("1", "4.99"), ("2.0", "9.98"), ("", "4.99"), ("0", nil), ("1.5", nil), ("x", nil)]
      as [(String, String?)])
  func quantity(text: String, expected: String?) throws {
    let fields = [
      "event_properties.$price": "4.99", "event_properties.$currency": "USD", "event_properties.$quantity": text,
    ]
    let export = try tally(.amplitude, fields)
    #expect(export.rows.first?.contains(" | \(expected ?? "") USD") == (expected == nil ? nil : true))
    #expect(export.tally.places.map(\.reason) == (expected == nil ? [.quantity] : []))
  }

  @Test("Purchases without an amount are counted; an amount of 0 is one")
  func purchases() throws {
    let names = ["purchase", "Purchase", "BUY", "Order Completed", "af_purchase", "__iap__"]
    let rows = names.map { "a,1767225600,\($0),,\n" } + ["a,1767225600,purchase,0,USD\n", "a,1767225600,login,,\n"]
    let tally = try ExportText("device,time,name,revenue,currency\n" + rows.joined()).tally
    #expect(tally.purchases == 7 && tally.purchasesWithoutRevenue == 6 && tally.missingPurchases != nil)
    let half = try ExportText("device,time,name,revenue,currency\na,1767225600,buy,,\na,1767225600,buy,1,USD\n").tally
    #expect(half.missingPurchases == nil && half.revenues == 1)
  }

  @Test("An install time without a zone needs one, as a time does; one that cannot be read is counted")
  func installs() throws {
    let header = "adjusted_timestamp_unix_utc,device_id,name,install_time\n"
    let rows = "1767261900,a,x,2026-01-01 10:00:00\n"
    let without = try ExportText(header + rows)
    #expect(without.rows == [] && without.tally.places.map(\.reason) == [.timeZone])
    let with = try ExportText(header + rows) { $0.timeZone = ExportTimeZone("UTC") }
    #expect(with.rows.count == 1 && with.tally.usesZone)
    let unread = try ExportText(header + "1767261900,a,x,soon\n1767261900,a,x,null\n1767261900,a,x,\n")
    #expect(unread.rows.count == 3 && unread.tally.unreadInstalls == 1 && !unread.tally.usesZone)
  }

  @Test("Columns that are not read: systems by their names or by their texts, and numbers")
  func unread() throws {
    let text = """
      device,time,name,device_os,kind,system_kind,price,level,build,os_version
      a,1767225600,x,iOS,ios,ios,4.99,7,b1,17.4
      b,1767225600,x,Android,android,tablet,,8,2,17.4
      c,1767225600,x,KaiOS,,,0,null,3,18
      """
    for text in [text, text.replacing("\n", with: "\r\n")] {
      guard case .rows(let blocks) = try ExportInput.open(.init(Array(text.utf8)), file: "", index: 0, blockSize: 64)
      else { return }
      var unread = UnreadColumns()
      while let block = try blocks.next() { unread.add(block, ExportPreset.plain.mapping) }
      #expect(unread.systems.map(\.column) == ["device_os", "kind"])
      #expect(unread.systems[0].rows.map { "\($0.name) \($0.rows)" } == ["Android 1", "KaiOS 1", "iOS 1"])
      #expect(unread.numbers == ["price", "level", "os_version"])
    }
  }
}
