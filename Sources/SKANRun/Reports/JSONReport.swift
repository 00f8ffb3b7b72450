import SKANDevice
import SKANBase

/// The report as one JSON object, keys in their order, a step a line; see the manual, "Reports". It holds no times, so
/// that the same run gives the same bytes.
struct JSONReport: ReportWriter {
  /// Rises when a reader of an earlier one would go wrong.
  private static let format: Int64 = 1

  private let report: ReplayReport
  private var bytes: [UInt8] = []
  /// Whether something of the same kind stands before.
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

  mutating func add(_ step: ReportedStep) {
    bytes += (hasSteps ? ",\n" : "\n").utf8
    hasSteps = true
    JSONWriter.write(Self.json(step), into: &bytes)
  }

  mutating func end(_ list: ListRecord) {
    bytes += "],".utf8
    let members: [(String, JSON)] = [
      ("file", .string(report.redact(list.file))),
      ("problems", .array(list.problems.map { .string(report.redact($0.text)) })),
    ]
    let rest = JSONWriter.text(.object(members + Self.numbers(of: ReplayCounts([list]))))
    bytes += rest.utf8.dropFirst()
  }

  mutating func end() {
    bytes += "],\"format\":\(Self.format),\"summary\":".utf8
    JSONWriter.write(Self.summary(report), into: &bytes)
    bytes += "}\n".utf8
  }

  private static func summary(_ report: ReplayReport) -> JSON {
    let counts = ReplayCounts(report.lists)
    let members: [(String, JSON)] = [
      ("files", .integer(Int64(counts.lists))), ("passed", .bool(report.hasPassed)),
      ("problems", .integer(Int64(report.lists.reduce(0) { $0 + $1.problems.count }))),
      ("stopped", .optional(report.stopText)),
    ]
    return .object(members + numbers(of: counts))
  }

  private static func numbers(of counts: ReplayCounts) -> [(String, JSON)] {
    [
      ("endpoint_failures", counts.endpointFailures), ("expectations", counts.expectations),
      ("failures", counts.failures), ("findings", counts.findings),
      ("skipped", counts.skipped), ("steps", counts.steps),
    ].map { ($0.0, .integer(Int64($0.1))) }
  }

  private static func json(_ exchange: StepRecord.Exchange) -> JSON {
    let answer: JSON =
      exchange.status.map {
        .object([
          ("body", .string(exchange.text)), ("content_type", .optional(exchange.contentType)),
          ("size", .integer(Int64(exchange.size))), ("status", .integer(Int64($0))),
        ])
      } ?? .object([("error", .string(exchange.text))])
    let request: JSON = .object([
      ("body", .optional(exchange.sent)), ("method", .string(exchange.method)), ("url", .string(exchange.url)),
    ])
    return .object([("answer", answer), ("request", request)])
  }

  private static func json(_ step: ReportedStep) -> JSON {
    let record = step.record
    let failures: [JSON] = step.failures.map {
      .object([("actual", $0.actual), ("expected", $0.expected), ("path", .string($0.path))])
    }
    let findings: [JSON] = step.findings.map {
      .object([("code", .string($0.code)), ("message", .string($0.message))])
    }
    var members: [(key: String, value: JSON)] = [
      ("device", .string(step.redact(record.device))), ("expectations", .integer(Int64(record.expectations))),
      ("explanation", .string(step.explanation)), ("failures", .array(failures)),
      ("file", .string(step.redact(record.file))), ("findings", .array(findings)),
      ("label", .optional(record.label.map(step.redact))), ("line", .integer(Int64(record.line))),
      ("name", .string(step.redact(record.name))), ("op", .string(record.op)), ("outcome", .string(step.outcome)),
      ("skip", .optional(step.skip)),
    ]
    if let fault = step.fault { members.append(("endpoint_failure", .string(fault))) }
    if !step.exchanges.isEmpty { members.append(("exchanges", .array(step.exchanges.map(json)))) }
    return .object(members)
  }
}
