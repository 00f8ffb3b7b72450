import SKANDevice
import SKANBase
import SKANRun

/// The table of the command line for programs, as `skan help --json` prints it (the manual, "Commands and options").
enum HelpTable {
  /// Commands with their options, exit codes, the keys of a step's result, the codes of its warnings, and the variables
  /// that stand for no option.
  static var all: JSON {
    .object([
      ("version", .string(CommandLineTool.version)), ("commands", .array(CommandLineTool.commands.map(command))),
      ("exit_codes", .array(ExitCode.allCases.map(exitCode))), ("result_keys", texts(StepResult.keys)),
      ("warning_codes", .array(WarningCode.allCases.map(warningCode))),
      ("variables", .array(VariableNames.more.map(variable))),
    ])
  }

  /// One command, as it stands in the list of all.
  static func command(_ spec: CommandSpec) -> JSON {
    let last = spec.arguments.count - 1
    var arguments = spec.arguments.enumerated().map { index, name in
      argument(
        name, isOptional: index == last && spec.isLastOptional, isRepeatable: index == last && spec.isLastRepeatable)
    }
    if spec.commandExample != nil { arguments.append(argument("-- COMMAND", isOptional: true, isRepeatable: true)) }
    return .object([
      ("name", .string(spec.name)), ("summary", .string(spec.summary)), ("arguments", .array(arguments)),
      ("options", .array(spec.options.map(option))), ("examples", texts(spec.examples)),
      ("result_keys", texts(spec.resultKeys)), ("schemas", texts(SchemaName.names(of: spec).map(\.rawValue))),
    ])
  }

  private static func argument(_ name: String, isOptional: Bool, isRepeatable: Bool) -> JSON {
    .object([("name", .string(name)), ("optional", .bool(isOptional)), ("repeatable", .bool(isRepeatable))])
  }

  private static func option(_ row: OptionRow) -> JSON {
    .object([
      ("name", .string(row.name)), ("short", .optional(row.short.map { String($0) })),
      ("type", .string(row.kind.rawValue)), ("placeholder", .optional(row.placeholder)),
      ("default", .optional(row.defaultText)), ("values", texts(row.values)),
      ("variable", .optional(row.hasVariable ? row.variable : nil)), ("repeatable", .bool(row.isRepeatable)),
      ("help", .string(row.help)),
    ])
  }

  private static func exitCode(_ code: ExitCode) -> JSON {
    .object([
      ("code", .integer(Int64(code.rawValue))), ("name", .string(code.name)), ("meaning", .string(code.meaning)),
    ])
  }

  private static func warningCode(_ code: WarningCode) -> JSON {
    .object([("code", .string(code.name)), ("level", .string(code.level.rawValue))])
  }

  private static func variable(_ variable: VariableNames.Variable) -> JSON {
    .object([
      ("name", .string(variable.name)), ("prefix", .bool(variable.isPrefix)), ("help", .string(variable.help)),
    ])
  }

  private static func texts(_ texts: [String]) -> JSON { .array(texts.map(JSON.string)) }
}
