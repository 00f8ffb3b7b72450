import SKANDevice

extension SKANErrorCode: ExplainedCode {
  static var kind: CodeKind { .error }

  var code: String { "SKANErrorDomain-\(rawValue)" }

  var roleText: String { "error of Apple's framework, \(name)" }

  var trace: String { "SKANErrorDomain error \(rawValue)" }

  /// Apple's name, the bare number, and how Apple's own text has it.
  var spellings: [String] { [name.lowercased(), String(rawValue), "skanerrordomain error \(rawValue)."] + spelled }

  private var spelled: [String] {
    ["skanerrordomain error \(rawValue)", "skanerrordomain\(rawValue)", "skanerror-\(rawValue)"]
  }

  var explanation: CodeExplanation {
    CodeExplanation(
      phone: phone
        + " The handler gets the error and no values, and the snippet keeps the values all the same; register and SKAN 3 do not "
        + "hear of it.",
      cause: cause, code: .keptAnyway, command: command, remedy: remedy,
      articles: ["AppleFramework", "BeliefAndTruth"],
      documents: [source])
  }

  /// Whether a call of an advertised app can give it.
  private var isOfAdvertisedApp: Bool { self == .invalidConversionValue || self == .unknown }

  private var phone: String {
    switch self {
    case .invalidConversionValue: "Apple refuses a fine value outside 0-63; what it holds stays as it was."
    case .unknown: "Apple refuses every call of an app that is not from the App Store, and holds nothing."
    default:
      "Apple's \(name) is an error of calls in apps that show ads; an update call of an advertised app does not give it."
    }
  }

  private var cause: String {
    switch self {
    case .invalidConversionValue:
      "A number beyond 32 bits that passes the snippet's check, or with SKAN 3, which checks nothing, any value above 63."
    case .unknown:
      "A build from Xcode or of an enterprise, or the simulator; the same app from the App Store has no error (not in Apple's "
        + "documentation; as SDK makers report it)."
    case .impressionMissingRequiredValue: "An ad's impression lacks a value that its version needs."
    case .unsupported: "The call is of another version than the ad, or this iOS does not support it."
    case .adNetworkIDMissing: "The Info.plist of the app that shows the ad lacks the network's identifier."
    case .mismatchedSourceAppID: "The ad names another source app than the one that shows it."
    case .impressionNotFound: "A view-through ad was ended that was never begun."
    case .invalidCampaignID: "The ad's campaign id is outside 1-100."
    case .invalidSourceAppID: "The ad's source app id is not a number above 0."
    case .invalidAdvertisedAppID: "The ad's advertised app id is not a number above 0."
    case .invalidVersion: "The ad's version is not one that this iOS knows."
    case .impressionTooShort: "A view-through ad was shown for too short a time."
    }
  }

  private var command: String {
    switch self {
    case .invalidConversionValue:
      Reproduction.list(
        #"{"op":"register"}"#, #"{"op":"session","answer":{"json":{"conversion_value":4294967297}}}"#)
    case .unknown:
      Reproduction.list(
        #"{"op":"device","build":"development"}"#, #"{"op":"register"}"#,
        #"{"op":"session","answer":{"json":{"conversion_value":1}}}"#)
    default:
      Reproduction.list(
        #"{"op":"register"}"#,
        #"{"op":"session","framework_error":\#(rawValue),"answer":{"json":{"conversion_value":1}}}"#)
    }
  }

  private var remedy: String {
    switch self {
    case .invalidConversionValue: "Give whole numbers from 0 to 63."
    case .unknown:
      "Nothing in the code is wrong: ignore it in development builds, and test the values here or in a build "
        + "from the App Store."
    default: "Nothing in the advertised app. Tell the ad network, or the makers of the app that shows the ad."
    }
  }

  private var source: String {
    isOfAdvertisedApp
      ? "Apple, updatePostbackConversionValue(_:coarseValue:lockWindow:completionHandler:)"
      : "StoreKit's header (names and numbers); the meaning is inferred from the names"
  }
}
