import SKANDevice
import SKANBase
import SKANReceive

/// What `skan report --json` prints, and what `skan receiver-test --expected` writes.
enum ReportSchema {
  private static let text = JSONForm.text
  private static let count = JSONForm.count

  static var form: JSONForm {
    let tables = ReportTable.Kind.allCases.map { kind in
      (key: kind.rawValue, form: table(kind == .unverified ? unverified : counts).orNull)
    }
    return SchemaObject(
      "report",
      [
        ("received", count), ("from", text.orNull), ("to", text.orNull),
        ("by", .names(ReportDate.allCases.map(\.rawValue))),
        ("group", .list(.names(ReportDimension.allCases.map(\.rawValue)))),
      ] + tables
    ).form
  }

  private static func table(_ counts: [(key: String, form: JSONForm)]) -> JSONForm {
    let group = JSONForm.each(of: ReportDimension.allCases.map(\.rawValue), text.orNull, isComplete: false)
    return SchemaObject(
      "table",
      [
        ("total", SchemaObject("total", counts).form),
        ("groups", .list(SchemaObject("group", [("group", group)] + counts).form)),
      ]
    ).form
  }

  private static let unverified = [(key: "invalid", form: count), (key: "not_checked", form: count)]

  private static var counts: [(key: String, form: JSONForm)] {
    let windows = ConversionWindow.allCases.map(\.key)
    let coarse = JSONForm.each(of: CoarseValue.allCases.map(\.rawValue), count)
    let numbers = [
      "postbacks", "installs", "installs_with_value", "redownloads", "not_won", "without_value", "odd_values",
      "decoded", "undecoded", "without_model", "duplicates", "conflicts",
    ]
    let fine = SchemaObject("fine value", [("value", .integer(0...63)), ("postbacks", count)])
    let revenue = SchemaObject(
      "revenue",
      [
        ("currency", text), ("postbacks", count), ("min", .number), ("below", JSONForm.number.orNull),
        ("open_ended", count),
      ])
    let event = SchemaObject(
      "event",
      [
        ("event", text), ("postbacks", count), ("count_min", count), ("count_max", count.orNull),
        ("open_ended", count),
      ])
    return numbers.map { ($0, count) } + [
      ("share_without_value", JSONForm.number.orNull), ("windows", .each(of: windows, count)),
      ("fine_values", .list(fine.form)), ("coarse_values", .each(of: windows, coarse)),
      ("revenue", .list(revenue.form)), ("events", .list(event.form)),
    ]
  }
}
