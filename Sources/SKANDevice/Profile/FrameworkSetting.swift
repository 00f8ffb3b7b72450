import SKANBase

/// A question that Apple's documentation leaves open, with its possible answers.
///
/// The raw value is its key in the `settings` of a profile. The values are in ``FrameworkSettings``.
package enum FrameworkSetting: String, CaseIterable, Sendable {
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
  // AdAttributionKit
  case kitMirror = "aak-mirror"
  case kitMirrorCoarse = "aak-mirror-coarse"
  case kitWindowStart = "aak-window-start"
  case kitFineOnly = "aak-fine-only"
  case kitEmptyWindow = "aak-empty-window"
  case kitDigits = "aak-digits"
  case kitCountry = "aak-country"
  case kitLaterFields = "aak-later-fields"
  case kitNonWinner = "aak-nonwinner"
  case kitDeveloperDelay = "aak-dev-delay"
  case kitRetry = "aak-retry"
  case kitRetryCount = "aak-retry-count"
  case kitRetrySpacing = "aak-retry-spacing"
  case kitUUIDCase = "aak-uuid-case"
  case kitSlash = "aak-slash"
  case kitToSKAN = "aak-to-skan"
  case kitFineRange = "aak-fine-range"
  case kitUntagged = "aak-untagged"
  case kitOverlap = "aak-overlap"
  case kitOverlapTag = "aak-overlap-tag"
  case kitTagErrors = "aak-tag-errors"
  case kitUnregistered = "aak-unregistered"
  case kitLaterWindows = "aak-later-windows"
  case kitLimit = "aak-reengagement-limit"
  // Before the two that it sets, so that they have the last word.
  case kitCooldown = "aak-cooldown"
  // The keys of Apple's dictionary AttributionCooldown.
  case kitInstallCooldown = "install-cooldown-hours"
  case kitReEngagementCooldown = "re-engagement-cooldown-hours"
  case kitTrackingParameters = "aak-tracking-parameters"
  case kitCopies = "aak-reengagement-copies"
  case kitRulesForSKAN = "aak-rules-for-skan"
  case kitRulesRange = "aak-rules-range"
  case kitViewMinimum = "aak-view-minimum"
  case kitViewRoom = "aak-view-room"
  case completion

  package var name: String { rawValue }

  /// The possible values, the default first; of a number of hours its least and its greatest.
  package var values: [String] { form.values }

  /// The range of a number of hours; nil for a choice.
  package var hours: ClosedRange<UInt16>? { form.hours }

  /// Whether the setting only sets others, which have the value.
  package var isShorthand: Bool { form.isShorthand }

  package var defaultValue: String { value(in: FrameworkSettings()) }

  package func value(in settings: FrameworkSettings) -> String { form.get(settings) }

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
  func change(_ settings: inout FrameworkSettings, to value: String) -> Bool { form.set(value, &settings) }

  /// The key in the `settings` of a profile.
  var field: JSONField<FrameworkSettings> {
    JSONField(optional: name, as: self.jsonForm) { settings, reader in
      _ = reader.read(JSONKey(self.name), self.choices) { value in
        let text: String? =
          switch value {
          case .string(let text): text
          case .integer(let number): String(number)
          case .double(let number): Int64(whole: number).map { String($0) }
          default: nil
          }
        return text.map { self.change(&settings, to: $0) } ?? false ? true : nil
      }
    } writing: { settings, writer in
      guard self.differs(in: settings) else { return }
      let text = self.value(in: settings)
      if self.hours != nil, let hours = Int64(text) { writer.append(hours) } else { writer.append(text) }
    }
  }

  /// A value that consists of digits may also be written as a number.
  private var jsonForm: JSONForm {
    guard let hours else { return .choice(values.map(JSON.string) + values.compactMap(Int64.init).map(JSON.integer)) }
    return .anyOf([
      .integer(Int64(hours.lowerBound)...Int64(hours.upperBound)), .string(pattern: "^[0-9]{1,3}$"),
    ])
  }

  /// The values of a setting, and where ``FrameworkSettings`` has them.
  private struct Form {
    let values: [String]
    var hours: ClosedRange<UInt16>?
    var isShorthand = false
    let get: (FrameworkSettings) -> String
    let set: (String, inout FrameworkSettings) -> Bool

    init<Value: RawRepresentable & CaseIterable>(_ path: WritableKeyPath<FrameworkSettings, Value>)
    where Value.RawValue == String {
      values = Value.allCases.map(\.rawValue)
      get = { $0[keyPath: path].rawValue }
      set = { text, settings in
        guard let value = Value(rawValue: text) else { return false }
        settings[keyPath: path] = value
        return true
      }
    }

    /// A number of hours, whose default is the least.
    init(hours: ClosedRange<UInt16>, _ path: WritableKeyPath<FrameworkSettings, UInt16>) {
      values = [hours.lowerBound, hours.upperBound].map { String($0) }
      self.hours = hours
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
    init(_ choices: [(name: String, hours: UInt16)], _ paths: [WritableKeyPath<FrameworkSettings, UInt16>]) {
      values = choices.map(\.name)
      isShorthand = true
      get = { settings in
        choices.first { choice in paths.allSatisfy { settings[keyPath: $0] == choice.hours } }?.name ?? "mixed"
      }
      set = { text, settings in
        guard let choice = choices.first(where: { $0.name == text }) else { return false }
        for path in paths { settings[keyPath: path] = choice.hours }
        return true
      }
    }
  }

  private var form: Form {
    switch self {
    case .clockStart: Form(\.calls.clockStart)
    case .windowEdges: Form(\.calls.windowEdges)
    case .delayDistribution: Form(\.delayDistribution)
    case .coarseWithout: Form(\.calls.coarseWithout)
    case .carryOver: Form(\.calls.carryOver)
    case .emptyWindow: Form(\.emptyWindow)
    case .afterLock: Form(\.calls.afterLock)
    case .afterWindows: Form(\.calls.afterWindows)
    case .transactionIDs: Form(\.transactionIDs)
    case .tier2Digits: Form(\.tier2Digits)
    case .tier3Digits: Form(\.tier3Digits)
    case .identifierDigits: Form(\.identifierDigits)
    case .nonWinner: Form(\.nonWinner)
    case .oldIOS: Form(\.oldIOS)
    case .oldThreshold: Form(\.oldThreshold)
    case .registerAgain: Form(\.calls.registerAgain)
    case .registerValue: Form(\.registerValue)
    case .fineOnlyCalls: Form(\.calls.fineOnlyCalls)
    case .fineOnlyDelay: Form(\.fineOnlyDelay)
    case .developerTimer: Form(\.calls.developerTimer)
    case .country: Form(\.country)
    case .kitMirror: Form(\.calls.kitMirror)
    case .kitMirrorCoarse: Form(\.calls.kitMirrorCoarse)
    case .kitWindowStart: Form(\.kitWindowStart)
    case .kitFineOnly: Form(\.kitFineOnly)
    case .kitEmptyWindow: Form(\.kitEmptyWindow)
    case .kitDigits: Form(\.kitDigits)
    case .kitCountry: Form(\.kitCountry)
    case .kitLaterFields: Form(\.kitLaterFields)
    case .kitNonWinner: Form(\.kitNonWinner)
    case .kitDeveloperDelay: Form(\.kitDeveloperDelay)
    case .kitRetry: Form(\.kitRetry)
    case .kitRetryCount: Form(\.kitRetryCount)
    case .kitRetrySpacing: Form(\.kitRetrySpacing)
    case .kitUUIDCase: Form(\.kitUUIDCase)
    case .kitSlash: Form(\.kitSlash)
    case .kitToSKAN: Form(\.kitToSKAN)
    case .kitFineRange: Form(\.kitFineRange)
    case .kitUntagged: Form(\.kitUntagged)
    case .kitOverlap: Form(\.kitOverlap)
    case .kitOverlapTag: Form(\.kitOverlapTag)
    case .kitTagErrors: Form(\.kitTagErrors)
    case .kitUnregistered: Form(\.kitUnregistered)
    case .kitLaterWindows: Form(\.kitLaterWindows)
    case .kitLimit: Form(\.kitLimit)
    case .kitCooldown:
      Form([("none", 0), ("24h", 24), ("720h", 720)], [\.kitInstallCooldown, \.kitReEngagementCooldown])
    case .kitInstallCooldown: Form(hours: 0...720, \.kitInstallCooldown)
    case .kitReEngagementCooldown: Form(hours: 0...720, \.kitReEngagementCooldown)
    case .kitTrackingParameters: Form(\.kitTrackingParameters)
    case .kitCopies: Form(\.kitCopies)
    case .kitRulesForSKAN: Form(\.kitRulesForSKAN)
    case .kitRulesRange: Form(\.kitRulesRange)
    case .kitViewMinimum: Form(\.kitViewMinimum)
    case .kitViewRoom: Form(\.kitViewRoom)
    case .completion: Form(\.completion)
    }
  }
}

/// Why a setting cannot be set.
package enum FrameworkSettingProblem: Error, Sendable, Equatable {
  case unknown(String)
  case badValue(setting: String, value: String, choices: String)

  /// The problem in words, with the nearest name.
  package var message: String {
    switch self {
    case .unknown(let name):
      let names = FrameworkSetting.allCases.map(\.name)
      let hint = nearestName(to: name, in: names).map { "did you mean \"\($0)\"?" }
      return "there is no setting \(JSONWriter.quoted(name)); \(hint ?? "known: \(names.joined(separator: ", "))")"
    case .badValue(let name, let value, let choices):
      let values = FrameworkSetting.allCases.first { $0.name == name && $0.hours == nil }?.values ?? []
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
    guard let setting = FrameworkSetting.allCases.first(where: { $0.name.isLiterally(name) }) else {
      throw .unknown(name)
    }
    guard setting.change(&self, to: value) else {
      throw .badValue(setting: name, value: value, choices: setting.choices)
    }
  }

  /// The names and values of the settings that differ from the default.
  package var changed: [(name: String, value: String)] {
    FrameworkSetting.allCases.filter { $0.differs(in: self) }.map { ($0.name, $0.value(in: self)) }
  }
}
