import SKANBase

/// A project file, `skan.json`.
enum ProjectSchema {
  static var form: JSONForm { project.form }

  static var objects: [SchemaObject] { [project] }

  /// Options that no project file has, or that stand elsewhere in it.
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

  /// What ``ProjectValue/texts(for:)`` takes for at least one of the rows.
  private static func form(of rows: [OptionRow]) -> JSONForm {
    let valued = rows.filter { $0.placeholder != nil }
    var forms: [JSONForm] = valued.count < rows.count ? [.bool] : []
    if !valued.isEmpty { forms += [.text, .number] }
    if valued.contains(where: { $0.kind == .json }) { forms.append(.map(of: .any)) }
    if valued.contains(where: \.isRepeatable) { forms.append(.list(.anyOf([.text, .number]))) }
    return forms.count == 1 ? forms[0] : .anyOf(forms)
  }
}
