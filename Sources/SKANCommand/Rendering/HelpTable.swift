import SKANDevice
import SKANBase
import SKANRun

/// The table of the command line for programs, as `skan help --json` prints it (the manual, "Commands and options").
struct HelpTable: JSONObjectWritable {
  /// Commands with their options, exit codes, the keys of a step's result, the codes of its warnings, and the variables
  /// that stand for no option.
  static let fields = JSONFields<HelpTable> {
    JSONField("version") { _ in CommandLineTool.version }
    JSONField("commands") { _ in CommandLineTool.commands }
    JSONField("exit_codes", list: exitCodes) { _ in ExitCode.allCases }
    JSONField("result_keys") { _ in StepResult.keys }
    JSONField("warning_codes", list: warnings) { _ in WarningCode.allCases }
    JSONField("variables", list: variables) { _ in VariableNames.more }
  }

  private static let exitCodes = JSONFields<ExitCode> {
    JSONField("code", as: .integer(0...255)) { Int($0.rawValue) }
    JSONField("name") { $0.name }
    JSONField("meaning") { $0.meaning }
  }

  private static let warnings = JSONFields<WarningCode> {
    JSONField("code") { $0.name }
    JSONField("level") { $0.level }
  }

  private static let variables = JSONFields<VariableNames.Variable> {
    JSONField("name") { $0.name }
    JSONField("prefix") { $0.isPrefix }
    JSONField("help") { $0.help }
  }
}

/// One command, as it stands in the list of all.
extension CommandSpec: JSONObjectWritable {
  static let fields = JSONFields<CommandSpec> {
    JSONField("name") { $0.name }
    JSONField("summary") { $0.summary }
    JSONField("arguments", list: argumentFields) { $0.shownArguments }
    JSONField("options", list: optionFields) { $0.options }
    JSONField("examples") { $0.examples }
    JSONField("result_keys") { $0.resultKeys }
    JSONField("schemas", as: .list(.names(SchemaName.allCases.map(\.rawValue)))) {
      SchemaName.names(of: $0).map(\.rawValue)
    }
  }

  private typealias Argument = (name: String, isOptional: Bool, isRepeatable: Bool)

  private var shownArguments: [Argument] {
    let last = arguments.count - 1
    let given: [Argument] = arguments.enumerated().map {
      ($1, $0 == last && isLastOptional, $0 == last && isLastRepeatable)
    }
    return commandExample == nil ? given : given + [("-- COMMAND", true, true)]
  }

  private static let argumentFields = JSONFields<Argument> {
    JSONField("name") { $0.name }
    JSONField("optional") { $0.isOptional }
    JSONField("repeatable") { $0.isRepeatable }
  }

  private static let optionFields = JSONFields<OptionRow> {
    JSONField("name") { $0.name }
    JSONField("short") { $0.short.map { String($0) } }
    JSONField("type") { $0.kind }
    JSONField("placeholder") { $0.placeholder }
    JSONField("default") { $0.defaultText }
    JSONField("values") { $0.values }
    JSONField("variable") { $0.hasVariable ? $0.variable : nil }
    JSONField("repeatable") { $0.isRepeatable }
    JSONField("help") { $0.help }
  }
}

extension ValueKind: JSONWritable {}
