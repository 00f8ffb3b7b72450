import SKANBase

/// One point that Apple's documentation leaves open: its name, what it can be, and where the doubt comes from.
///
/// Help, the manual, parsing and writing all come from ``all``.
package struct FrameworkSetting: Sendable {
  /// As in the key `settings` of a profile.
  package let name: String
  /// The default first.
  package let values: [String]
  package let meaning: String
  /// What the sources say and do not say.
  package let doubt: String
  private let get: @Sendable (FrameworkSettings) -> String
  private let set: @Sendable (String, inout FrameworkSettings) -> Bool

  init<Value: RawRepresentable & CaseIterable & SendableMetatype>(
    _ name: SettingName, _ path: any WritableKeyPath<FrameworkSettings, Value> & Sendable, _ meaning: String,
    doubt: String
  ) where Value.RawValue == String {
    self.name = name.rawValue
    values = Value.allCases.map(\.rawValue)
    self.meaning = meaning
    self.doubt = doubt
    get = { $0[keyPath: path].rawValue }
    set = { text, settings in
      guard let value = Value(rawValue: text) else { return false }
      settings[keyPath: path] = value
      return true
    }
  }

  package var defaultValue: String { value(in: FrameworkSettings()) }

  package func value(in settings: FrameworkSettings) -> String { get(settings) }

  /// The values in the words of a message: "first_update" or "first_launch".
  var choices: String { "one of \(values.map { "\"\($0)\"" }.joined(separator: ", "))" }

  /// - Returns: false when the setting has no such value; nothing is changed then.
  func change(_ settings: inout FrameworkSettings, to value: String) -> Bool { set(value, &settings) }
}

/// Why a setting cannot be set.
package enum FrameworkSettingProblem: Error, Sendable, Equatable {
  case unknown(String)
  case badValue(setting: String, value: String, choices: String)

  /// In words, with the nearest name.
  package var message: String {
    switch self {
    case .unknown(let name):
      let names = FrameworkSetting.all.map(\.name)
      let hint = nearestName(to: name, in: names).map { "did you mean \"\($0)\"?" }
      return "there is no setting \(JSONWriter.quoted(name)); \(hint ?? "known: \(names.joined(separator: ", "))")"
    case .badValue(let name, let value, let choices):
      let values = FrameworkSetting.all.first { $0.name == name }?.values ?? []
      // A number is as near to any other.
      let near = value.contains(where: \.isLetter) ? nearestName(to: value, in: values) : nil
      let hint = near.map { "; did you mean \"\($0)\"?" } ?? ""
      return "\"\(name)\" must be \(choices), this is \(JSONWriter.quoted(value))\(hint)"
    }
  }
}

extension FrameworkSettings {
  /// Sets one setting by name, as a command line gives it.
  package mutating func set(_ name: String, to value: String) throws(FrameworkSettingProblem) {
    guard let setting = FrameworkSetting.all.first(where: { $0.name.isLiterally(name) }) else { throw .unknown(name) }
    guard setting.change(&self, to: value) else {
      throw .badValue(setting: name, value: value, choices: setting.choices)
    }
  }

  /// Those that are not as they are by default, by name.
  package var changed: [(name: String, value: String)] {
    FrameworkSetting.all.compactMap { setting in
      let value = setting.value(in: self)
      return value == setting.defaultValue ? nil : (setting.name, value)
    }
  }
}
