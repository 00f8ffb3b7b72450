import SKANDevice
import SKANHTTP
import SKANBase
import SKANModel

/// A request and its answer as the journal has them.
package final class JournalLine {
  private let reply: ExplainedReply
  private let time: Instant
  private var method: String?
  private var path: String?
  /// The body of a report that has one.
  private var body: String??
  /// Nil for parameters that cannot be read.
  private var writeQuery: ((inout JSONWriter) -> Void)?

  /// - Parameter query: nil for one that cannot be read.
  init(_ request: HTTPRequest, query: SentParameters?, at time: Instant, _ reply: ExplainedReply) {
    (self.reply, self.time) = (reply, time)
    name(request)
    writeQuery = query.map { query in { query.writeRedacted(to: &$0) } }
  }

  /// A report of an app's server; `body` is its form, each value as it was encoded.
  ///
  /// - Parameters:
  ///   - query: nil for one that cannot be read.
  ///   - form: nil for one that cannot be read.
  init(_ report: ServerReport, query: SentParameters?, form: SentParameters?, _ reply: ExplainedReply) {
    (self.reply, time) = (reply, report.time)
    name(report.request)
    if !report.request.body.isEmpty { body = .some(form == nil ? nil : report.request.redactedBody) }
    writeQuery = query.map { query in
      { JSONWriter.write(query.redactedJSON, layout: .line, into: &$0.text) }
    }
  }

  /// What was not HTTP.
  init(_ failure: HTTPFailure, at time: Instant) {
    reply = ExplainedReply(failure.status, Array("\(failure.sentence)\n".utf8), explanation: failure.sentence)
    self.time = time
  }

  private func name(_ request: HTTPRequest) {
    method = request.method
    path = SecretParameter.redacted(text: request.path)
  }

  /// Adds the line with its end.
  func writeLine(to text: inout ByteText) {
    JSONWriter.write(self, into: &text)
    text.append(UInt8(ascii: "\n"))
  }
}

extension JournalLine: JSONObjectWritable {
  package static let fields = JSONFields<JournalLine> {
    JSONField("answer", "the body of the answer", as: .text) { $1.append(utf8: $0.reply.response.body) }
    JSONField("at", "Unix seconds of the request", of: Instant.self) { $0.time.write(to: &$1) }
    JSONField(
      optional: "body", "of a report with a body: its form, or null where it cannot be read", of: String?.self
    ) { line, writer in
      if let body = line.body { write(body, to: &writer) }
    }
    JSONField("explanation", "why it was answered so, a sentence", of: String.self) { line, writer in
      writer.append(quoting: { $0.append(line.reply.explanation) })
    }
    JSONField(optional: "findings", "what an inspection found, where it found anything", list: findingFields) {
      $0.reply.findings.isEmpty ? nil : $0.reply.findings
    }
    JSONField("method", "the method, or null for what was not HTTP", of: String?.self) { write($0.method, to: &$1) }
    JSONField("path", "the path, or null for what was not HTTP", of: String?.self) { write($0.path, to: &$1) }
    JSONField(
      "query", "each parameter, or null for what cannot be read; the SDK key is taken out",
      as: JSONWriter.formOfParameters.orNull
    ) { line, writer in
      if let write = line.writeQuery { write(&writer) } else { writer.null() }
    }
    JSONField("status", "the HTTP status", as: .integer(100...999)) {
      $1.append(Int64($0.reply.response.status))
    }
  }

  private static func write(_ text: String?, to writer: inout JSONWriter) {
    if let text { writer.append(text) } else { writer.null() }
  }

  private static let findingFields = JSONFields<InspectedFinding> {
    JSONField("level", "error, warning or note") { $0.level }
    JSONField("message", "a sentence") { $0.message }
    JSONField("rule", "its rule") { $0.rule }
  }
}
