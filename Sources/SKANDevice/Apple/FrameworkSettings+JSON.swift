import SKANBase

extension FrameworkSettings {
  /// Reads the settings that an object names; the others keep their default.
  init(from reader: inout JSONObjectReader) {
    self.init()
    for setting in FrameworkSetting.all {
      let read = reader.read(JSONKey(setting.name), setting.choices) { content -> FrameworkSettings? in
        var settings = self
        // A number of digits may be written as one.
        let text: String? =
          switch content {
          case .string(let text): text
          case .integer(let number): String(number)
          default: nil
          }
        guard let text, setting.change(&settings, to: text) else { return nil }
        return settings
      }
      self = read ?? self
    }
  }

  static let keys = JSONKeys(FrameworkSetting.all.map(\.name))

  /// The settings that differ from the defaults.
  var json: JSON { .object(changed.map { ($0.name, .string($0.value)) }) }
}
