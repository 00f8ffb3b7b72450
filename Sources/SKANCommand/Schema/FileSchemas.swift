import SKANBase
import SKANCommandLine
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

  /// An object whose reader has these rows; its texts may contain variables of lists.
  init<Value>(_ name: String, _ fields: JSONFields<Value>, required: [String] = []) {
    let forms = fields.rows.map { ($0.name, $0.described.withVariables) }
    self.init(name, keys: fields.names, required: required, Dictionary(uniqueKeysWithValues: forms))
  }

  /// A closed object, since the readers refuse unknown keys. A key without a form accepts anything, and fails the
  /// tests.
  var form: JSONForm { .object(keys.map { ($0, forms[$0] ?? .any) }, required: required, others: nil) }

  /// The objects of all schemas.
  static var all: [SchemaObject] {
    StepSchema.objects + ProjectSchema.objects + ModelSchema.objects
  }
}

/// The schema of a line of an event list.
enum StepSchema {
  static var form: JSONForm { .anyOf(operations.map(\.form)) }

  static var objects: [SchemaObject] {
    operations + [answer, forward, profile, ad, lost, impression, development, attributionRule, plist, settings]
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
    "at": time, "after": time, "device": .text, "label": .text, "skip": .text,
    "expect": .anyOf([.map(of: .any), .list(.map(of: .any))]),
  ]

  private static var ownForms: [String: JSONForm] {
    profile.forms.merging([
      "name": .text, "answer": answer.form, "took": time, "completion_took": time, "framework_error": .integer,
      "no_handler": .bool, "file": .text, "kind": choice(["session", "event"]), "fine": .integer,
      "forward": .anyOf([.bool, forward.form]), "currency": .anyOf([.text, .null]),
      "coarse": choice(CoarseValue.allCases.map(\.rawValue)), "lock": .bool,
      "types": .list(choice(DirectUpdate.ConversionKind.allCases.map(\.rawValue))), "tag": .text, "url": .text,
      "eligible": .bool, "seconds": .number, "redownload": .bool,
    ]) { first, _ in first }.merging(development.forms) { first, _ in first }.merging(forward.forms) { first, _ in first
    }
    .merging(ad.forms.filter { AdAttribution.reEngagementKeys.contains($0.key) }) { first, _ in first }
  }

  private static let profile = SchemaObject("profile", DeviceProfile.fields)

  private static func choice(_ names: [String]) -> JSONForm { .names(names).withVariables }

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

  private static let ad = SchemaObject("ad", AdAttribution.fields)

  private static let impression = SchemaObject(
    "impression", keys: AdAttribution.impressionKeys,
    ad.forms.filter { AdAttribution.impressionKeys.contains($0.key) })

  private static let lost = SchemaObject("lost", AdAttribution.LostImpression.fields, required: ["network"])

  private static let development = SchemaObject("development", DevelopmentConversion.fields)

  private static let attributionRule = SchemaObject("attribution rule", AttributionWindows.Rule.fields)

  private static let plist = SchemaObject("plist", AppPlist.fields)

  private static let settings = SchemaObject("settings", FrameworkSettings.fields)
}

extension JSONForm {
  /// The form in a list, where a text may contain a variable.
  fileprivate var withVariables: JSONForm {
    switch self {
    case .choice(let values): values.contains { $0.text != nil } ? .anyOf([self, .string(pattern: #"\$\{"#)]) : self
    case .string(let pattern?): .string(pattern: #"\#(pattern)|\$\{"#)
    case .list(let item): .list(item.withVariables)
    case .object(let keys, let required, let others):
      .object(keys.map { ($0.key, $0.form.withVariables) }, required: required, others: others)
    case .anyOf(let forms): .anyOf(forms.map(\.withVariables))
    case .described(let text, let form): .described(text, form.withVariables)
    default: self
    }
  }
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
