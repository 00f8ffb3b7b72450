import SKANDevice
import SKANBase
import SKANRun

/// What `skan replay` prints beside results.
enum ReplaySchema {
  private static let text = JSONForm.text
  private static let count = JSONForm.count
  private static let outcomes = Outcome.allCases.map(\.name)

  /// Of `--summary --json`.
  static var summary: JSONForm {
    let coarse = JSONForm.each(of: ["none"] + CoarseValue.allCases.map(\.rawValue), count)
    let postback = SchemaObject(
      "postbacks that are alike",
      [
        ("count", count), ("state", .names(Postback.State.allCases.map(\.rawValue))), ("value", text.orNull),
        ("window", .integer(0...2)),
      ])
    return SchemaObject(
      "summary",
      [
        ("coarse", .list(coarse)), ("endpoint_failures", count), ("errors", .list(error.form)),
        ("errors_of_other_texts", count),
        ("expectations", count), ("failures", count), ("failures_alike", .list(failures.form)),
        ("failures_of_other_kinds", count), ("files", count), ("findings", count),
        ("findings_by_code", .each(of: WarningCode.allCases.map(\.name), count, isComplete: false)),
        ("fine", .each(of: ["none"] + (0...63).map { "\($0)" }, count, isComplete: false)), ("format", .integer(1...1)),
        ("outcomes", .each(of: outcomes, count, isComplete: false)), ("phones", count),
        ("postbacks", .list(postback.form)), ("skipped", count), ("steps", count), ("unfinished", count),
        ("updates", count), ("updates_succeeded", count),
      ]
    ).form
  }

  private static let error = SchemaObject(
    "errors that are alike", [("count", count), ("outcome", .names(outcomes)), ("text", text)])

  private static let failures = SchemaObject(
    "failures that are alike",
    [
      ("count", count), ("first", text), ("more_phones", count), ("more_phones_is_exact", .bool),
      ("phones", .list(.each(of: ["device", "file"], text))), ("text", text),
    ])

  /// Of `--report-json FILE`.
  static var report: JSONForm {
    let counts = ["endpoint_failures", "expectations", "failures", "findings", "skipped", "steps"].map {
      (key: $0, form: count)
    }
    let list = SchemaObject(
      "list", [("cases", .list(step.form)), ("file", text), ("problems", .list(text))] + counts)
    let summary = SchemaObject(
      "summary", [("files", count), ("passed", .bool), ("problems", count), ("stopped", text.orNull)] + counts)
    return SchemaObject(
      "report", [("files", .list(list.form)), ("format", .integer(1...1)), ("summary", summary.form)]
    ).form
  }

  private static var step: SchemaObject {
    let failure = SchemaObject("failure", [("actual", .any), ("expected", .any), ("path", text)])
    return SchemaObject(
      "step",
      [
        ("device", text), ("endpoint_failure", text), ("exchanges", .list(exchange.form)), ("expectations", count),
        ("explanation", text), ("failures", .list(failure.form)),
        ("file", text), ("findings", .list(.each(of: ["code", "message"], text))), ("label", text.orNull),
        ("line", .integer(1 ... .max)), ("name", text), ("op", .names(ListFormat.operations.map(\.name))),
        ("outcome", .names(outcomes + ["skipped"])), ("skip", text.orNull),
      ], optional: ["endpoint_failure", "exchanges"])
  }

  private static var exchange: SchemaObject {
    let answer = SchemaObject(
      "answer", [("body", text), ("content_type", text.orNull), ("size", count), ("status", .integer(100...999))])
    let failure = SchemaObject("failure of the transport", [("error", text)])
    let request = SchemaObject("request", [("body", text.orNull), ("method", text), ("url", text)])
    return SchemaObject("exchange", [("answer", .anyOf([answer.form, failure.form])), ("request", request.form)])
  }
}
