/// The codes of Apple's `SKANErrorDomain`, with the names of its header.
///
/// An advertised app receives ``invalidConversionValue`` and ``unknown``; the others are errors of calls in apps that
/// show ads.
package enum SKANErrorCode: Int64, CaseIterable, Sendable {
  case impressionMissingRequiredValue = 0
  case unsupported = 1
  case adNetworkIDMissing = 2
  case mismatchedSourceAppID = 3
  case impressionNotFound = 4
  case invalidCampaignID = 5
  case invalidConversionValue = 6
  case invalidSourceAppID = 7
  case invalidAdvertisedAppID = 8
  case invalidVersion = 9
  case unknown = 10
  case impressionTooShort = 11

  /// Apple's name for the code.
  package var name: String {
    switch self {
    case .impressionMissingRequiredValue: "impressionMissingRequiredValue"
    case .unsupported: "unsupported"
    case .adNetworkIDMissing: "adNetworkIdMissing"
    case .mismatchedSourceAppID: "mismatchedSourceAppId"
    case .impressionNotFound: "impressionNotFound"
    case .invalidCampaignID: "invalidCampaignId"
    case .invalidConversionValue: "invalidConversionValue"
    case .invalidSourceAppID: "invalidSourceAppId"
    case .invalidAdvertisedAppID: "invalidAdvertisedAppId"
    case .invalidVersion: "invalidVersion"
    case .unknown: "unknown"
    case .impressionTooShort: "impressionTooShort"
    }
  }
}
