import SKANBase
import SKANCommandLine
import SKANDevice
import SKANRun
import SKANSystem

/// `skan config`: the value in effect for each option, and its source.
enum ConfigCommand {
  private static let json = OptionRow.json.described("print it as one JSON object on a line", hasVariable: false)

  struct Options: CommandOptions {
    let isJSON: Bool

    init(_ reader: OptionReader) throws(CommandError) { isJSON = try reader[json] }
  }

  static let spec = CommandSpec(
    "config", "Show the options in effect, and where each comes from",
    commandExample: "replay --max-time 2s lists/",
    examples: ["skan config", "skan config -- session --max-time 2s", "skan config --json | jq '.settings[0]'"],
    readsSettings: false
  ) { (options: Options, invocation) throws(CommandError) in
    let environment = invocation.environment
    let project = try environment.project(of: .skan)
    let (spec, parsed) = try commandLine(invocation, project)
    try VariableNames.check(environment, of: .skan)
    let settings = try settings(spec, parsed, environment) + [sdkKey(environment)]
    if options.isJSON {
      try environment.write("\(fields.text((project, settings)))\n")
    } else {
      try environment.print(lines(settings, project))
    }
    return .ok
  }

  static let fields = JSONFields<(project: ProjectFile?, settings: [Setting])> {
    JSONField("project") { $0.project?.path }
    JSONField("settings") { $0.settings }
  }

  /// Parses the command line behind `--`, or an empty one of a command that has every option.
  private static func commandLine(
    _ invocation: Invocation, _ project: ProjectFile?
  ) throws(CommandError) -> (CommandSpec, ParsedArguments) {
    let (spec, rest) =
      try invocation.command.isEmpty ? (all, []) : CommandTable.skan.command(ArraySlice(invocation.command))
    let parsed = try ParsedArguments(Array(rest), for: spec, of: .skan, variable: invocation.environment.variable) {
      () throws(CommandError) in project
    }
    return (spec, parsed)
  }

  /// A command with the options of all commands. Those that select who answers come first.
  private static var all: CommandSpec {
    var rows: [OptionRow] = [.endpoint, .model, .rates]
    for row in CommandTable.skan.variableOptions where !rows.contains(row) { rows.append(row) }
    return CommandSpec(spec.name, inspecting: rows)
  }

  private static func settings(
    _ spec: CommandSpec, _ parsed: ParsedArguments, _ environment: Environment
  ) throws(CommandError) -> [Setting] {
    let rows = spec.options.filter { ![.help, .version, .color].contains($0) }
    for row in rows where !row.readsInput(parsed.texts(of: row)) {
      if let problem = problem(row, spec, parsed, environment) { throw problem }
    }
    let state = try device(parsed, spec, environment)
    return rows.map { row in
      if let source = parsed.source(of: row) { return setting(row, parsed.texts(of: row), source) }
      if let state, let option = ProfileOption.all.first(where: { $0.row == row }) {
        return Setting(name: row.name, value: option.value(state.profile), source: .device, from: state.path)
      }
      let value: JSON = row.placeholder == nil ? .bool(false) : .optional(row.defaultText)
      return Setting(name: row.name, value: value, source: .default, from: nil)
    }
  }

  /// The error for an option's value.
  private static func problem(
    _ row: OptionRow, _ spec: CommandSpec, _ parsed: ParsedArguments, _ environment: Environment
  ) -> CommandError? {
    switch (parsed.source(of: row), spec.name == Self.spec.name) {
    case (nil, _): return nil
    case (.environment?, true):
      return SettingVerdict(variable: row.variable, parsed.texts(of: row).last ?? "", environment, of: .skan).problem
    case (.project(let value)?, true):
      return SettingVerdict(
        option: row.name, ProjectFile(path: value.file, options: [row.name: value]), environment, of: .skan
      ).problem
    default:
      do throws(CommandError) { try Invocation(spec, parsed, environment).check(row) } catch { return error }
      return nil
    }
  }

  private static func setting(_ row: OptionRow, _ texts: [String], _ source: ParsedArguments.Source) -> Setting {
    let (kind, from): (Setting.Source, String) =
      switch source {
      case .commandLine: (.option, row.flag)
      case .environment: (.environment, row.variable)
      case .project(let value): (.project, value.place)
      }
    let value: JSON =
      if row.placeholder == nil { .bool(true) } else if row.isRepeatable { .array(texts.map(JSON.string)) } else {
        .optional(texts.last)
      }
    return Setting(name: row.name, value: value, source: kind, from: from)
  }

  /// The device file and the profile of its phone; nil without a device file, or if the command creates one.
  private static func device(
    _ parsed: ParsedArguments, _ spec: CommandSpec, _ environment: Environment
  ) throws(CommandError) -> (path: String, profile: DeviceProfile)? {
    guard spec.declares(.state), spec.name != "install" else { return nil }
    var path = parsed.texts(of: .state).last ?? OptionRow.state.defaultText ?? ""
    if case .project(let value)? = parsed.source(of: .state) { path = value.path(path) }
    guard try environment.files.exists(path), let bytes = try environment.files.read(path) else { return nil }
    do throws(SourceProblems) { return (path, try DeviceFile(bytes).phone.device.profile) } catch {
      throw .content(file: path, error, in: bytes)
    }
  }

  /// Whether there is an SDK key. The key itself is never shown.
  private static func sdkKey(_ environment: Environment) -> Setting {
    let isSet = environment.sdkKey != nil
    return Setting(
      name: "SDK key", value: .string(isSet ? "set, not shown" : "not set"), source: isSet ? .environment : .default,
      from: isSet ? VariableNames.sdkKey : nil)
  }

  /// A table of the values that are not defaults, followed by one of the defaults.
  private static func lines(_ settings: [Setting], _ project: ProjectFile?) -> [StyledText] {
    let given = settings.filter { $0.source != .default }.map(\.cells)
    let others = settings.filter { $0.source == .default }.map(\.cells)
    let rows = TextTable.styled(given + others)
    return [StyledText("project file: \(project?.path.oneLine ?? "none")"), ""] + rows.prefix(given.count)
      + (given.isEmpty ? [] : [""]) + rows.dropFirst(given.count)
  }
}

/// The value in effect for an option, and its source.
struct Setting: Sendable, JSONObjectWritable {
  /// The kinds of sources, in order of precedence.
  enum Source: String, CaseIterable, JSONWritable {
    case option, environment, project, device, `default`
  }

  let name: String
  /// The value; null if there is none.
  let value: JSON
  let source: Source
  /// The option, the variable, the place in the project file, or the device file; nil for a default.
  let from: String?

  static let fields = JSONFields<Setting> {
    JSONField("name") { $0.name }
    JSONField("value", as: .anyOf([.text, .bool, .list(.text), .null])) { $0.value }
    JSONField("source") { $0.source }
    JSONField("from") { $0.from }
  }

  var cells: [String] { [name, text, from.map { "\(source.rawValue): \($0)" } ?? source.rawValue] }

  private var text: String {
    switch value {
    case .null: "-"
    case .string(let text): text.oneLine
    case .array(let items):
      items.map { if case .string(let text) = $0 { text.oneLine } else { JSONWriter.text($0) } }.joined(separator: ", ")
    default: JSONWriter.text(value)
    }
  }
}
