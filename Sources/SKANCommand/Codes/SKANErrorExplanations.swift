import SKANCommandLine
import SKANDevice

extension SKANErrorCode {
  var explanation: CodeExplanation {
    let row = row
    let own = row.ofAdvertisedApp
    return CodeExplanation(
      (own?.phone
        ?? "Apple's \(name) is an error of calls in apps that show ads; an update call in an advertised app does not "
        + "return it.")
        + " The handler receives the error and no values, yet the snippet keeps the values. register and SKAN 3 do not "
        + "see the error.",
      cause: row.cause, guide: .keptAnyway,
      example: own?.example
        ?? .list(
          #"{"op":"register"}"#,
          #"{"op":"session","framework_error":\#(rawValue),"answer":{"json":{"conversion_value":1}}}"#),
      remedy: own?.remedy
        ?? "Nothing in the advertised app. Tell the ad network, or the makers of the app that shows the ad.",
      articles: ["AppleFramework", "BeliefAndTruth"],
      documents: [
        own == nil
          ? "StoreKit's header (names and numbers); the meaning is inferred from the names"
          : "Apple, updatePostbackConversionValue(_:coarseValue:lockWindow:completionHandler:)"
      ])
  }

  /// The description of a code.
  private struct Row {
    let cause: String
    /// Further text for a code that a call of an advertised app can return.
    let ofAdvertisedApp: (phone: String, example: Reproduction, remedy: String)?

    init(cause: String) {
      self.cause = cause
      ofAdvertisedApp = nil
    }

    init(_ phone: String, cause: String, example: Reproduction, remedy: String) {
      self.cause = cause
      ofAdvertisedApp = (phone, example, remedy)
    }
  }

  private var row: Row {
    switch self {
    case .impressionMissingRequiredValue:
      Row(cause: "An ad's impression lacks a value that its version needs.")
    case .unsupported:
      Row(cause: "The call belongs to another version than the ad, or this iOS does not support it.")
    case .adNetworkIDMissing:
      Row(cause: "The Info.plist of the app that shows the ad lacks the network's identifier.")
    case .mismatchedSourceAppID:
      Row(cause: "The ad names another source app than the one that shows it.")
    case .impressionNotFound:
      Row(cause: "A view-through ad was ended without having begun.")
    case .invalidCampaignID:
      Row(cause: "The ad's campaign id is outside 1-100.")
    case .invalidConversionValue:
      Row(
        "Apple refuses a fine value outside 0-63 and keeps its current values.",
        cause: "A number beyond 32 bits that passes the snippet's check, or with SKAN 3, which checks nothing, any "
          + "value above 63.",
        example: .list(#"{"op":"register"}"#, #"{"op":"session","answer":{"json":{"conversion_value":4294967297}}}"#),
        remedy: "Give whole numbers from 0 to 63.")
    case .invalidSourceAppID:
      Row(cause: "The ad's source app id is not a number above 0.")
    case .invalidAdvertisedAppID:
      Row(cause: "The ad's advertised app id is not a number above 0.")
    case .invalidVersion:
      Row(cause: "This iOS does not know the ad's version.")
    case .unknown:
      Row(
        "Apple refuses every call of an app that is not from the App Store, and holds nothing.",
        cause: "A build from Xcode, an enterprise build, or the simulator. The same app from the App Store gets no "
          + "error (reported by SDK makers, not documented by Apple).",
        example: .list(
          #"{"op":"device","build":"development"}"#, #"{"op":"register"}"#,
          #"{"op":"session","answer":{"json":{"conversion_value":1}}}"#),
        remedy: "Nothing in the code is wrong: ignore it in development builds, and test the values here or in a build "
          + "from the App Store.")
    case .impressionTooShort:
      Row(cause: "A view-through ad was shown for too short a time.")
    }
  }
}
