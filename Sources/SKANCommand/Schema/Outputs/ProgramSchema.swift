import SKANDevice
import SKANBase

/// What `skan config`, `doctor`, `explain` and `help` print with `--json`.
enum ProgramSchema {
  private static let text = JSONForm.text
  private static let texts = JSONForm.list(.text)

  static var config: JSONForm {
    let setting = SchemaObject(
      "setting",
      [
        ("name", text), ("value", .anyOf([.text, .bool, texts, .null])),
        ("source", .names(Setting.Source.allCases.map(\.rawValue))), ("from", text.orNull),
      ])
    return SchemaObject("config", [("project", text.orNull), ("settings", .list(setting.form))]).form
  }

  static var doctor: JSONForm {
    let check = SchemaObject(
      "check",
      [
        ("check", text), ("status", .names(DoctorFinding.Status.allCases.map(\.rawValue))), ("message", text),
        ("evidence", .names(DoctorFinding.Evidence.allCases.map(\.rawValue))),
      ])
    return SchemaObject("doctor", [("ok", .bool), ("checks", .list(check.form))]).form
  }

  /// An object a code.
  static var explanation: JSONForm {
    let guide = SchemaObject("guide", [("title", text), ("lines", texts)])
    return SchemaObject(
      "code",
      [
        ("code", text), ("kind", .names(CodeKind.allCases.map(\.rawValue))), ("role", text), ("summary", text),
        ("phone", text), ("cause", text), ("guide", guide.form.orNull), ("command", text.orNull), ("remedy", text),
        ("sources", texts),
      ]
    ).form
  }

  /// All commands, or one.
  static var help: JSONForm {
    let exitCode = SchemaObject("exit code", [("code", .integer(0...255)), ("name", text), ("meaning", text)])
    let levels = JSONForm.names(Warning.Level.allCases.map(\.rawValue))
    let warning = SchemaObject("warning", [("code", text), ("level", levels)])
    let variable = SchemaObject("variable", [("name", text), ("prefix", .bool), ("help", text)])
    let all = SchemaObject(
      "table",
      [
        ("version", text), ("commands", .list(command)), ("exit_codes", .list(exitCode.form)),
        ("result_keys", texts), ("warning_codes", .list(warning.form)), ("variables", .list(variable.form)),
      ])
    return .anyOf([all.form, command])
  }

  private static var command: JSONForm {
    let argument = SchemaObject("argument", [("name", text), ("optional", .bool), ("repeatable", .bool)])
    let option = SchemaObject(
      "option",
      [
        ("name", text), ("short", text.orNull), ("type", .names(ValueKind.allCases.map(\.rawValue))),
        ("placeholder", text.orNull), ("default", text.orNull), ("values", texts), ("variable", text.orNull),
        ("repeatable", .bool), ("help", text),
      ])
    return SchemaObject(
      "command",
      [
        ("name", text), ("summary", text), ("arguments", .list(argument.form)), ("options", .list(option.form)),
        ("examples", texts), ("result_keys", texts), ("schemas", .list(.names(SchemaName.allCases.map(\.rawValue)))),
      ]
    ).form
  }
}
