import SKANDevice
import SKANBase

extension ImportReport {
  package var json: JSON {
    .object([
      ("mapping", .string(title)), ("rows", rows), ("filtered", counts(filtered.map { ($0.reason, $0.count) })),
      ("rejected", counts(rejected.map { ($0.reason.name, $0.count) })),
      ("rejected_rows", .array(tally.places.map(Self.json))), ("time", time),
      ("devices", .object([("all", number(devices)), ("from_beginning", number(begun))])),
      ("device_columns", counts(devicesByColumn.map { ($0.column, $0.count) })),
      ("duplicates", number(duplicates)), ("later_installs", number(laterInstalls)),
      ("zero_amounts", number(tally.zeroAmounts)),
      (
        "currencies",
        .array(
          revenue.map {
            .object([("currency", .string($0.currency)), ("rows", number($0.count)), ("has_rate", .bool($0.hasRate))])
          })
      ),
      ("events", .array(eventNames.map { .object([("name", .string($0.name)), ("rows", number($0.count))]) })),
      (
        "unsendable",
        .array(
          unsendable.map {
            .object([("name", .string($0.name)), ("warnings", .array($0.warnings.map { .string($0.code) }))])
          })
      ),
      (
        "missing",
        missing.map { names in
          .array(names.map { .object([("name", .string($0.name)), ("nearest", .optional($0.near))]) })
        } ?? .null
      ), ("unused", unused.map { .array($0.map(JSON.string)) } ?? .null), ("samples", .array(samples.map(JSON.string))),
      ("steps", steps.map(number) ?? .null),
    ])
  }

  private var rows: JSON {
    let kinds: [(ExportedRow.Kind, String)] = [
      (.install, "installs"), (.session, "sessions"), (.event, "events"), (.revenue, "revenues"),
    ]
    return .object(
      [
        ("read", number(tally.rows)), ("mapped", number(tally.mappedRows)), ("filtered", number(tally.filteredRows)),
        ("rejected", number(tally.rejectedRows)), ("repeated_headers", number(tally.repeatedHeaders)),
      ] + kinds.map { ($1, number(tally.mapped[Int($0.rawValue)])) })
  }

  private var time: JSON {
    .object([
      ("first", tally.first?.json ?? .null), ("last", tally.last?.json ?? .null),
      ("forms", counts(timeForms.map { ($0.form.text, $0.count) })),
    ])
  }

  private static func json(_ place: ImportTally.Rejected) -> JSON {
    .object([
      ("file", .string(place.file)), ("line", .integer(Int64(place.line))), ("reason", .string(place.reason.name)),
      ("value", .optional(place.value)),
    ])
  }

  private func number(_ count: Int) -> JSON { .integer(Int64(count)) }

  private func counts(_ counts: [(String, Int)]) -> JSON { .object(counts.map { ($0, number($1)) }) }
}
