import SKANDevice

extension SettingName {
  private static let register = #"{"op":"register"}"#
  private static let postbacks = #"{"op":"postbacks","at":"+50d"}"#

  private static func session(_ at: String, _ answer: String) -> String {
    #"{"op":"session","at":"\#(at)","answer":{"json":{\#(answer)}}}"#
  }

  /// A list in which another value than the default makes a difference, or could.
  var demonstration: String {
    switch self {
    case .clockStart:
      list(
        "first_launch", #"{"op":"details"}"#, #"{"op":"register","after":"1d"}"#,
        Self.session("+60h", #""conversion_value":5,"skan_updated_coarse_value":1"#), Self.postbacks)
    case .windowEdges:
      list(
        "end_included", Self.register, Self.session("+2d", #""conversion_value":5,"skan_updated_coarse_value":1"#),
        Self.postbacks)
    case .delayDistribution:
      list(
        "earliest", Self.register, Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":1"#),
        Self.postbacks)
    case .coarseWithout:
      list(
        "literal_none", tier: 1, Self.register,
        Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#),
        Self.session("+2h", #""conversion_value":6"#), Self.postbacks, options: "--json ")
    case .carryOver:
      list(
        "yes", Self.register, Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#),
        Self.session("+3d", #""conversion_value":5,"skan_updated_lock_window_value":true"#), Self.postbacks,
        options: "--json ")
    case .emptyWindow:
      list(
        "send_without_value", Self.register,
        Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#), Self.postbacks)
    case .afterLock:
      list(
        "error_10", Self.register,
        Self.session("+1h", #""conversion_value":5,"skan_updated_lock_window_value":true"#),
        Self.session("+2h", #""conversion_value":6"#))
    case .afterWindows:
      list("error_10", version: "3.0", Self.register, Self.session("+30h", #""conversion_value":5"#))
    case .transactionIDs:
      list(
        "same", Self.register, Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#),
        Self.session("+3d", #""conversion_value":5,"skan_updated_coarse_value":1"#), Self.postbacks, options: "--json ")
    case .tier2Digits: firstPostback("4", tier: 2)
    case .tier3Digits: firstPostback("3", tier: 3)
    case .identifierDigits: firstPostback("first", tier: 1)
    case .nonWinner: firstPostback("least", more: #","won":false"#)
    case .oldIOS: firstPostback("as_4_0", ios: "16.0")
    case .oldThreshold: firstPostback("tier_3", version: "3.0", tier: 2)
    case .registerAgain, .registerValue:
      list(
        self == .registerAgain ? "ignored" : "absent", version: "3.0", snippet: "skan3", Self.register, Self.postbacks,
        options: "--json ")
    case .fineOnlyCalls:
      list(
        "every_window", ios: "16.0", device: #","settings":{"old-ios":"as_4_0","fine-only-calls":"every_window"}"#,
        Self.register, Self.session("+3d", #""conversion_value":5"#), Self.postbacks)
    case .fineOnlyDelay: list("0_24h", snippet: "skan3", Self.register, Self.postbacks)
    case .developerTimer:
      list(
        "3m_then_5_10m", version: "3.0", ios: "18.0", device: #","clock":"developer""#, Self.register, Self.postbacks)
    }
  }

  private func firstPostback(
    _ value: String, version: String = "4.0", tier: Int = 3, ios: String = "17.4", more: String = ""
  ) -> String {
    list(
      value, version: version, tier: tier, ios: ios, ad: more, Self.register,
      Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#), Self.postbacks, options: "--json ")
  }

  private func list(
    _ value: String, version: String = "4.0", tier: Int = 3, ios: String = "17.4", snippet: String = "skan4",
    ad: String = "", device: String? = nil, _ steps: String..., options: String = ""
  ) -> String {
    let setting = #","settings":{"\#(rawValue)":"\#(value)"}"#
    let more = device.map { $0.contains("settings") ? $0 : $0 + setting } ?? setting
    let install =
      #"{"op":"device","snippet":"\#(snippet)","ios":"\#(ios)","ad":{"version":"\#(version)","tier":\#(tier)\#(ad)}\#(more)}"#
    return Reproduction.replay([install] + steps, options: options)
  }
}
