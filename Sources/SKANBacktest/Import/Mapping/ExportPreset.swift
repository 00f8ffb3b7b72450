/// The exports that need no mapping file.
package enum ExportPreset: String, Sendable, CaseIterable {
  case appsflyer
  case appsflyerLocker = "appsflyer-locker"
  case adjust, singular, branch, firebase, amplitude, mixpanel, segment
  /// Columns with the names of ``ExportMapping``'s own: what a query of one's own writes.
  case plain

  /// The columns by which an export is recognised: all of the first, and one of the others.
  var fingerprint: (all: [String], one: [String]) {
    switch self {
    case .appsflyer: (["Event Time", "Event Name"], ["AppsFlyer ID", "IDFV"])
    case .appsflyerLocker: (["event_time", "event_name"], ["appsflyer_id"])
    case .adjust: (["{created_at}"], ["{idfv}", "{adid}"])
    case .singular: (["adjusted_timestamp", "name"], ["device_id", "custom_user_id"])
    case .branch: (["name"], ["user_data_idfv", "user_data_developer_identity", "user_data_os"])
    case .firebase: (["event_timestamp", "event_name"], ["user_pseudo_id", "device.vendor_id"])
    case .amplitude: (["event_type"], ["event_time", "client_event_time"])
    case .mixpanel: (["event", "properties.time"], ["properties.distinct_id", "properties.$device_id"])
    case .segment: (["event", "anonymous_id"], ["timestamp", "original_timestamp"])
    case .plain: (["device", "time"], ["name", "revenue"])
    }
  }

  /// The one whose columns these are; nil when no preset has them.
  package init?(columns: [String]) {
    let columns = Set(columns)
    let fitting = Self.allCases.first { preset in
      let (all, one) = preset.fingerprint
      return all.allSatisfy(columns.contains) && one.contains(where: columns.contains)
    }
    guard let fitting else { return nil }
    self = fitting
  }
}
