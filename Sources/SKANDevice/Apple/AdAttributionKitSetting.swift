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

  package enum KitPresence: String, CaseIterable, Sendable { case absent, present }

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

  package enum KitUUIDCase: String, CaseIterable, Sendable { case upper, lower }

  package enum KitSlash: String, CaseIterable, Sendable { case escaped, plain }

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
  case uuidCase = "aak-uuid-case"
  case slash = "aak-slash"

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
          "first_window", ios: "18.0", device: #","clock":"developer""#, Self.register,
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
    }
  }

  private static let register = #"{"op":"register"}"#
  private static let postbacks = #"{"op":"postbacks","at":"+50d"}"#
  private static let update = session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#)

  private static func session(_ at: String, _ answer: String) -> String {
    #"{"op":"session","at":"\#(at)","answer":{"json":{\#(answer)}}}"#
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
