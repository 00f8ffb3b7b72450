import SKANBase
import SKANRun

/// The object that a step answers with, and that of a step which was skipped.
enum ResultSchema {
  static var form: JSONForm { .anyOf([result, skipped]) }

  private static var result: JSONForm {
    guard case .object(let known) = ResultShape.result(more: PostbackView.keys) else { return .any }
    let members = known.filter { $0.key != "query" }
    let optional = ["file", "line", "endpoint_explanation", "expectations", "postbacks"] + PostbackView.keys
    return .object(
      members.map { ($0.key, form(of: $0.shape, key: $0.key)) },
      required: members.map(\.key).filter { !optional.contains($0) }, others: nil)
  }

  /// What `skan replay --json` prints of a step that does not run.
  private static var skipped: JSONForm {
    let keys = ["device", "explanation", "file", "label", "line", "op"]
    return .object(
      keys.map { ($0, values[$0] ?? .any) } + [("outcome", .names(["skipped"]))], required: keys + ["outcome"],
      others: nil)
  }

  /// What stands at a path, null apart.
  private static func form(of shape: ResultShape, key: String) -> JSONForm {
    let form: JSONForm =
      switch shape {
      case .anything: .any
      case .single: values[key] ?? .anyOf([.text, .number, .bool])
      case .name(let names): .names(names)
      case .number(let range): .integer(range)
      case .object(let members):
        .object(members.map { ($0.key, Self.form(of: $0.shape, key: $0.key)) }, required: [], others: nil)
      case .list(let item): .list(Self.form(of: item, key: key))
      }
    if case .any = form { return form }
    return never.contains(key) ? form : form.orNull
  }

  /// Keys that are never null.
  private static let never: Set = [
    "at", "ended_at", "explanation", "op", "outcome", "window", "framework", "warnings", "device", "lock_held", "code",
    "level",
    "message", "path", "ok", "call",
  ]

  /// Of single values those whose type does not depend on an answer; all others are texts, numbers or truth values.
  static let values: [String: JSONForm] = [
    "at": .number, "ended_at": .number, "explanation": .text, "endpoint_explanation": .text, "device": .text,
    "file": .text,
    "label": JSONForm.text.orNull, "line": .integer(1 ... .max), "answered_by": .text, "lock_held": .bool, "url": .text,
    "message": .text, "path": .text, "ok": .bool, "says": .text, "why": .text, "reason": .text, "text": .text,
    "base64": .text, "status": .integer(0...999), "op": .names(ListFormat.operations.map(\.name)),
    "prepared_at": .number, "earliest": .number, "latest": .number, "sends_at": .number, "first_launch": .number,
    "first_update": .number, "latest_call": .number, "installed": .number, "timer_start": .number, "locked_at": .number,
    "updated": .bool, "fine_only": .bool,
  ]
}
