import SKANBacktest
import SKANBase
import SKANCommandLine
import SKANDevice

/// The report on an export as text.
enum ImportReportText {
  /// The maximum number of names of a kind to print.
  private static let mostNames = 20

  static func lines(_ report: ImportReport) -> [StyledText] {
    var rows: [[String]] = []
    func add(_ name: String, _ texts: [String]) {
      for (index, text) in texts.enumerated() { rows.append([index == 0 ? name : "", text]) }
    }
    add("mapping", [report.title])
    add("first rows", report.samples)
    add("rows", [self.rows(report)])
    add("not found", report.unrecognized)
    add("filtered", report.filtered.map { "\($0.count): \($0.reason)" })
    add(
      "rejected",
      report.rejected.map { "\($0.count): \($0.reason.message)\(place($0.reason, report))" } + report.tally.timeHints)
    add("time", [time(report)].compactMap(\.self))
    if report.tally.unreadInstalls > 0 {
      add("install times", ["\(report.tally.unreadInstalls) cannot be read, as if the rows had none"])
    }
    add("devices", devices(report))
    add(
      "not read",
      report.unread.systems.map { systems in
        let rows = systems.rows.map { "\($0.name) in \($0.rows.counted("row"))" }
        return
          "\(JSONWriter.quoted(systems.column)) names systems: \(list(rows).joined(separator: ", ")); \"where\" in a "
          + "mapping file leaves rows out"
      })
    add("currencies", report.revenue.map { "\($0.currency): \($0.rows.counted("row"))\(rate($0))" })
    if report.tally.zeroAmounts > 0 { add("amounts of 0", ["\(report.tally.zeroAmounts), which are no revenue"]) }
    let events = report.eventNames
    add("events", list(events.map { "\(JSONWriter.quoted($0.name)): \($0.count)" }))
    add("cannot be sent", list(report.unsendable.map { "\(JSONWriter.quoted($0.name)): \(reasons($0.warnings))" }))
    if let missing = report.missing {
      let texts = missing.map { name, near in
        "\(JSONWriter.quoted(name))\(near.map { "; did you mean \(JSONWriter.quoted($0))?" } ?? "")"
      }
      add("only in the model", texts.isEmpty ? ["none"] : list(texts))
    }
    if let unused = report.unused, !unused.isEmpty {
      add("only in the export", list(unused.map { JSONWriter.quoted($0) }))
    }
    return TextTable.styled(rows)
  }

  /// A short form of the report, printed beside a list.
  static func summary(_ report: ImportReport) -> [String] {
    var lines = [rows(report)]
    lines += report.filtered.map { "filtered \($0.count): \($0.reason)" }
    lines += report.rejected.map { "rejected \($0.count): \($0.reason.message)\(place($0.reason, report))" }
    if let time = time(report) { lines.append("time \(time)") }
    lines += devices(report)
    if let steps = report.steps { lines.append("\(steps) steps written") }
    return lines
  }

  private static func rows(_ report: ImportReport) -> String {
    let tally = report.tally
    let kinds = zip(["install", "session", "event", "revenue alone"], tally.mapped).filter { $1 > 0 }
    let mapped = kinds.isEmpty ? "" : " (\(kinds.map { "\($0): \($1)" }.joined(separator: ", ")))"
    return "\(tally.rows) read, \(tally.mappedRows) mapped\(mapped), \(tally.filteredRows) filtered, "
      + "\(tally.rejectedRows) rejected"
  }

  private static func place(_ reason: ImportRejection, _ report: ImportReport) -> String {
    guard let first = report.tally.places.first(where: { $0.reason == reason }) else { return "" }
    return " (first at \(first.file):\(first.line))"
  }

  private static func rate(_ revenue: ImportReport.Revenue) -> String {
    let gaps = revenue.gaps ?? []
    if gaps.isEmpty { return revenue.hasRate ? "" : ", no rate" }
    let texts = list(gaps.map { "\($0.rows) \($0.days)" })
    return ", \(gaps.reduce(0) { $0 + $1.rows }) without a rate: \(texts.joined(separator: ", "))"
  }

  private static func time(_ report: ImportReport) -> String? {
    guard let first = report.tally.first, let last = report.tally.last else { return nil }
    let forms = report.timeForms
    let text =
      forms.count == 1 ? forms[0].form.text : forms.map { "\($0.form.text): \($0.count)" }.joined(separator: ", ")
    return "\(first) to \(last) (\(text))"
  }

  private static func devices(_ report: ImportReport) -> [String] {
    guard report.devices > 0 else { return ["no device"] }
    let share = (Double(report.begun) / Double(report.devices) * 1000).rounded() / 10
    let unknown = report.devices - report.begun
    var lines = [
      "\(report.devices) device\(report.devices == 1 ? "" : "s"), \(report.begun) with their beginning (\(share.jsonText)%)"
    ]
    if unknown > 0 {
      lines.append("\(unknown) without it, registered at the first row: their windows are not the real ones")
    }
    if report.devicesByColumn.count > 1 {
      let columns = report.devicesByColumn.map { "\($0.column) in \($0.count) row\($0.count == 1 ? "" : "s")" }.joined(
        separator: ", ")
      lines.append("identifiers of several kinds, so that one device may count as two: \(columns)")
    }
    if !report.blanks.isEmpty {
      let texts = report.blanks.map { "\(JSONWriter.quoted($0.text)) in \($0.count.counted("row"))" }
      lines.append("texts that mean no identifier: \(texts.joined(separator: ", "))")
    }
    if report.duplicates > 0 {
      lines.append("\(report.duplicates) duplicate row\(report.duplicates == 1 ? "" : "s") left out")
    }
    if report.beforeBeginning > 0 {
      lines.append("\(report.beforeBeginning.counted("row")) before the beginning of the device, left out")
    }
    if report.laterInstalls > 0 {
      lines.append(
        "\(report.laterInstalls) install\(report.laterInstalls == 1 ? "" : "s") of a device that was there before, left out"
      )
    }
    return lines
  }

  private static func reasons(_ warnings: [Warning]) -> String { warnings.map(\.code).joined(separator: ", ") }

  private static func list(_ texts: [String]) -> [String] {
    texts.count > mostNames ? texts.prefix(mostNames) + ["and \(texts.count - mostNames) more"] : texts
  }
}
