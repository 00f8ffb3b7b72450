import SKANDevice
import SKANBase

/// What `skan import --json` prints.
enum ImportSchema {
  private static let text = JSONForm.text
  private static let count = JSONForm.count

  static var form: JSONForm {
    SchemaObject(
      "import",
      [
        ("mapping", text), ("rows", rows), ("filtered", .map(of: count)), ("rejected", .map(of: count)),
        ("rejected_rows", .list(rejected.form)), ("time", time.form),
        ("devices", .each(of: ["all", "from_beginning"], count)), ("device_columns", .map(of: count)),
        ("duplicates", count), ("later_installs", count), ("zero_amounts", count), ("currencies", .list(currency.form)),
        ("events", .list(SchemaObject("event", [("name", text), ("rows", count)]).form)),
        ("unsendable", .list(SchemaObject("event", [("name", text), ("warnings", .list(warning))]).form)),
        ("missing", JSONForm.list(SchemaObject("event", [("name", text), ("nearest", text.orNull)]).form).orNull),
        ("unused", JSONForm.list(text).orNull), ("samples", .list(text)), ("steps", count.orNull),
      ]
    ).form
  }

  private static let rows = JSONForm.each(
    of: [
      "read", "mapped", "filtered", "rejected", "repeated_headers", "installs", "sessions", "events", "revenues",
    ], count)

  private static let rejected = SchemaObject(
    "rejected row", [("file", text), ("line", .integer(1 ... .max)), ("reason", text), ("value", text.orNull)])

  private static let time = SchemaObject(
    "time", [("first", JSONForm.number.orNull), ("last", JSONForm.number.orNull), ("forms", .map(of: count))])

  private static let currency = SchemaObject("currency", [("currency", text), ("rows", count), ("has_rate", .bool)])

  private static let warning = JSONForm.names(WarningCode.allCases.map(\.name))
}
