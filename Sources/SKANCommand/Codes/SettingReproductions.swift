import SKANDevice

/// The lists with which `skan explain` shows what a setting decides.
extension FrameworkSetting {
  /// Three views that do not count two days later: of SKAdNetwork, of a network whose rule is out of range, and of one
  /// second.
  func impressions(_ value: String) -> Reproduction {
    let windows = #"{"global":{"install":{"view":3}},"b":{"install":{"view":9}}}"#
    let kit = #"{"op":"impression","ad":{"framework":"adattributionkit","interaction":"view","network":"#
    return .replay(
      [
        #"{"op":"device","ios":"26.2","settings":{"\#(rawValue)":"\#(value)"},"attribution_windows":\#(windows)}"#,
        #"{"op":"impression","ad":{"fidelity":0}}"#, kit + #""b"},"seconds":5}"#, kit + #""c"},"seconds":1}"#,
        #"{"op":"download","after":"2d"}"#,
      ], options: "")
  }

  static let register = #"{"op":"register"}"#
  static let postbacks = #"{"op":"postbacks","at":"+50d"}"#

  static func session(_ at: String, _ answer: String) -> String {
    #"{"op":"session","at":"\#(at)","answer":{"json":{\#(answer)}}}"#
  }

  func firstPostback(
    _ value: String, version: String = "4.0", tier: Int = 3, ios: String = "17.4", more: String = ""
  ) -> Reproduction {
    list(
      value, version: version, tier: tier, ios: ios, ad: more, Self.register,
      Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#), Self.postbacks, options: "--json ")
  }

  func list(
    _ value: String, version: String = "4.0", tier: Int = 3, ios: String = "17.4", snippet: String = "skan4",
    ad: String = "", device: String? = nil, _ steps: String..., options: String = ""
  ) -> Reproduction {
    let setting = #","settings":{"\#(rawValue)":"\#(value)"}"#
    let more = device.map { $0.contains("settings") ? $0 : $0 + setting } ?? setting
    let install =
      #"{"op":"device","snippet":"\#(snippet)","ios":"\#(ios)","ad":{"version":"\#(version)","tier":\#(tier)\#(ad)}\#(more)}"#
    return .replay([install] + steps, options: options)
  }

  static let update = session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#)

  static let open = #"{"op":"aak-reengage","url":"https://example.com/sale","tag":"t1","after":"1d"}"#

  static func direct(_ more: String = "") -> String { #"{"op":"aak-update","fine":7,"coarse":"low"\#(more)}"# }

  func overlapping(_ value: String, ios: String = "18.0", others: String = "") -> Reproduction {
    kitList(
      value, ios: ios, others: others, Self.register, Self.open, Self.direct(),
      Self.session("+4d", #""conversion_value":9"#), Self.postbacks, options: "")
  }

  func kitPostbacks(_ value: String, ad: String = "") -> Reproduction {
    kitList(value, ad: ad, Self.register, Self.update, Self.postbacks)
  }

  func kitList(
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
