/// The values of the settings about AdAttributionKit.
extension FrameworkSettings {
  package enum KitMirror: String, CaseIterable, Sendable {
    case allCalls = "all_calls"
    case multiArgument = "multi_argument"
    case off
  }

  package enum KitMirrorCoarse: String, CaseIterable, Sendable { case none, carried }

  package enum KitFineOnly: String, CaseIterable, Sendable {
    case asCoarseWithout = "as_coarse_without"
    case clears, keeps
  }

  package enum KitEmptyWindow: String, CaseIterable, Sendable {
    case notSent = "not_sent"
    case sent
  }

  package enum KitDigits: String, CaseIterable, Sendable {
    case four = "4"
    case three = "3"
    case two = "2"
  }

  package enum KitLaterFields: String, CaseIterable, Sendable { case present, absent }

  package enum KitNonWinner: String, CaseIterable, Sendable {
    case tierDigits = "tier_digits"
    case least
  }

  package enum KitDeveloperDelay: String, CaseIterable, Sendable {
    case allWindows = "all_windows"
    case firstWindow = "first_window"
  }

  package enum KitRetry: String, CaseIterable, Sendable {
    case only500 = "500"
    case every5xx = "5xx"
    case non200 = "non_200"
  }

  package enum KitRetryCount: String, CaseIterable, Sendable {
    case nineMore = "9_more"
    case nineInAll = "9_in_all"
  }

  package enum KitRetrySpacing: String, CaseIterable, Sendable {
    case oneDay = "1d"
    case oneHour = "1h"
  }

  package enum KitUUIDCase: String, CaseIterable, Sendable { case upper, lower }

  package enum KitSlash: String, CaseIterable, Sendable { case escaped, plain }

  package enum KitToSKAN: String, CaseIterable, Sendable { case off, on }

  package enum KitFineRange: String, CaseIterable, Sendable {
    case errorUnknown = "error_unknown"
    case ignored
  }

  package enum KitUntagged: String, CaseIterable, Sendable {
    case mostRecent = "most_recent"
    case eachType = "each_type"
    case all
  }

  package enum KitOverlap: String, CaseIterable, Sendable { case off, on }

  package enum KitOverlapTag: String, CaseIterable, Sendable {
    case always
    case overlapOnly = "overlap_only"
  }

  package enum KitTagErrors: String, CaseIterable, Sendable {
    case byCause = "by_cause"
    case ignored
  }

  package enum KitUnregistered: String, CaseIterable, Sendable { case dropped, kept }

  package enum KitLaterWindows: String, CaseIterable, Sendable { case dropped, kept }

  package enum KitLimit: String, CaseIterable, Sendable {
    case none
    case onePerMonth = "one_per_month"
    case onePerYear = "one_per_year"
  }

  package enum KitTrackingParameters: String, CaseIterable, Sendable {
    case kept
    case allRemoved = "all_removed"
  }

  package enum KitCopies: String, CaseIterable, Sendable { case off, on }

  /// The settings of an install whose ad is of AdAttributionKit: where the two frameworks have a setting each, that of
  /// AdAttributionKit under SKAdNetwork's name.
  var forAdAttributionKit: FrameworkSettings {
    var all = self
    all.calls.clockStart = kitWindowStart
    all.calls.coarseWithout =
      switch kitFineOnly {
      case .asCoarseWithout: calls.coarseWithout == .keep ? .keep : .clear
      case .clears: .clear
      case .keeps: .keep
      }
    all.calls.carryOver = .no
    all.emptyWindow = kitEmptyWindow == .sent ? .sendWithoutValue : .notSent
    (all.calls.afterLock, all.calls.afterWindows) = (.noError, .noError)
    return all
  }
}

/// The names of the settings about AdAttributionKit, each with its description in ``row``.
enum KitSettingName: String, CaseIterable, Sendable {
  case mirror = "aak-mirror"
  case mirrorCoarse = "aak-mirror-coarse"
  case windowStart = "aak-window-start"
  case fineOnly = "aak-fine-only"
  case emptyWindow = "aak-empty-window"
  case digits = "aak-digits"
  case country = "aak-country"
  case laterFields = "aak-later-fields"
  case nonWinner = "aak-nonwinner"
  case developerDelay = "aak-dev-delay"
  case retry = "aak-retry"
  case retryCount = "aak-retry-count"
  case retrySpacing = "aak-retry-spacing"
  case uuidCase = "aak-uuid-case"
  case slash = "aak-slash"
  case toSKAN = "aak-to-skan"
  case fineRange = "aak-fine-range"
  case untagged = "aak-untagged"
  case overlap = "aak-overlap"
  case overlapTag = "aak-overlap-tag"
  case tagErrors = "aak-tag-errors"
  case unregistered = "aak-unregistered"
  case laterWindows = "aak-later-windows"
  case limit = "aak-reengagement-limit"
  // Before the two that it sets, so that they have the last word.
  case cooldown = "aak-cooldown"
  // The keys of Apple's dictionary AttributionCooldown.
  case installCooldown = "install-cooldown-hours"
  case reEngagementCooldown = "re-engagement-cooldown-hours"
  case trackingParameters = "aak-tracking-parameters"
  case copies = "aak-reengagement-copies"

  /// The description of a setting.
  var row: FrameworkSetting {
    switch self {
    case .mirror:
      FrameworkSetting(
        rawValue, \.calls.kitMirror, "which calls of SKAdNetwork Apple mirrors into AdAttributionKit",
        doubt: "Apple: update conversion values APIs, such as the one with four arguments",
        effect: "With multi_argument the calls of iOS 14 and 15 are not mirrored, so registering with them starts no "
          + "window; off shows what an app gets that calls AdAttributionKit alone.",
        example: postbacks("multi_argument"))
    case .mirrorCoarse:
      FrameworkSetting(
        rawValue, \.calls.kitMirrorCoarse, "whether a mirrored call carries the coarse value",
        doubt: "Apple's page names the call with fine value and lock, which has no coarse value",
        effect: "It decides what a first postback of tier 1 and every second and third postback say of an app that "
          + "calls SKAdNetwork only: with none nothing, with carried its coarse values.",
        example: postbacks("carried"))
    case .windowStart:
      FrameworkSetting(
        rawValue, \.kitWindowStart, "from when the windows of AdAttributionKit count",
        doubt: "Apple: the first update call on two pages, the first launch on one",
        effect: "With first_launch the windows begin when the app is first opened, which can be before register.",
        example: list(
          "first_launch", #"{"op":"details"}"#, #"{"op":"register","after":"1d"}"#, Self.update, Self.postbacks,
          options: ""))
    case .fineOnly:
      FrameworkSetting(
        rawValue, \.kitFineOnly, "what a call without a coarse value does to the one that AdAttributionKit holds",
        doubt: "not in Apple's documentation; as_coarse_without does what coarse-without says of SKAdNetwork",
        effect: "It matters where an app calls both frameworks: with clears a mirrored call removes the coarse value "
          + "that a direct call set, with keeps it stays.",
        example: list(
          "keeps", others: #","aak-mirror-coarse":"carried""#, Self.register, Self.update,
          Self.session("+2h", #""conversion_value":6"#), Self.postbacks))
    case .emptyWindow:
      FrameworkSetting(
        rawValue, \.kitEmptyWindow, "the postback of AdAttributionKit of a window without an update call",
        doubt: "Apple: to be eligible an app needs to call during each window",
        effect: "With sent the second and third postback leave without a value although no update came.",
        example: postbacks("sent"))
    case .digits:
      FrameworkSetting(
        rawValue, \.kitDigits, "digits of the source identifier in a first postback of tiers 2 and 3",
        doubt: "Apple: two to four; of equal tiers the most digits",
        effect: "A first postback names its campaign with that many digits.", example: postbacks("2"))
    case .country:
      FrameworkSetting(
        rawValue, \.kitCountry, "whether a first postback of tier 3 shows the ad's country",
        doubt: "Apple: where the crowd of the country itself has tier 3, which nobody knows",
        effect: "With present the member country-code has the country that the ad names.",
        example: postbacks("present", ad: #","country":"US""#))
    case .laterFields:
      FrameworkSetting(
        rawValue, \.kitLaterFields, "whether second and third postbacks name the marketplace",
        doubt: "Apple: only postbacks of tier 0 omit it; the lists of the other tiers do not name it",
        effect: "With absent only first postbacks name the marketplace.",
        example: list(
          "absent", Self.register, Self.update, Self.session("+3d", #""conversion_value":5"#), Self.postbacks))
    case .nonWinner:
      FrameworkSetting(
        rawValue, \.kitNonWinner, "what a postback of AdAttributionKit that did not win says",
        doubt: "Apple: no contents are given",
        effect:
          "Neither has a value or a publisher; tier_digits gives the digits of the tier and the marketplace, least "
          + "two digits only.",
        example: postbacks("least", ad: #","won":false"#))
    case .developerDelay:
      FrameworkSetting(
        rawValue, \.kitDeveloperDelay, "which postbacks Developer Mode sends after 5-10 minutes",
        doubt: "Apple: 24-48 hours become 5-10 minutes, which are those of the first; WWDC24: no random delays",
        effect: "With first_window the second and third leave 24-144 hours after their windows of 3 minutes.",
        example: list(
          "first_window", ios: "18.0", ad: #","publisher_id":0"#, device: #","clock":"developer""#, Self.register,
          Self.session("+4m", #""conversion_value":5"#), Self.postbacks))
    case .retry:
      FrameworkSetting(
        rawValue, \.kitRetry, "the answers after which a postback of AdAttributionKit is sent again",
        doubt: "Apple names 500 only; SKAdNetwork's page: any but 200",
        effect:
          "A receiver that answers otherwise when it cannot keep a postback loses it with 500; no answer at all is "
          + "always tried again.",
        example: postbacks("non_200"))
    case .retryCount:
      FrameworkSetting(
        rawValue, \.kitRetryCount, "how often a postback of AdAttributionKit is sent at most",
        doubt: "Apple: up to nine times over a maximum of 9 days",
        effect: "With 9_more there are nine attempts after the first, with 9_in_all eight.",
        example: postbacks("9_in_all"))
    case .retrySpacing:
      FrameworkSetting(
        rawValue, \.kitRetrySpacing, "how long after a failed attempt AdAttributionKit sends a postback again",
        doubt: "Apple: up to nine times over a maximum of 9 days; the interval is not given",
        effect: "With 1h all attempts are over after nine hours, so a receiver that is down for longer loses the "
          + "postback.",
        example: postbacks("1h"))
    case .uuidCase:
      FrameworkSetting(
        rawValue, \.kitUUIDCase, "the case of the postback identifier",
        doubt: "Apple's newer sample has capitals, the older one small letters",
        effect: "A receiver has to compare it without case.", example: postbacks("lower"))
    case .slash:
      FrameworkSetting(
        rawValue, \.kitSlash, "whether slashes are escaped in the JSON of header and payload",
        doubt: "Apple's newer sample escapes them",
        effect: "A receiver that encodes the header anew before it checks the signature refuses one of the two.",
        example: postbacks("plain"))
    case .toSKAN:
      FrameworkSetting(
        rawValue, \.kitToSKAN, "whether a direct call of AdAttributionKit reaches SKAdNetwork, too",
        doubt: "Apple: call APIs from both; no mirror is mentioned",
        effect: "With on an app that calls AdAttributionKit alone also updates an install of SKAdNetwork.",
        example: list("on", Self.register, Self.direct(), Self.postbacks))
    case .fineRange:
      FrameworkSetting(
        rawValue, \.kitFineRange, "what AdAttributionKit makes of a fine value outside 0-63",
        doubt: "none of the nine errors is about it",
        effect: "Either the call fails with the error unknown, or nothing tells the app; nothing changes.",
        example: list("ignored", Self.register, #"{"op":"aak-update","fine":64}"#, options: ""))
    case .untagged:
      FrameworkSetting(
        rawValue, \.kitUntagged, "which conversions a call without a tag updates where several overlap",
        doubt: "Apple: the most recent one on the page of tags, all types of postbacks on another",
        effect:
          "With most_recent the snippet's mirrored calls leave the install alone after a re-engagement; each_type "
          + "updates the install and the last re-engagement.",
        example: overlapping("all", ios: "18.4", others: #","aak-overlap":"on""#))
    case .overlap:
      FrameworkSetting(
        rawValue, \.kitOverlap, "whether the app's Info.plist allows overlapping conversions",
        doubt: "WWDC25 names the key EligibleForAdAttributionKitOverlappingConversions; no page of Apple's lists it",
        effect: "With on an earlier conversion goes on beside a later one (iOS 18.4), and tags distinguish them.",
        example: overlapping("on", ios: "18.4"))
    case .overlapTag:
      FrameworkSetting(
        rawValue, \.kitOverlapTag, "whether the link has the conversion tag without overlapping conversions, too",
        doubt:
          "the release notes of iOS 18.4: the tag is the value of the link's item; before, only its presence counts",
        effect: "With overlap_only the item of the link has no value where the app does not allow overlap.",
        example: overlapping("overlap_only", ios: "18.4"))
    case .tagErrors:
      FrameworkSetting(
        rawValue, \.kitTagErrors, "what a call with a tag gets that selects no conversion",
        doubt: "Apple: the errors conversionTagNotSupported and invalidConversionTag, without when they come",
        effect: "With by_cause the first one comes without overlapping conversions and the second one for an unknown "
          + "tag; with ignored nothing tells the app.",
        example: list("ignored", ios: "18.4", Self.register, Self.direct(#","tag":"t1""#), options: ""))
    case .unregistered:
      FrameworkSetting(
        rawValue, \.kitUnregistered, "what a re-engagement does to an earlier conversion without an update",
        doubt: "Apple: postbacks that you haven't registered are removed and replaced",
        effect: "With kept the earlier conversion still takes updates.",
        example: list("kept", ios: "18.0", Self.open, Self.register, Self.postbacks))
    case .laterWindows:
      FrameworkSetting(
        rawValue, \.kitLaterWindows, "what a re-engagement does to the windows to come of an earlier conversion",
        doubt: "Apple: active postbacks are locked; those of windows to come are not mentioned",
        effect: "With kept calls still update the earlier conversion in its later windows.",
        example: overlapping("kept"))
    case .limit:
      FrameworkSetting(
        rawValue, \.kitLimit, "how many re-engagements a phone reports",
        doubt: "Apple: a limit each month for an app and each year for a device, without the numbers",
        effect: "A re-engagement beyond the limit opens the app and begins no conversion. Developer Mode has no limit.",
        example: list("one_per_month", ios: "18.0", Self.open, Self.open, options: ""))
    case .cooldown:
      FrameworkSetting(
        rawValue, [("none", 0), ("24h", 24), ("720h", 720)], [\.kitInstallCooldown, \.kitReEngagementCooldown],
        "both cool-downs at once: install-cooldown-hours and re-engagement-cooldown-hours",
        doubt: "it is the dictionary AttributionCooldown of the app's Info.plist, 0-720 hours (iOS 18.4)",
        effect: "It gives both the same number of hours.",
        example: .json(
          #"{"op":"device","ios":"18.4","settings":{"aak-cooldown":"24h"}}"#, Self.open,
          #"{"op":"aak-reengage","url":"https://example.com/","after":"1h","label":"in the hours of aak-cooldown"}"#))
    case .installCooldown:
      FrameworkSetting(
        rawValue, hours: 0...720, \.kitInstallCooldown,
        "how many hours after an install by AdAttributionKit no other conversion begins",
        doubt: "it is the app's own key of that name in AttributionCooldown (iOS 18.4)",
        effect: "Until they have passed, an ad opens the app and begins no conversion, in Developer Mode, too.",
        example: list("6", ios: "18.4", Self.register, Self.open, options: ""))
    case .reEngagementCooldown:
      FrameworkSetting(
        rawValue, hours: 0...720, \.kitReEngagementCooldown,
        "how many hours after a re-engagement no other conversion begins",
        doubt: "it is the app's own key of that name in AttributionCooldown (iOS 18.4); a sample of WWDC25 spells it "
          + "reengagement-cooldown-hours",
        effect: "Until they have passed, an ad opens the app and begins no conversion, in Developer Mode, too.",
        example: list("48", ios: "18.4", Self.open, Self.open, options: ""))
    case .trackingParameters:
      FrameworkSetting(
        rawValue, \.kitTrackingParameters, "whether the link of a re-engagement loses its parameters",
        doubt: "Apple: known tracking parameters are removed; no list of them is published",
        effect: "With kept the app gets the link as the ad has it, with all_removed without any of its parameters, the "
          + "most that can be removed. Whatever the value, a link with parameters has the finding tracking-parameters.",
        example: list(
          "all_removed", ios: "18.0", #"{"op":"aak-reengage","url":"https://example.com/sale?campaign=may"}"#,
          options: ""))
    case .copies:
      FrameworkSetting(
        rawValue, \.kitCopies, "whether the developer gets copies of re-engagements",
        doubt: "it is the app's key EligibleForAdAttributionKitReengagementPostbackCopies (iOS 18)",
        effect: "With on winning re-engagements are sent to the developer as installs are.", example: overlapping("on"))
    }
  }

  private static let register = #"{"op":"register"}"#
  private static let postbacks = #"{"op":"postbacks","at":"+50d"}"#
  private static let update = session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#)

  private static func session(_ at: String, _ answer: String) -> String {
    #"{"op":"session","at":"\#(at)","answer":{"json":{\#(answer)}}}"#
  }

  private static let open = #"{"op":"aak-reengage","url":"https://example.com/sale","tag":"t1","after":"1d"}"#

  private static func direct(_ more: String = "") -> String { #"{"op":"aak-update","fine":7,"coarse":"low"\#(more)}"# }

  private func overlapping(_ value: String, ios: String = "18.0", others: String = "") -> Reproduction {
    list(
      value, ios: ios, others: others, Self.register, Self.open, Self.direct(),
      Self.session("+4d", #""conversion_value":9"#), Self.postbacks, options: "")
  }

  private func postbacks(_ value: String, ad: String = "") -> Reproduction {
    list(value, ad: ad, Self.register, Self.update, Self.postbacks)
  }

  private func list(
    _ value: String, ios: String = "17.4", ad: String = "", device: String = "", others: String = "",
    _ steps: String...,
    options: String = "--json "
  ) -> Reproduction {
    let settings = #","settings":{"\#(rawValue)":"\#(value)"\#(others)}"#
    let install =
      #"{"op":"device","ios":"\#(ios)","ad":{"framework":"adattributionkit"\#(ad)}\#(device)\#(settings)}"#
    return .replay([install] + steps, options: options)
  }
}
