import SKANBase

/// A question that Apple's documentation leaves open, with its possible answers and what is known about it.
package struct FrameworkSetting: Sendable {
  /// The key in the `settings` of a profile.
  package let name: String
  /// The possible values, the default first; of a number of hours its least and its greatest.
  package let values: [String]
  /// The range of a number of hours; nil for a choice.
  package let hours: ClosedRange<UInt16>?
  /// Whether the setting only sets others, which have the value.
  package let isShorthand: Bool
  package let meaning: String
  /// The statements of the sources and the questions they leave open.
  package let doubt: String
  /// The effect of the values on a phone's life.
  private let effect: String
  /// A list in which another value than the default makes a difference, or could.
  private let example: @Sendable () -> Reproduction
  private let get: @Sendable (FrameworkSettings) -> String
  private let set: @Sendable (String, inout FrameworkSettings) -> Bool

  init<Value: RawRepresentable & CaseIterable & SendableMetatype>(
    _ name: String, _ path: any WritableKeyPath<FrameworkSettings, Value> & Sendable, _ meaning: String,
    doubt: String, effect: String, example: @escaping @autoclosure @Sendable () -> Reproduction
  ) where Value.RawValue == String {
    self.name = name
    values = Value.allCases.map(\.rawValue)
    (hours, isShorthand) = (nil, false)
    self.meaning = meaning
    self.doubt = doubt
    self.effect = effect
    self.example = example
    get = { $0[keyPath: path].rawValue }
    set = { text, settings in
      guard let value = Value(rawValue: text) else { return false }
      settings[keyPath: path] = value
      return true
    }
  }

  /// A number of hours, whose default is the least.
  init(
    _ name: String, hours: ClosedRange<UInt16>,
    _ path: any WritableKeyPath<FrameworkSettings, UInt16> & Sendable, _ meaning: String, doubt: String,
    effect: String, example: @escaping @autoclosure @Sendable () -> Reproduction
  ) {
    self.name = name
    values = [hours.lowerBound, hours.upperBound].map { String($0) }
    self.hours = hours
    isShorthand = false
    self.meaning = meaning
    self.doubt = doubt
    self.effect = effect
    self.example = example
    get = { String($0[keyPath: path]) }
    set = { text, settings in
      guard let value = UInt16(text), String(value) == text, hours.contains(value) else { return false }
      settings[keyPath: path] = value
      return true
    }
  }

  /// A setting that gives several numbers of hours the same value.
  ///
  /// - Parameter choices: its values and their hours, the default first.
  init(
    _ name: String, _ choices: [(name: String, hours: UInt16)],
    _ paths: [any WritableKeyPath<FrameworkSettings, UInt16> & Sendable], _ meaning: String, doubt: String,
    effect: String, example: @escaping @autoclosure @Sendable () -> Reproduction
  ) {
    self.name = name
    values = choices.map(\.name)
    (hours, isShorthand) = (nil, true)
    self.meaning = meaning
    self.doubt = doubt
    self.effect = effect
    self.example = example
    get = { settings in
      choices.first { choice in paths.allSatisfy { settings[keyPath: $0] == choice.hours } }?.name ?? "mixed"
    }
    set = { text, settings in
      guard let choice = choices.first(where: { $0.name == text }) else { return false }
      for path in paths { settings[keyPath: path] = choice.hours }
      return true
    }
  }

  /// All settings, in the order of help and manual.
  package static let all = SettingName.allCases.map(\.row) + KitSettingName.allCases.map(\.row)

  package var explanation: CodeExplanation {
    CodeExplanation(
      "Decides \(meaning). It is \(hours == nil ? "one of \(valuesText)" : valuesText); \(values.first ?? "") is the default. "
        + effect,
      cause: "Apple's documentation leaves it open, so no value is right for certain. \(doubt).",
      example: example(),
      remedy: "Leave the default unless you know better. To see whether a test depends on it, run it with each value: "
        + "--setting \(name)=VALUE of 'skan install', or \"settings\" in a list's device step.",
      articles: ["AppleFramework", "Postbacks"])
  }

  package var defaultValue: String { value(in: FrameworkSettings()) }

  package func value(in settings: FrameworkSettings) -> String { get(settings) }

  /// The values in the words of help and manual: `first_update, first_launch`, or `0 to 720`.
  package var valuesText: String { values.joined(separator: hours == nil ? ", " : " to ") }

  /// The values in the words of a message: "first_update" or "first_launch".
  var choices: String {
    hours == nil
      ? "one of \(values.map { "\"\($0)\"" }.joined(separator: ", "))" : "a whole number of hours from \(valuesText)"
  }

  /// Whether the setting has another value than the default, and no other setting says so.
  func differs(in settings: FrameworkSettings) -> Bool { !isShorthand && value(in: settings) != defaultValue }

  /// - Returns: false, without a change, if the setting has no such value.
  func change(_ settings: inout FrameworkSettings, to value: String) -> Bool { set(value, &settings) }
}

/// Why a setting cannot be set.
package enum FrameworkSettingProblem: Error, Sendable, Equatable {
  case unknown(String)
  case badValue(setting: String, value: String, choices: String)

  /// The problem in words, with the nearest name.
  package var message: String {
    switch self {
    case .unknown(let name):
      let names = FrameworkSetting.all.map(\.name)
      let hint = nearestName(to: name, in: names).map { "did you mean \"\($0)\"?" }
      return "there is no setting \(JSONWriter.quoted(name)); \(hint ?? "known: \(names.joined(separator: ", "))")"
    case .badValue(let name, let value, let choices):
      let values = FrameworkSetting.all.first { $0.name == name && $0.hours == nil }?.values ?? []
      // A number is equally near to any other.
      let near = value.contains(where: \.isLetter) ? nearestName(to: value, in: values) : nil
      let hint = near.map { "; did you mean \"\($0)\"?" } ?? ""
      return "\"\(name)\" must be \(choices), this is \(JSONWriter.quoted(value))\(hint)"
    }
  }
}

extension FrameworkSettings {
  /// Sets a setting by name, as given on a command line.
  package mutating func set(_ name: String, to value: String) throws(FrameworkSettingProblem) {
    guard let setting = FrameworkSetting.all.first(where: { $0.name.isLiterally(name) }) else { throw .unknown(name) }
    guard setting.change(&self, to: value) else {
      throw .badValue(setting: name, value: value, choices: setting.choices)
    }
  }

  /// The names and values of the settings that differ from the default.
  package var changed: [(name: String, value: String)] {
    FrameworkSetting.all.filter { $0.differs(in: self) }.map { ($0.name, $0.value(in: self)) }
  }
}

/// The names of the settings, as in the key `settings` of a profile. Each case has its description in ``row`` and its
/// value in ``FrameworkSettings``.
enum SettingName: String, CaseIterable, Sendable {
  case clockStart = "clock-start"
  case windowEdges = "window-edges"
  case delayDistribution = "delay-distribution"
  case coarseWithout = "coarse-without"
  case carryOver = "carry-over"
  case emptyWindow = "empty-window"
  case afterLock = "after-lock"
  case afterWindows = "after-windows"
  case transactionIDs = "transaction-ids"
  case tier2Digits = "tier2-digits"
  case tier3Digits = "tier3-digits"
  case identifierDigits = "identifier-digits"
  case nonWinner = "non-winner"
  case oldIOS = "old-ios"
  case oldThreshold = "old-threshold"
  case registerAgain = "register-again"
  case registerValue = "register-value"
  case fineOnlyCalls = "fine-only-calls"
  case fineOnlyDelay = "fine-only-delay"
  case developerTimer = "developer-timer"
  case country

  /// The description of a setting.
  fileprivate var row: FrameworkSetting {
    switch self {
    case .clockStart:
      FrameworkSetting(
        rawValue, \.calls.clockStart, "from when the windows of version 4 count",
        doubt: "Apple: the first launch; Apple's AdAttributionKit pages: the first update call",
        effect: "With first_launch the windows begin when the app is first opened, which can be before register: "
          + "Apple's windows then end earlier than the snippet's.",
        example: list(
          "first_launch", #"{"op":"details"}"#, #"{"op":"register","after":"1d"}"#,
          Self.session("+60h", #""conversion_value":5,"skan_updated_coarse_value":1"#), Self.postbacks))
    case .windowEdges:
      FrameworkSetting(
        rawValue, \.calls.windowEdges, "whether the very instant of a window's or timer's end still belongs to it",
        doubt: "not in Apple's documentation; public SDKs differ",
        effect: "With end_included an update at the very second in which a window ends still belongs to it; the "
          + "snippet takes it for the next window.",
        example: list(
          "end_included", Self.register, Self.session("+2d", #""conversion_value":5,"skan_updated_coarse_value":1"#),
          Self.postbacks))
    case .delayDistribution:
      FrameworkSetting(
        rawValue, \.delayDistribution, "where between its bounds a random delay falls",
        doubt: "Apple: random, nothing more",
        effect: "uniform draws each delay from the phone's seed; earliest and latest make the times of postbacks easy "
          + "to reckon.",
        example: list(
          "earliest", Self.register, Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":1"#),
          Self.postbacks))
    case .coarseWithout:
      FrameworkSetting(
        rawValue, \.calls.coarseWithout, "what a call without a coarse value does to the one that is set",
        doubt: "not in Apple's documentation; partners report a coarse value \"none\"",
        effect: "With keep a call without a coarse value leaves Apple's as it was while the app removes its own; "
          + "literal_none puts the text none into the postback.",
        example: list(
          "literal_none", tier: 1, Self.register,
          Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#),
          Self.session("+2h", #""conversion_value":6"#), Self.postbacks, options: "--json "))
    case .carryOver:
      FrameworkSetting(
        rawValue, \.calls.carryOver, "whether a window begins with the coarse value of the one before",
        doubt: "not in Apple's documentation; SDKs count by window",
        effect: "With yes a window in which only a call without a coarse value comes still has the one of the window "
          + "before.",
        example: list(
          "yes", Self.register, Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#),
          Self.session("+3d", #""conversion_value":5,"skan_updated_lock_window_value":true"#), Self.postbacks,
          options: "--json "))
    case .emptyWindow:
      FrameworkSetting(
        rawValue, \.emptyWindow, "the postback of a window that ends without an update call",
        doubt: "Apple: an app needs to update in each window to be eligible; the case itself is not described",
        effect: "With send_without_value the second and third postback leave although no update came in their windows.",
        example: list(
          "send_without_value", Self.register,
          Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#), Self.postbacks))
    case .afterLock:
      FrameworkSetting(
        rawValue, \.calls.afterLock, "what the handler of an update in a locked window gets",
        doubt: "Apple: ignored, and names no error but the one for values out of range",
        effect: "With error_10 the app's handler hears that its update was ignored; the snippet keeps the values all "
          + "the same.",
        example: list(
          "error_10", Self.register,
          Self.session("+1h", #""conversion_value":5,"skan_updated_lock_window_value":true"#),
          Self.session("+2h", #""conversion_value":6"#)))
    case .afterWindows:
      FrameworkSetting(
        rawValue, \.calls.afterWindows, "what the handler of an update after the last window or the timer gets",
        doubt: "Apple: no effect, and names no error but the one for values out of range",
        effect: "With error_10 the app's handler hears that its update came too late; the snippet keeps the values all "
          + "the same.",
        example: list("error_10", version: "3.0", Self.register, Self.session("+30h", #""conversion_value":5"#)))
    case .transactionIDs:
      FrameworkSetting(
        rawValue, \.transactionIDs, "whether the postbacks of one install have ids of their own",
        doubt: "not in Apple's documentation; receivers are to drop an id seen before",
        effect: "With same all postbacks of an install have one transaction id; a receiver that drops known ids then "
          + "keeps the first only.",
        example: list(
          "same", Self.register, Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#),
          Self.session("+3d", #""conversion_value":5,"skan_updated_coarse_value":1"#), Self.postbacks,
          options: "--json "))
    case .tier2Digits:
      FrameworkSetting(
        rawValue, \.tier2Digits, "digits of the source identifier in a first postback of tier 2",
        doubt: "Apple: two, three or four",
        effect: "A first postback of tier 2 names its campaign with that many digits: with two, it distinguishes a "
          + "hundred campaigns at most.",
        example: firstPostback("4", tier: 2))
    case .tier3Digits:
      FrameworkSetting(
        rawValue, \.tier3Digits, "digits of the source identifier in a first postback of tier 3",
        doubt: "Apple: two, three or four",
        effect: "A first postback of tier 3 names its campaign with that many digits.",
        example: firstPostback("3", tier: 3))
    case .identifierDigits:
      FrameworkSetting(
        rawValue, \.identifierDigits, "which digits of the source identifier a shorter one keeps",
        doubt: "Apple's samples show the last, 5239 and 39; Singular's FAQ says the first",
        effect: "Of 5239 the last two digits are 39, the first 52: a campaign map for short identifiers depends on it.",
        example: firstPostback("first", tier: 1))
    case .nonWinner:
      FrameworkSetting(
        rawValue, \.nonWinner, "what a postback of version 4 that did not win says of its source",
        doubt: "Apple: without values and source app; digits and domain are not described",
        effect: "digits_by_tier gives digits and no source, by_tier digits and a source domain, least two digits only.",
        example: firstPostback("least", more: #","won":false"#))
    case .oldIOS:
      FrameworkSetting(
        rawValue, \.oldIOS, "what iOS before 16.1 makes of an ad of version 4.0", doubt: "not in Apple's documentation",
        effect: "With as_4_0 such a phone has three windows, with as_3_0 one value and a timer of 24 hours, with "
          + "not_attributed no postback.",
        example: firstPostback("as_4_0", ios: "16.0"))
    case .oldThreshold:
      FrameworkSetting(
        rawValue, \.oldThreshold, "the tier from which versions up to 3 show conversion value and source app",
        doubt: "Apple: above a privacy threshold, which is not published",
        effect: "With as_4_0 the value shows from tier 2 on and the source app at tier 3; with tier_N both from that "
          + "tier on.",
        example: firstPostback("tier_3", version: "3.0", tier: 2))
    case .registerAgain:
      FrameworkSetting(
        rawValue, \.calls.registerAgain, "what registerAppForAdNetworkAttribution does after the first update",
        doubt: "Apple: resets the value to 0, said of iOS 15.4 and earlier",
        effect: "It matters where an app calls Apple's old register a second time, past the snippet; the snippet "
          + "itself calls it once.",
        example: list("ignored", version: "3.0", snippet: "skan3", Self.register, Self.postbacks, options: "--json "))
    case .registerValue:
      FrameworkSetting(
        rawValue, \.registerValue, "the conversion value when only registerAppForAdNetworkAttribution was called",
        doubt: "Apple: the default value is 0, said of another call",
        effect: "With absent a postback of a phone that only registered with SKAN 3 has no conversion value; with zero "
          + "it has 0.",
        example: list("absent", version: "3.0", snippet: "skan3", Self.register, Self.postbacks, options: "--json "))
    case .fineOnlyCalls:
      FrameworkSetting(
        rawValue, \.calls.fineOnlyCalls, "where in version 4 a call without coarse value and lock to give counts",
        doubt: "Apple: in the first window; partners report that such calls clear what later windows hold",
        effect: "With every_window a call that has no coarse value, as on iOS below 16.1, clears the coarse value of "
          + "later windows, too.",
        example: list(
          "every_window", ios: "16.0", device: #","settings":{"old-ios":"as_4_0","fine-only-calls":"every_window"}"#,
          Self.register, Self.session("+3d", #""conversion_value":5"#), Self.postbacks))
    case .fineOnlyDelay:
      FrameworkSetting(
        rawValue, \.fineOnlyDelay, "the first delay of version 4 when no call could give a coarse value",
        doubt: "Apple: 24-48 hours on one page, 0-24 hours on that call's own",
        effect: "It is about installs whose calls could give no coarse value, as those of SKAN 3.",
        example: list("0_24h", snippet: "skan3", Self.register, Self.postbacks))
    case .developerTimer:
      FrameworkSetting(
        rawValue, \.calls.developerTimer, "timer and delay of versions up to 3 in Developer Mode",
        doubt: "Apple: 24-48 hours become 5-10 minutes; the timer is not described",
        effect: "It is about ads up to version 3 on a phone in Developer Mode: timer, and the delay behind it.",
        example: list(
          "3m_then_5_10m", version: "3.0", ios: "18.0", ad: #","source_app_id":0"#, device: #","clock":"developer""#,
          Self.register, Self.postbacks)
      )
    case .country:
      FrameworkSetting(
        rawValue, \.country, "whether a first postback of version 4 and tier 3 shows the ad's country",
        doubt: "Apple lists country-code among the parameters, by data tier; no sample, tier or signature shows it",
        effect: "With present the field country-code has the country that the ad names. It is not signed.",
        example: firstPostback("present", more: #","country":"US""#))
    }
  }

  private static let register = #"{"op":"register"}"#
  private static let postbacks = #"{"op":"postbacks","at":"+50d"}"#

  private static func session(_ at: String, _ answer: String) -> String {
    #"{"op":"session","at":"\#(at)","answer":{"json":{\#(answer)}}}"#
  }

  private func firstPostback(
    _ value: String, version: String = "4.0", tier: Int = 3, ios: String = "17.4", more: String = ""
  ) -> Reproduction {
    list(
      value, version: version, tier: tier, ios: ios, ad: more, Self.register,
      Self.session("+1h", #""conversion_value":5,"skan_updated_coarse_value":2"#), Self.postbacks, options: "--json ")
  }

  private func list(
    _ value: String, version: String = "4.0", tier: Int = 3, ios: String = "17.4", snippet: String = "skan4",
    ad: String = "", device: String? = nil, _ steps: String..., options: String = ""
  ) -> Reproduction {
    let setting = #","settings":{"\#(rawValue)":"\#(value)"}"#
    let more = device.map { $0.contains("settings") ? $0 : $0 + setting } ?? setting
    let install =
      #"{"op":"device","snippet":"\#(snippet)","ios":"\#(ios)","ad":{"version":"\#(version)","tier":\#(tier)\#(ad)}\#(more)}"#
    return .replay([install] + steps, options: options)
  }
}
