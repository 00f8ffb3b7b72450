import SKANDevice
import SKANJSON

/// The report as one JSON object, keys in their order, a step a line; see the README, "Reports". It holds no times, so
/// that the same run gives the same bytes.
enum JSONReport {
  /// Rises when a reader of an earlier one would go wrong.
  private static let format: Int64 = 1

  static func bytes(of report: ReplayReport) -> [UInt8] {
    // Written piece by piece: the values of a million steps at once would take many times their text. And into a place
    // that need not grow, which would hold the text twice; what is not used of it takes no memory.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(report.lists.reduce(0) { $0 + $1.steps.count } * 400)
    bytes += "{\"files\":[".utf8
    for (index, list) in report.lists.enumerated() {
      bytes += (index == 0 ? "\n" : ",\n").utf8
      write(list, of: report, into: &bytes)
    }
    bytes += "],\"format\":\(format),\"summary\":".utf8
    JSONWriter.write(summary(report), into: &bytes)
    bytes += "}\n".utf8
    return bytes
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
      ("expectations", counts.expectations), ("failures", counts.failures), ("findings", counts.findings),
      ("skipped", counts.skipped), ("steps", counts.steps),
    ].map { ($0.0, .integer(Int64($0.1))) }
  }

  private static func write(_ list: ListRecord, of report: ReplayReport, into bytes: inout [UInt8]) {
    bytes += "{\"cases\":[".utf8
    for (index, step) in list.steps.enumerated() {
      bytes += (index == 0 ? "\n" : ",\n").utf8
      JSONWriter.write(json(report.reported(step)), into: &bytes)
    }
    bytes += "],".utf8
    let members: [(String, JSON)] = [
      ("file", .string(report.redact(list.file))),
      ("problems", .array(list.problems.map { .string(report.redact($0)) })),
    ]
    let rest = JSONWriter.text(.object(members + numbers(of: ReplayCounts([list]))))
    bytes += rest.utf8.dropFirst()
  }

  private static func json(_ step: ReportedStep) -> JSON {
    let record = step.record
    let failures: [JSON] = step.failures.map {
      .object([("actual", $0.actual), ("expected", $0.expected), ("path", .string($0.path))])
    }
    let findings: [JSON] = step.findings.map {
      .object([("code", .string($0.code)), ("message", .string($0.message))])
    }
    return .object([
      ("device", .string(step.redact(record.device))), ("expectations", .integer(Int64(record.expectations))),
      ("explanation", .string(step.explanation)), ("failures", .array(failures)),
      ("file", .string(step.redact(record.file))), ("findings", .array(findings)),
      ("label", .optional(record.label.map(step.redact))), ("line", .integer(Int64(record.line))),
      ("name", .string(step.redact(record.name))), ("op", .string(record.op)), ("outcome", .string(step.outcome)),
      ("skip", .optional(step.skip)),
    ])
  }
}
