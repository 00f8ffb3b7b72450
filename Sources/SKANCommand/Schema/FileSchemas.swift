import SKANBase
import SKANDevice
import SKANModel
import SKANReceive
import SKANRun

/// An object of a schema. Its keys come from the table of the reader or writer, so that a test fails if the form of a
/// new key is missing.
struct SchemaObject: Sendable {
  let name: String
  /// The keys of the table.
  let keys: [String]
  let required: [String]
  let forms: [String: JSONForm]

  init(_ name: String, keys: [String], required: [String] = [], _ forms: [String: JSONForm]) {
    self.name = name
    self.keys = keys
    self.required = required
    self.forms = forms
  }

  /// A closed object, since the readers refuse unknown keys. A key without a form accepts anything, and fails the
  /// tests.
  var form: JSONForm { .object(keys.map { ($0, forms[$0] ?? .any) }, required: required, others: nil) }

  /// The objects of all schemas.
  static var all: [SchemaObject] {
    StepSchema.objects + DeviceSchema.objects + ProjectSchema.objects + ModelSchema.objects
  }
}

/// The schema of a line of an event list.
enum StepSchema {
  static var form: JSONForm { .anyOf(operations.map(\.form)) }

  static var objects: [SchemaObject] {
    operations + [answer, forward, ad, lost, impression, attributionRule, plist, settings]
  }

  private static var operations: [SchemaObject] {
    ListFormat.operations.map { operation in
      let keys = operation.commonKeys + operation.keys
      var forms = commonForms.merging(ownForms) { first, _ in first }.filter { keys.contains($0.key) }
      forms["op"] = .names([operation.name])
      if operation.name == "impression" { forms["ad"] = impression.form }
      return SchemaObject(operation.name, keys: keys, required: ["op"] + (required[operation.name] ?? []), forms)
    }
  }

  private static let required = [
    "event": ["name"], "revenue": ["amount", "currency"], "s2s": ["kind"], "include": ["file"],
    "aak-update": ["fine"], "aak-reengage": ["url"],
  ]

  private static let time = JSONForm.anyOf([.number, .text])

  private static let commonForms: [String: JSONForm] = [
    "at": time, "after": time, "device": .text, "label": .text, "skip": .text, "expect": .map(of: .any),
  ]

  private static var ownForms: [String: JSONForm] {
    profileForms.merging([
      "name": .text, "answer": answer.form, "took": time, "completion_took": time, "framework_error": .integer,
      "no_handler": .bool,
      "forward": .anyOf([.bool, forward.form]), "amount": .number, "currency": .anyOf([.text, .null]),
      "ad_monetization": .bool, "file": .text, "kind": choice(["session", "event"]),
      "api": choice(EndpointAPI.allCases.map(\.rawValue)), "post": .bool, "stale": .bool, "reapply": .bool,
      "parameters": parameters, "fine": .integer, "coarse": choice(CoarseValue.allCases.map(\.rawValue)), "lock": .bool,
      "types": .list(choice(DirectUpdate.ConversionKind.allCases.map(\.rawValue))), "tag": .text, "url": .text,
      "eligible": .bool, "seconds": .number, "redownload": .bool,
    ]) { first, _ in first }.merging(ad.forms.filter { AdAttribution.reEngagementKeys.contains($0.key) }) { first, _ in
      first
    }
  }

  /// The forms of a phone's profile, in a list and in a device file.
  static var profileForms: [String: JSONForm] {
    [
      "snippet": choice(SnippetVersion.allCases.map(\.rawValue)), "ios": .text, "bundle_id": .text,
      "app_version": .text,
      "idfv": .anyOf([.text, .null]), "idfa": .anyOf([.text, .null]),
      "build": choice(DeviceProfile.Build.allCases.map(\.rawValue)),
      "ad": .anyOf([ad.form, .choice([.bool(false)])]),
      "clock": choice(DeviceProfile.ClockPreset.allCases.map(\.rawValue)), "seed": .integer, "settings": settings.form,
      "ip": .text, "make": .text, "model": .text, "locale": .text, "os_build": .text, "att_status": .integer(0...3),
      "sdid": .text, "attribution_windows": .map(of: attributionRules), "plist": .anyOf([.text, plist.form]),
    ]
  }

  /// One of the names, or a text that contains a variable of lists.
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
      "redownload": .bool, "tier": .integer(0...3), "framework": framework, "publisher_id": .integer(0 ... .max),
      "marketplace": .text, "interaction": choice(["click", "view"]), "conversion": choice(["download", "redownload"]),
      "country": .string(pattern: #"^[A-Z]{2}$|\$\{"#), "lost": .list(lost.form),
    ])

  private static let impression = SchemaObject("impression", keys: AdAttribution.impressionKeys, ad.forms)

  private static let framework = choice(AdAttribution.Framework.allCases.map(\.rawValue))

  private static let lost = SchemaObject(
    "lost", keys: AdAttribution.LostImpression.keys.names, required: ["network"],
    ["framework": framework, "network": .text, "source_identifier": .string(pattern: #"^[0-9]{4}$|\$\{"#)])

  private static let attributionRules = JSONForm.object(
    [("install", attributionRule.form)], required: ["install"], others: nil)

  private static let attributionRule = SchemaObject(
    "attribution rule", keys: AttributionWindows.ruleKeys,
    [
      "click": .integer, "view": .integer,
      "ignoreInteractionType": choice(AttributionWindows.Interaction.allCases.map(\.rawValue)),
    ])

  private static let plist = SchemaObject(
    "plist", keys: AppPlist.keys, ["copies": .list(framework), "findings": .list(.text)])

  /// A value that consists of digits may also be written as a number.
  private static let settings = SchemaObject(
    "settings", keys: FrameworkSetting.allCases.map(\.name),
    Dictionary(
      uniqueKeysWithValues: FrameworkSetting.allCases.map { setting in
        if let hours = setting.hours {
          let range = Int64(hours.lowerBound)...Int64(hours.upperBound)
          return (setting.name, .anyOf([.integer(range), .string(pattern: #"^[0-9]{1,3}$|\$\{"#)]))
        }
        let numbers = setting.values.compactMap(Int64.init).map(JSON.integer)
        return (
          setting.name,
          .anyOf([.choice(setting.values.map(JSON.string) + numbers), .string(pattern: #"\$\{"#)])
        )
      }))
}

/// The schema of a device file.
enum DeviceSchema {
  static var form: JSONForm {
    DeviceFile.fields.form(requiring: ["format", "profile", "kept"], ["profile": profile.form])
  }

  static var objects: [SchemaObject] { [profile] }

  private static let profile = SchemaObject("profile", keys: DeviceProfile.keys, StepSchema.profileForms)
}

/// The schema of a line of the file of received postbacks, with the keys required for reading it.
enum ReceivedSchema {
  static var form: JSONForm {
    ReceivedRecord.fields.form(
      requiring: ["received_at", "signature", "repetition", "body"],
      [
        "decoded": DecodedValue.fields.form(
          requiring: ["model", "window"],
          [
            "events": .list(DecodedEvent.fields.form(requiring: ["event"])),
            "revenue": RevenueRange.fields.form(requiring: ["currency", "min"]).orNull,
          ]
        ).orNull,
        "campaign": CampaignMatch.fields.form(requiring: ["id"]).orNull,
      ])
  }
}

/// The schema of a project file, `skan.json`.
enum ProjectSchema {
  static var form: JSONForm { project.form }

  static var objects: [SchemaObject] { [project] }

  /// The options that a project file cannot set, or that it sets elsewhere.
  private static let notOptions = [OptionRow.help, .version, .color].map(\.name)

  private static var project: SchemaObject {
    var forms: [String: JSONForm] = [
      "$schema": .text, "hosts": .map(of: .names(["singular", "s2s"])), "options": options, "commands": commands,
    ]
    for row in ProjectReader.top { forms[row.name] = form(of: [row]) }
    return SchemaObject("project file", keys: ProjectReader.keys, forms)
  }

  private static var options: JSONForm {
    var rows: [String: [OptionRow]] = [:]
    let elsewhere = notOptions + ProjectReader.top.map(\.name)
    for row in CommandLineTool.commands.flatMap(\.options) where row.hasVariable && !elsewhere.contains(row.name) {
      rows[row.name, default: []].append(row)
    }
    return .object(rows.sorted { $0.key < $1.key }.map { ($0.key, form(of: $0.value)) }, required: [], others: nil)
  }

  private static var commands: JSONForm {
    let commands = CommandLineTool.commands.map { command in
      let rows = command.options.filter { !notOptions.contains($0.name) }
      return (command.name, JSONForm.object(rows.map { ($0.name, form(of: [$0])) }, required: [], others: nil))
    }
    return .object(commands, required: [], others: nil)
  }

  /// The values that ``ProjectValue/texts(for:)`` accepts for at least one of the rows.
  private static func form(of rows: [OptionRow]) -> JSONForm {
    let valued = rows.filter { $0.placeholder != nil }
    var forms: [JSONForm] = valued.count < rows.count ? [.bool] : []
    if !valued.isEmpty { forms += [.text, .number] }
    if valued.contains(where: { $0.kind == .json }) { forms.append(.map(of: .any)) }
    if valued.contains(where: \.isRepeatable) { forms.append(.list(.anyOf([.text, .number]))) }
    return forms.count == 1 ? forms[0] : .anyOf(forms)
  }
}
