import SKANDevice
import SKANBase
import SKANRun

/// A line of an event list.
enum StepSchema {
  static var form: JSONForm { .anyOf(operations.map(\.form)) }

  static var objects: [SchemaObject] { operations + [answer, forward, ad, settings] }

  private static var operations: [SchemaObject] {
    ListFormat.operations.map { operation in
      let keys = operation.commonKeys + operation.keys
      var forms = commonForms.merging(ownForms) { first, _ in first }.filter { keys.contains($0.key) }
      forms["op"] = .names([operation.name])
      return SchemaObject(operation.name, keys: keys, required: ["op"] + (required[operation.name] ?? []), forms)
    }
  }

  private static let required = [
    "event": ["name"], "revenue": ["amount", "currency"], "s2s": ["kind"], "include": ["file"],
  ]

  private static let time = JSONForm.anyOf([.number, .text])

  private static let commonForms: [String: JSONForm] = [
    "at": time, "after": time, "device": .text, "label": .text, "skip": .text, "expect": .map(of: .any),
  ]

  private static var ownForms: [String: JSONForm] {
    profileForms.merging([
      "name": .text, "answer": answer.form, "took": time, "framework_error": .integer, "no_handler": .bool,
      "forward": .anyOf([.bool, forward.form]), "amount": .number, "currency": .anyOf([.text, .null]),
      "ad_monetization": .bool, "file": .text, "kind": choice(["session", "event"]),
      "api": choice(EndpointAPI.allCases.map(\.rawValue)), "post": .bool, "stale": .bool, "reapply": .bool,
      "parameters": parameters,
    ]) { first, _ in first }
  }

  /// Of a phone's profile, in a list and in a device file.
  static var profileForms: [String: JSONForm] {
    [
      "snippet": choice(SnippetVersion.allCases.map(\.rawValue)), "ios": .text, "bundle_id": .text,
      "app_version": .text,
      "idfv": .anyOf([.text, .null]), "idfa": .anyOf([.text, .null]),
      "build": choice(DeviceProfile.Build.allCases.map(\.rawValue)),
      "ad": .anyOf([ad.form, .choice([.bool(false)])]),
      "clock": choice(DeviceProfile.ClockPreset.allCases.map(\.rawValue)), "seed": .integer, "settings": settings.form,
      "ip": .text, "make": .text, "model": .text, "locale": .text, "os_build": .text, "att_status": .integer(0...3),
      "sdid": .text,
    ]
  }

  /// A name, or a text with a variable of lists in it.
  private static func choice(_ names: [String]) -> JSONForm { .anyOf([.names(names), .string(pattern: #"\$\{"#)]) }

  private static let parameters = JSONForm.map(of: .anyOf([.text, .null]))

  private static let answer = SchemaObject(
    "answer", keys: AnswerForm.keys.names,
    ["status": .integer(100...999), "json": .any, "text": .text, "base64": .text, "error": .text])

  private static let forward = SchemaObject(
    "forward", keys: ForwardOptions.keys.names,
    [
      "amount": .number, "currency": .text, "ad_monetization": .bool,
      "api": choice(EndpointAPI.allCases.map(\.rawValue)), "post": .bool, "stale": .bool, "reapply": .bool,
      "parameters": parameters,
      "answer": answer.form,
    ])

  private static let ad = SchemaObject(
    "ad", keys: AdAttribution.keys,
    [
      "version": choice(AdVersion.allCases.map(\.rawValue)), "network": .text, "app_id": .integer(0 ... .max),
      "source_identifier": .string(pattern: #"^[0-9]{4}$|\$\{"#), "campaign": .integer(1...100),
      "source_app_id": .integer(0 ... .max), "source_domain": .text, "fidelity": .integer(0...1), "won": .bool,
      "redownload": .bool, "tier": .integer(0...3),
    ])

  /// A number of digits may be written as one.
  private static let settings = SchemaObject(
    "settings", keys: FrameworkSetting.all.map(\.name),
    Dictionary(
      uniqueKeysWithValues: FrameworkSetting.all.map { setting in
        let numbers = setting.values.compactMap(Int64.init).map(JSON.integer)
        return (
          setting.name,
          .anyOf([.choice(setting.values.map(JSON.string) + numbers), .string(pattern: #"\$\{"#)])
        )
      }))
}
