import SKANDevice
import SKANHTTP
import SKANBase
import SKANModel

/// A request and its answer as the journal has them.
enum JournalLine {
  /// With its end. Keys are sorted; by hand, since this is written for every request.
  ///
  /// - Parameter query: nil for one that cannot be read.
  static func bytes(
    _ request: HTTPRequest, query: SentParameters?, at time: Instant, _ reply: ExplainedReply
  ) -> [UInt8] {
    var line = ByteText()
    start(&line, reply, at: time)
    write(reply.findings, to: &line)
    line.append(",\"method\":")
    line.appendQuoted(request.method)
    line.append(",\"path\":")
    line.appendQuoted(SecretParameter.redacted(text: request.path))
    line.append(",\"query\":")
    if let query { query.writeRedacted(to: &line) } else { line.append("null") }
    return end(line, status: reply.response.status)
  }

  /// A report of an app's server; `body` is its form, each value as it was encoded.
  ///
  /// - Parameters:
  ///   - query: nil for one that cannot be read.
  ///   - form: nil for one that cannot be read.
  static func bytes(
    _ report: ServerReport, query: SentParameters?, form: SentParameters?, _ reply: ExplainedReply
  ) -> [UInt8] {
    var line = ByteText()
    start(&line, reply, at: report.time)
    if !report.request.body.isEmpty {
      line.append(",\"body\":")
      line.append(form == nil ? "null" : JSONWriter.quoted(report.request.redactedBody))
    }
    write(reply.findings, to: &line)
    line.append(",\"method\":")
    line.appendQuoted(report.request.method)
    line.append(",\"path\":")
    line.appendQuoted(SecretParameter.redacted(text: report.request.path))
    line.append(",\"query\":")
    line.append(query.map { JSONWriter.text($0.redactedJSON, layout: .line) } ?? "null")
    return end(line, status: reply.response.status)
  }

  /// What was not HTTP.
  static func bytes(_ failure: HTTPFailure, at time: Instant) -> [UInt8] {
    var line = ByteText()
    let reply = ExplainedReply(failure.status, Array("\(failure.sentence)\n".utf8), explanation: failure.sentence)
    start(&line, reply, at: time)
    line.append(",\"method\":null,\"path\":null,\"query\":null")
    return end(line, status: reply.response.status)
  }

  private static func start(_ line: inout ByteText, _ reply: ExplainedReply, at time: Instant) {
    line.append("{\"answer\":")
    unsafe reply.response.body.withUnsafeBufferPointer { unsafe line.appendQuoted($0) }
    line.append(",\"at\":")
    line.append(JSONWriter.text(time))
    line.append(",\"explanation\":")
    line.appendQuoted(reply.explanation)
  }

  /// What an inspection found, where it found anything.
  private static func write(_ findings: [InspectedFinding], to line: inout ByteText) {
    if findings.isEmpty { return }
    let list = findings.map { finding in
      JSON.object([
        ("level", .string(finding.level)), ("message", .string(finding.message)), ("rule", .string(finding.rule)),
      ])
    }
    line.append(",\"findings\":")
    line.append(JSONWriter.text(.array(list)))
  }

  private static func end(_ line: consuming ByteText, status: Int) -> [UInt8] {
    line.append(",\"status\":")
    line.append(String(status))
    line.append("}\n")
    var bytes: [UInt8] = []
    line.append(to: &bytes)
    return bytes
  }
}
