import SKANDevice
import SKANBase

extension ImportReport: JSONObjectWritable {
  package static let fields = JSONFields<ImportReport> {
    JSONField("mapping") { $0.title }
    JSONField("rows", object: rowFields) { $0 }
    JSONField("filtered") { counts($0.filtered.map { ($0.reason, $0.count) }) }
    JSONField("rejected") { counts($0.rejected.map { ($0.reason.name, $0.count) }) }
    JSONField("rejected_rows", list: rejectedFields) { $0.tally.places }
    JSONField("time", object: timeFields) { $0 }
    JSONField("devices", as: .each(of: ["all", "from_beginning"], .count)) {
      ["all": $0.devices, "from_beginning": $0.begun]
    }
    JSONField("device_columns") { counts($0.devicesByColumn.map { ($0.column, $0.count) }) }
    JSONField("duplicates") { $0.duplicates }
    JSONField("later_installs") { $0.laterInstalls }
    JSONField("zero_amounts") { $0.tally.zeroAmounts }
    JSONField("currencies", list: currencyFields) { $0.revenue.map { ($0.currency, $0.count, $0.hasRate) } }
    JSONField("events", list: eventFields) { $0.eventNames.map { ($0.name, $0.count) } }
    JSONField("unsendable", list: unsendableFields) { $0.unsendable.map { ($0.name, $0.warnings.map(\.kind)) } }
    JSONField("missing", as: JSONForm.list(missingFields.form).orNull) { report, writer in
      guard let missing = report.missing else { return writer.null() }
      writer.array(missing.map { ($0.name, $0.near) }, missingFields.write)
    }
    JSONField("unused") { $0.unused }
    JSONField("samples") { $0.samples }
    JSONField("steps") { $0.steps }
  }

  private static let rowFields = JSONFields<ImportReport> {
    JSONField("read") { $0.tally.rows }
    JSONField("mapped") { $0.tally.mappedRows }
    JSONField("filtered") { $0.tally.filteredRows }
    JSONField("rejected") { $0.tally.rejectedRows }
    JSONField("repeated_headers") { $0.tally.repeatedHeaders }
    JSONField("installs") { $0.mapped(.install) }
    JSONField("sessions") { $0.mapped(.session) }
    JSONField("events") { $0.mapped(.event) }
    JSONField("revenues") { $0.mapped(.revenue) }
  }

  private func mapped(_ kind: ExportedRow.Kind) -> Int { tally.mapped[Int(kind.rawValue)] }

  private static let rejectedFields = JSONFields<ImportTally.Rejected> {
    JSONField("file") { $0.file }
    JSONField("line", as: .integer(1 ... .max)) { $0.line }
    JSONField("reason") { $0.reason.name }
    JSONField("value") { $0.value }
  }

  private static let timeFields = JSONFields<ImportReport> {
    JSONField("first") { $0.tally.first }
    JSONField("last") { $0.tally.last }
    JSONField("forms") { counts($0.timeForms.map { ($0.form.text, $0.count) }) }
  }

  private static let currencyFields = JSONFields<(currency: String, rows: Int, hasRate: Bool)> {
    JSONField("currency") { $0.currency }
    JSONField("rows") { $0.rows }
    JSONField("has_rate") { $0.hasRate }
  }

  private static let eventFields = JSONFields<(name: String, rows: Int)> {
    JSONField("name") { $0.name }
    JSONField("rows") { $0.rows }
  }

  private static let unsendableFields = JSONFields<(name: String, warnings: [WarningCode])> {
    JSONField("name") { $0.name }
    JSONField("warnings") { $0.warnings }
  }

  private static let missingFields = JSONFields<(name: String, nearest: String?)> {
    JSONField("name") { $0.name }
    JSONField("nearest") { $0.nearest }
  }

  private static func counts(_ counts: [(String, Int)]) -> [String: Int] { Dictionary(counts, uniquingKeysWith: +) }
}
