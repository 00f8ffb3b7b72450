import SKANBase
import SKANRun

/// Requests: that of `--dry-run`, and those of the journal of `skan serve`.
enum RequestSchema {
  private static let text = JSONForm.text
  private static let parameters = JSONForm.map(of: JSONForm.text.orNull)

  /// The request of a step, that of the app's server, or null where none would go out.
  static var dryRun: JSONForm { .anyOf([ShownRequest.jsonForm, ForwardedCall.requestFields.form, .null]) }

  /// A line of the journal.
  static var journal: JSONForm {
    let finding = JSONForm.each(of: ["level", "message", "rule"], text)
    return SchemaObject(
      "journal",
      [
        ("answer", text), ("at", .number), ("body", text.orNull), ("explanation", text), ("findings", .list(finding)),
        ("method", text.orNull), ("path", text.orNull), ("query", parameters.orNull), ("status", .integer(100...999)),
      ], optional: ["body", "findings"]
    ).form
  }
}
