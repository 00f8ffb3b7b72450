import SKANDevice

/// What the postbacks of a report can be grouped by.
package enum ReportDimension: String, CaseIterable, Sendable {
  case network
  /// The campaign id of versions up to 3, the source identifier of version 4.
  case campaign
  case app
  case version
  case window
  case day
  /// Of the row of the campaign map.
  case mappedID = "mapped-id"
  case mappedName = "mapped-name"
  case country
  case fineValue = "fine-value"
  case coarseValue = "coarse-value"
  /// Of the decoded revenue.
  case currency

  /// The column's name in Singular's raw SKAN report (article 360056377792 and clients of that API), and where it has none
  /// Apple's name of the field or ours.
  func columnName(by date: ReportDate) -> String {
    switch self {
    case .network: "skan_network_id"
    case .campaign: "skan_campaign_id"
    case .app: "skan_app_id"
    case .version: "skan_version"
    case .window: "postback_sequence_index"
    case .day: date.columnName
    case .mappedID: "tracker_campaign_id"
    case .mappedName: "tracker_campaign_name"
    case .country: "country_field"
    case .fineValue: "skan_conversion_value"
    case .coarseValue: "coarse_conversion_value"
    case .currency: "revenue_currency"
    }
  }

  /// What a postback has of it; empty for nothing.
  ///
  /// - Parameter day: counted from 1970.
  func value(of postback: ReportedPostback, day: Int64?) -> String {
    switch self {
    case .network: postback.network
    case .campaign: postback.campaign
    case .app: postback.app
    case .version: postback.version
    case .window: postback.window.map { "\($0.rawValue)" } ?? ""
    case .day: day.map { "\(Instant(microseconds: $0 * 86_400_000_000))".prefix(10).description } ?? ""
    case .mappedID: postback.mappedID
    case .mappedName: postback.mappedName
    case .country: postback.country
    case .fineValue: postback.fine.map(String.init) ?? ""
    case .coarseValue: postback.coarse?.rawValue ?? ""
    case .currency: postback.meaning?.revenue?.currency ?? ""
    }
  }
}
