import SKANBase
import SKANReceive
import SKANSigning

/// The postbacks that came since the server started, for the live page: the last ones, and the totals of all.
package final class PagePostbacks {
  /// The most that are kept one by one.
  static let most = 500

  private var records: [ReceivedRecord] = []
  private var report: PostbackReport
  /// The postbacks that are not on the disk yet.
  private var uncommitted: [(record: ReceivedRecord, document: PostbackDocument)] = []
  /// The number of postbacks so far.
  var count: Int { report.received }

  package init(allowsDevelopment: Bool) { report = PostbackReport(allowsDevelopment: allowsDevelopment) }

  package func add(_ record: ReceivedRecord, _ document: PostbackDocument) { uncommitted.append((record, document)) }

  /// Shows the added postbacks, or forgets them if they could not be kept.
  package func settle(isKept: Bool) {
    if isKept {
      for (record, document) in uncommitted { report.add(record, document) }
      records += uncommitted.map(\.record)
      records.removeFirst(max(0, records.count - Self.most))
    }
    uncommitted.removeAll(keepingCapacity: true)
  }

  /// What `/page/postbacks` answers.
  package struct Shown: JSONObjectWritable {
    /// The lines of the records, without line ends.
    fileprivate let records: [String]
    fileprivate let count: Int
    fileprivate let tables: [ReportTable]

    package static let fields = JSONFields<Shown> {
      JSONField("count", "how many came since the server started") { $0.count }
      JSONField("records", "the last of them, the oldest first, each as its line in the file of --postbacks") {
        $0.records
      }
      JSONField("totals", "a total for each kind of key, as in skan report", list: totalFields) { $0.tables }
    }

    private static let totalFields = JSONFields<ReportTable> {
      JSONField("conflicts", "other bodies of known transaction ids") { $0.total.conflicts }
      JSONField("duplicates", "equal copies") { $0.total.duplicates }
      JSONField("installs", "the first postbacks that won") { $0.total.installs }
      JSONField("invalid", "those whose signature is invalid") { $0.total.invalid }
      JSONField("key", "the kind of key", as: .names(ReportTable.Kind.allCases.map(\.rawValue))) { $0.kind.rawValue }
      JSONField("not_checked", "those whose signature was not checked") { $0.total.notChecked }
      JSONField("not_won", "those that did not win") { $0.total.notWon }
      JSONField("redownloads", "installs that are not the first") { $0.total.redownloads }
      JSONField("windows", "postbacks of each window") { $0.total.windows }
    }
  }

  /// - Parameter redactor: removes the SDK key from the records, as in the file of `--postbacks`.
  func shown(redactedBy redactor: Redactor) -> Shown {
    Shown(
      records: records.map { record in
        String(decoding: redactor.redacted(document: record.line, keepsNumbers: true).dropLast(), as: UTF8.self)
      }, count: count,
      tables: report.tables(by: .postbackDate, grouping: report.defaultDimensions))
  }
}
