import SKANBase
import SKANDevice

/// The report as one JSON object with sorted keys and one step on each line; see the manual, "Reports". It contains no
/// times, so that equal runs give equal bytes.
struct JSONReport: ReportWriter {
  /// Increased by changes that would break a reader of an earlier format.
  private static let format: Int64 = 1

  private let report: ReplayReport
  private var bytes: [UInt8] = []
  /// Whether a list, or a step of the current list, was written.
  private var (hasLists, hasSteps) = (false, false)

  init(of report: ReplayReport) { self.report = report }

  var size: Int { bytes.count }

  mutating func takeBytes() -> [UInt8] { bytes.takeAll() }

  mutating func begin() { bytes += "{\"files\":[".utf8 }

  mutating func begin(_ list: ListRecord) {
    bytes += (hasLists ? ",\n" : "\n").utf8
    (hasLists, hasSteps) = (true, false)
    bytes += "{\"cases\":[".utf8
  }

  mutating func add(_ step: StepRecord) {
    bytes += (hasSteps ? ",\n" : "\n").utf8
    hasSteps = true
    JSONWriter.write(step, into: &bytes)
  }

  mutating func end(_ list: ListRecord) {
    bytes += "],".utf8
    bytes += Self.endOfList.text((report, list)).utf8.dropFirst()
  }

  mutating func end() {
    bytes += "],\"format\":\(Self.format),\"summary\":".utf8
    bytes += Self.summary.text(report).utf8
    if let matrix = report.matrix { bytes += ",\"matrix\":\(JSONWriter.text(matrix))".utf8 }
    bytes += "}\n".utf8
  }

  private static let counts = JSONFields<ReplayCounts> {
    JSONField("endpoint_failures") { $0.endpointFailures }
    JSONField("expectations") { $0.expectations }
    JSONField(optional: "expectations_elsewhere") { $0.elsewhere > 0 ? $0.elsewhere : nil }
    JSONField("failures") { $0.failures }
    JSONField("findings") { $0.findings }
    JSONField("skipped") { $0.skipped }
    JSONField("steps") { $0.steps }
  }

  private static let summary = JSONFields<ReplayReport> {
    JSONField("files") { $0.lists.count }
    JSONField("passed") { $0.hasPassed }
    JSONField("problems") { $0.lists.reduce(0) { $0 + $1.problems.count } }
    JSONField("stopped") { $0.stopText }
    counts.rows.map { $0.of(\.counts) }
  }

  /// The members after the steps of a list.
  private static let endOfList = JSONFields<(report: ReplayReport, list: ListRecord)> {
    JSONField("file") { $0.list.file }
    JSONField("problems") { shown in shown.list.problems.map(\.text) }
    counts.rows.map { $0.of(\.list.steps.counts) }
  }

  /// The form of the whole file.
  static var form: JSONForm {
    let rest: [(key: String, form: JSONForm)] = endOfList.rows.map { ($0.name, $0.form) }
    let list = JSONForm.object(
      [("cases", .list(StepRecord.jsonForm))] + rest,
      required: ["cases"] + endOfList.rows.filter(\.isRequired).map(\.name), others: nil)
    return .object(
      [
        ("files", .list(list)), ("format", .integer(1...format)), ("summary", summary.form),
        ("matrix", MatrixComparison.jsonForm),
      ],
      required: ["files", "format", "summary"], others: nil)
  }
}

extension StepRecord: JSONObjectWritable {
  package static let fields = JSONFields<StepRecord> {
    JSONField("device") { $0.device }
    JSONField(optional: "endpoint_failure") { $0.fault?.reason }
    JSONField(optional: "exchanges") { $0.exchanges.isEmpty ? nil : $0.exchanges }
    JSONField("expectations") { $0.expectations }
    JSONField("explanation") { $0.explanation }
    JSONField("failures", list: failureFields) { $0.failures }
    JSONField("file") { $0.file }
    JSONField("findings", list: findingFields) { $0.findings }
    JSONField("label") { $0.label }
    JSONField("line", as: .integer(1 ... .max)) { $0.line }
    JSONField("name") { $0.name }
    JSONField("op", as: .names(OperationSpec.names)) { $0.op }
    JSONField("outcome", as: .names(Outcome.allCases.map(\.name) + [SkippedStep.outcome])) { $0.outcomeName }
    JSONField("skip") { $0.skip }
  }

  private static let failureFields = JSONFields<Expectation.Verdict> {
    JSONField("actual") { $0.actual }
    JSONField("expected") { $0.expected }
    JSONField("path") { $0.path }
  }

  static let findingFields = JSONFields<Finding> {
    JSONField("code") { $0.code }
    JSONField("message") { $0.message }
  }
}

extension StepRecord.Exchange: JSONObjectWritable {
  package static let fields = JSONFields<StepRecord.Exchange> {
    JSONField("answer", as: .anyOf([answerFields.form, errorFields.form])) {
      ($0.status == nil ? errorFields : answerFields).write($0, to: &$1)
    }
    JSONField("request", object: requestFields) { $0 }
  }

  private static let answerFields = JSONFields<StepRecord.Exchange> {
    JSONField("body") { $0.text }
    JSONField("content_type") { $0.contentType }
    JSONField("size") { $0.size }
    JSONField("status", as: .integer(100...999)) { $0.status ?? 0 }
  }

  private static let errorFields = JSONFields<StepRecord.Exchange> { JSONField("error") { $0.text } }

  private static let requestFields = JSONFields<StepRecord.Exchange> {
    JSONField("body") { $0.sent }
    JSONField("method") { $0.method }
    JSONField("url") { $0.url }
  }
}
