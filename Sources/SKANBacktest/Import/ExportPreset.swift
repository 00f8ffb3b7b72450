import SKANDevice

/// The exports that need no mapping file.
package enum ExportPreset: String, Sendable, CaseIterable {
  case appsflyer
  case appsflyerLocker = "appsflyer-locker"
  case adjust, singular, branch, firebase, amplitude, mixpanel, segment
  /// Columns named like the keys of ``ExportMapping``, for the results of custom queries.
  case plain

  /// The columns that identify an export: at least one of each list, in any letter case.
  var fingerprint: [[String]] {
    switch self {
    case .appsflyer: [["Event Time"], ["Event Name"], ["AppsFlyer ID", "IDFV"]]
    case .appsflyerLocker: [["event_time"], ["event_name"], ["appsflyer_id"]]
    case .adjust: [["{created_at}"], ["{idfv}", "{adid}"]]
    case .singular:
      [["adjusted_timestamp_unix_utc", "adjusted_timestamp"], ["name"], ["device_id", "custom_user_id"]]
    case .branch: [["name"], ["user_data_idfv", "user_data_developer_identity", "user_data_os"]]
    case .firebase: [["event_timestamp"], ["event_name"], ["user_pseudo_id", "device.vendor_id"]]
    case .amplitude: [["event_type"], ["event_time", "client_event_time"]]
    case .mixpanel: [["event"], ["properties.time"], ["properties.distinct_id", "properties.$device_id"]]
    case .segment: [["event"], ["anonymous_id"], ["timestamp", "original_timestamp"]]
    case .plain: [["device"], ["time"], ["name", "revenue"]]
    }
  }

  /// The preset that has these columns; nil when there is none.
  package init?(columns: [String]) {
    let columns = Set(columns.map { $0.lowercased() })
    let fitting = Self.allCases.first { preset in
      preset.fingerprint.allSatisfy { names in names.contains { columns.contains($0.lowercased()) } }
    }
    guard let fitting else { return nil }
    self = fitting
  }
}

/// The columns of each vendor's export (the article "Importing exports").
extension ExportPreset {
  package var mapping: ExportMapping {
    var mapping = columns
    mapping.title = "preset \(rawValue)"
    return mapping
  }

  private var columns: ExportMapping {
    switch self {
    case .appsflyer: Self.appsflyerColumns { $0 }
    case .appsflyerLocker: Self.lockerColumns
    case .adjust: Self.adjustColumns
    case .singular: Self.singularColumns
    case .branch: Self.branchColumns
    case .firebase: Self.firebaseColumns
    case .amplitude: Self.amplitudeColumns
    case .mixpanel: Self.mixpanelColumns
    case .segment: Self.segmentColumns
    case .plain: Self.plainColumns
    }
  }

  private static let dollars = CurrencyCode("USD")

  /// The columns of AppsFlyer's raw data, whose names Data Locker spells with small letters and underscores.
  private static func appsflyerColumns(_ spelled: (String) -> String) -> ExportMapping {
    func columns(_ names: String...) -> [ExportColumn] {
      names.map { ExportColumn(spelled($0), isRequired: false) }
    }
    var mapping = ExportMapping(
      title: "", device: columns("IDFV", "AppsFlyer ID"), time: columns("Event Time"), name: columns("Event Name"))
    mapping.timeUnit = .text
    mapping.revenue = [
      ExportRevenue(columns("Event Revenue"), currency: columns("Event Revenue Currency")),
      ExportRevenue(columns("Event Revenue USD"), code: dollars),
      ExportRevenue(columns("Event Value"), keys: ExportRevenue.Keys(amount: "af_revenue", currency: "af_currency")),
      // In the currency of the app's settings, which no column names.
      ExportRevenue(columns("Event Revenue Preferred")),
    ]
    mapping.adRevenue = ExportCondition(nil, ["af_ad_revenue", "af_ad_view"])
    mapping.session = ExportCondition(nil, ["af_app_opened"])
    mapping.install = ExportCondition(nil, ["install", "reinstall", "re-attribution"])
    mapping.installed = columns("Install Time")
    mapping.installedUnit = .text
    mapping.systems = [ExportSystem(columns("Platform")[0])]
    mapping.filters = [
      // Events of retargeted users occur twice.
      ExportFilter(columns("Is Primary Attribution")[0], ["false"], isNegated: true),
      // An engagement with an ad is not an action of the app.
      ExportFilter(columns("Event Name")[0], ["re-engagement"], isNegated: true),
    ]
    return mapping
  }

  private static var lockerColumns: ExportMapping {
    var mapping = appsflyerColumns { $0.lowercased().replacing(" ", with: "_") }
    mapping.timeZone = ExportTimeZone("UTC")
    return mapping
  }

  private static var adjustColumns: ExportMapping {
    var mapping = ExportMapping(
      title: "", device: ["{idfv}", "{adid}"], time: ["{created_at}"], name: ["{event_name}", "{activity_kind}"])
    mapping.timeUnit = .seconds
    mapping.revenue = [
      ExportRevenue(["{revenue_float}"], currency: ["{currency}"]),
      ExportRevenue(["{revenue}"], currency: ["{currency}"], unit: .cents),
      ExportRevenue(["{reporting_revenue}"], currency: ["{reporting_currency}"]),
    ]
    mapping.adRevenue = ExportCondition("{activity_kind}", ["ad_revenue"])
    mapping.revenueOnly = ExportCondition("{activity_kind}", ["ad_revenue"])
    mapping.session = ExportCondition("{activity_kind}", ["session"])
    mapping.install = ExportCondition("{activity_kind}", ["install"])
    mapping.installed = ["{installed_at}"]
    mapping.installedUnit = .seconds
    mapping.systems = [ExportSystem("{os_name}")]
    mapping.filters = [
      ExportFilter("{environment}", ["production"]),
      // Clicks, reattributions and the like are not actions of the app.
      ExportFilter("{activity_kind}", ["install", "session", "event", "ad_revenue"]),
    ]
    mapping.transaction = ["{nonce}", "{random}"]
    return mapping
  }

  private static var singularColumns: ExportMapping {
    var mapping = ExportMapping(
      title: "", device: ["device_id", "custom_user_id"],
      // The second is in the zone of the account's settings.
      time: ["adjusted_timestamp_unix_utc", "adjusted_timestamp"], name: ["name"])
    mapping.revenue = [
      ExportRevenue(["converted_revenue"], currency: ["converted_currency"]),
      ExportRevenue(["revenue"], currency: ["currency"]),
    ]
    mapping.adRevenue = ExportCondition(nil, ["__ADMON_USER_LEVEL_REVENUE__"])
    mapping.revenueOnly = mapping.adRevenue
    mapping.session = ExportCondition(nil, ["__SESSION__"])
    mapping.install = ExportCondition(nil, ["install", "__START__", "__REINSTALL__"])
    mapping.installed = ["install_time"]
    mapping.systems = [
      ExportSystem("platform"), ExportSystem("os"),
      ExportSystem("device_id_type", others: ExportSystem.androidIdentifiers),
    ]
    mapping.filters = [ExportFilter("name", ["__UNINSTALL__"], isNegated: true)]
    return mapping
  }

  private static var branchColumns: ExportMapping {
    var mapping = ExportMapping(
      title: "", device: ["user_data_idfv", "user_data_developer_identity"], time: ["timestamp", "timestamp_iso"],
      name: ["name"])
    mapping.revenue = [
      ExportRevenue(["event_data_revenue"], currency: ["event_data_currency"]),
      ExportRevenue(["event_data_revenue_in_usd"], code: dollars),
    ]
    mapping.adRevenue = ExportCondition(nil, ["VIEW_AD"])
    mapping.session = ExportCondition(nil, ["OPEN"])
    mapping.install = ExportCondition(nil, ["INSTALL", "REINSTALL"])
    mapping.installed = ["install_activity_timestamp_iso"]
    mapping.systems = [
      ExportSystem("user_data_os"), ExportSystem("user_data_platform", others: ["android_app", "web"]),
    ]
    return mapping
  }

  private static var firebaseColumns: ExportMapping {
    var mapping = ExportMapping(
      title: "", device: ["device.vendor_id", "user_pseudo_id"], time: ["event_timestamp"], name: ["event_name"])
    mapping.timeUnit = .microseconds
    mapping.revenue = [
      ExportRevenue(["event_value_in_usd"], code: dollars),
      // The parameter "value" is revenue only together with a currency; otherwise it may be a score.
      ExportRevenue(
        [
          "event_params[key=value].value.double_value", "event_params[key=value].value.int_value",
          "event_params[key=value].value.string_value",
        ], currency: ["event_params[key=currency].value.string_value"], needsCurrency: true),
      ExportRevenue(["ecommerce.purchase_revenue_in_usd"], code: dollars),
    ]
    mapping.adRevenue = ExportCondition(nil, ["ad_impression", "ad_reward"])
    mapping.session = ExportCondition(nil, ["session_start"])
    mapping.install = ExportCondition(nil, ["first_open"])
    mapping.installed = ["user_first_touch_timestamp"]
    mapping.installedUnit = .microseconds
    mapping.systems = [ExportSystem("platform"), ExportSystem("device.operating_system")]
    return mapping
  }

  private static var amplitudeColumns: ExportMapping {
    var mapping = ExportMapping(
      title: "", device: ["device_id", "user_id", "amplitude_id"], time: ["event_time", "client_event_time"],
      name: ["event_type"])
    mapping.timeUnit = .text
    mapping.revenue = [
      ExportRevenue(
        ["event_properties.$revenue", "event_properties.revenue"],
        currency: ["event_properties.$currency"]),
      ExportRevenue(
        ["event_properties.$price"], currency: ["event_properties.$currency"], times: "event_properties.$quantity"),
    ]
    mapping.session = ExportCondition(nil, ["[Amplitude] Start Session", "session_start"])
    mapping.install = ExportCondition(nil, ["[Amplitude] Application Installed"])
    mapping.transaction = ["$insert_id"]
    mapping.systems = [ExportSystem("platform"), ExportSystem("os_name")]
    mapping.timeZone = ExportTimeZone("UTC")
    return mapping
  }

  private static var mixpanelColumns: ExportMapping {
    var mapping = ExportMapping(
      title: "", device: ["properties.$device_id", "properties.distinct_id"], time: ["properties.time"],
      name: ["event"])
    mapping.revenue = [
      ExportRevenue(["properties.amount", "properties.revenue"], currency: ["properties.currency"]),
      ExportRevenue(
        ["properties.$ae_iap_price"], currency: ["properties.currency"], times: "properties.$ae_iap_quantity"),
    ]
    mapping.systems = [ExportSystem("properties.$os")]
    mapping.session = ExportCondition(nil, ["$ae_session"])
    mapping.install = ExportCondition(nil, ["$ae_first_open"])
    mapping.transaction = ["properties.$insert_id"]
    return mapping
  }

  private static var segmentColumns: ExportMapping {
    var mapping = ExportMapping(
      title: "", device: ["context_device_id", "anonymous_id"], time: ["timestamp", "original_timestamp"],
      name: ["event"])
    mapping.revenue = [
      ExportRevenue(["properties_revenue"], currency: ["properties_currency"]),
      // The table of one event has a column for each property, without a prefix.
      ExportRevenue(["revenue"], currency: ["currency"]),
    ]
    mapping.systems = [
      ExportSystem("context_os_name"), ExportSystem("context_device_type", others: ["android"]),
    ]
    mapping.session = ExportCondition(nil, ["Application Opened", "application_opened"])
    mapping.install = ExportCondition(nil, ["Application Installed", "application_installed"])
    return mapping
  }

  private static var plainColumns: ExportMapping {
    var mapping = ExportMapping(title: "", device: ["device"], time: ["time"], name: ["name"])
    mapping.revenue = [ExportRevenue(["revenue"], currency: ["currency"])]
    mapping.adRevenue = ExportCondition("ad_revenue", ["true", "1"])
    mapping.session = ExportCondition(nil, ["__SESSION__"])
    mapping.install = ExportCondition(nil, ["install", "first_open"])
    mapping.installed = ["installed"]
    mapping.transaction = ["transaction"]
    return mapping
  }
}
