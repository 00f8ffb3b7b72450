import SKANDevice
import SKANBase

/// A report and its tables as one JSON object.
package struct ShownPostbackReport: JSONObjectWritable {
  fileprivate let report: PostbackReport
  fileprivate let date: ReportDate
  fileprivate let dimensions: [ReportDimension]
  fileprivate let tables: [ReportTable]

  package init(_ report: PostbackReport, by date: ReportDate, grouping dimensions: [ReportDimension]) {
    (self.report, self.date, self.dimensions) = (report, date, dimensions)
    tables = report.tables(by: date, grouping: dimensions)
  }

  package static let fields = JSONFields<ShownPostbackReport> {
    JSONField("received") { $0.report.received }
    JSONField("from") { shown in shown.report.span.map { "\($0.lowerBound)" } }
    JSONField("to") { shown in shown.report.span.map { "\($0.upperBound)" } }
    JSONField("by") { $0.date }
    JSONField("group") { $0.dimensions }
    JSONField(optional: "not_signed") { shown in
      let dimensions = shown.dimensions.filter(shown.report.isUnsigned)
      return dimensions.isEmpty ? nil : dimensions
    }
    JSONField(optional: "development_not_counted") { shown in
      shown.report.uncountedDevelopment > 0 ? shown.report.uncountedDevelopment : nil
    }
    ReportTable.Kind.allCases.map { kind in
      // A kind without postbacks is null.
      JSONField<ShownPostbackReport>(kind.rawValue, as: ReportTable.fields(of: kind).form.orNull) { shown, writer in
        guard let table = shown.tables.first(where: { $0.kind == kind }) else { return writer.null() }
        ReportTable.fields(of: kind).write((table, shown.dimensions), to: &writer)
      }
    }
  }
}

extension ReportDate: JSONWritable {}

extension ReportDimension: JSONWritable {}

extension ReportTable {
  fileprivate typealias Shown = (table: ReportTable, dimensions: [ReportDimension])

  fileprivate static func fields(of kind: Kind) -> JSONFields<Shown> { kind == .unverified ? unverified : counted }

  private static let counted = fields(ReportCounts.fields)
  private static let unverified = fields(ReportCounts.unverifiedFields)

  private static func fields(_ counts: JSONFields<ReportCounts>) -> JSONFields<Shown> {
    let row = JSONFields<(row: Row, dimensions: [ReportDimension])> {
      JSONField(
        "group", as: .each(of: ReportDimension.allCases.map(\.rawValue), String?.jsonForm, isComplete: false)
      ) { shown -> [String: String?] in
        let names = zip(shown.dimensions, shown.row.group).map { ($0.rawValue, $1.isEmpty ? nil : $1) }
        return Dictionary(uniqueKeysWithValues: names)
      }
      counts.rows.map { $0.of { $0.row.counts } }
    }
    return JSONFields {
      JSONField("total", object: counts) { $0.table.total }
      JSONField("groups", list: row) { shown in shown.table.rows.map { ($0, shown.dimensions) } }
    }
  }

  /// The keys of the counts in a table of this kind.
  static func keys(of kind: Kind) -> [String] {
    (kind == .unverified ? ReportCounts.unverifiedFields : ReportCounts.fields).names
  }
}

extension ReportCounts {
  fileprivate static let unverifiedFields = JSONFields<ReportCounts> {
    JSONField("invalid") { $0.invalid }
    JSONField("not_checked") { $0.notChecked }
  }

  fileprivate static let fields = JSONFields<ReportCounts> {
    JSONField("postbacks") { $0.postbacks }
    JSONField("installs") { $0.installs }
    JSONField("installs_with_value") { $0.installsWithValue }
    JSONField("redownloads") { $0.redownloads }
    JSONField(optional: "re_engagements") { $0.reEngagements > 0 ? $0.reEngagements : nil }
    JSONField("not_won") { $0.notWon }
    JSONField("without_value") { $0.withoutValue }
    JSONField("odd_values") { $0.oddValues }
    JSONField("decoded") { $0.decoded }
    JSONField("undecoded") { $0.undecoded }
    JSONField("without_model") { $0.withoutModel }
    JSONField("duplicates") { $0.duplicates }
    JSONField("conflicts") { $0.conflicts }
    JSONField("share_without_value") { $0.shareWithoutValue }
    JSONField("windows") { counts in PerWindow { counts.windows[$0.rawValue] } }
    JSONField("fine_values", list: fineFields) { $0.fine.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }
    JSONField("coarse_values", as: .each(of: ConversionWindow.allCases.map(\.key), coarseForm)) { counts in
      PerWindow { window in
        let values = CoarseValue.allCases.map { ($0.rawValue, counts.coarse[window.rawValue][$0.index]) }
        return Dictionary(uniqueKeysWithValues: values)
      }
    }
    JSONField("revenue", list: revenueFields) { $0.sortedRevenue }
    JSONField("events", list: eventFields) { $0.sortedEvents }
    JSONField(optional: "contradictions") { counts in
      counts.contradictions.isEmpty ? nil : counts.sortedContradictions.map(ShownContradiction.init)
    }
  }

  /// A contradiction of Apple's pages or of the campaign map, and the number of postbacks that have it.
  private struct ShownContradiction: JSONObjectWritable {
    let code: PostbackFinding.Code
    let postbacks: Int

    init(_ entry: (code: PostbackFinding.Code, postbacks: Int)) { (code, postbacks) = entry }

    static let fields = JSONFields<ShownContradiction> {
      JSONField("code") { $0.code.rawValue }
      JSONField("postbacks") { $0.postbacks }
    }
  }

  private static let coarseForm = JSONForm.each(of: CoarseValue.allCases.map(\.rawValue), .count)

  private static let fineFields = JSONFields<(value: Int, postbacks: Int)> {
    JSONField("value", as: .integer(0...63)) { $0.value }
    JSONField("postbacks") { $0.postbacks }
  }

  private static let revenueFields = JSONFields<(currency: String, sum: RevenueSum)> {
    JSONField("currency") { $0.currency }
    JSONField("postbacks") { $0.sum.postbacks }
    JSONField("min") { $0.sum.min.units }
    JSONField("below") { $0.sum.openEnded == $0.sum.postbacks ? nil : $0.sum.below.units }
    JSONField("open_ended") { $0.sum.openEnded }
  }

  private static let eventFields = JSONFields<(name: String, sum: EventSum)> {
    JSONField("event") { $0.name }
    JSONField("postbacks") { $0.sum.postbacks }
    JSONField("count_min", as: .count) { $0.sum.least }
    JSONField("count_max", as: JSONForm.count.orNull) { $0.sum.most == 0 ? nil : $0.sum.most }
    JSONField("open_ended") { $0.sum.openEnded }
  }

  /// The events as a JSON array on one line.
  var eventsText: String {
    var writer = JSONWriter()
    writer.array(sortedEvents, Self.eventFields.write)
    return writer.string
  }

  /// The contradictions in the order of their codes.
  var sortedContradictions: [(code: PostbackFinding.Code, postbacks: Int)] {
    PostbackFinding.Code.allCases.compactMap { code in contradictions[code].map { (code, $0) } }
  }

  /// The revenue in order of currency.
  package var sortedRevenue: [(currency: String, sum: RevenueSum)] {
    revenue.sorted { $0.key.literallyPrecedes($1.key) }.map { ($0.key, $0.value) }
  }

  /// The events in order of name.
  package var sortedEvents: [(name: String, sum: EventSum)] {
    events.sorted { $0.key.literallyPrecedes($1.key) }.map { ($0.key, $0.value) }
  }
}
