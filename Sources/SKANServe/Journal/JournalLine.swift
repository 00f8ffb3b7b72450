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
  private var writeQuery: ((inout ByteText) -> Void)?

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
    writeQuery = query.map { query in { $0.append(JSONWriter.text(query.redactedJSON, layout: .line)) } }
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

  /// With its end.
  var bytes: [UInt8] {
    var writer = JSONWriter()
    write(to: &writer)
    writer.append(raw: { $0.append(UInt8(ascii: "\n")) })
    return writer.bytes
  }
}

extension JournalLine: JSONObjectWritable {
  package static let fields = JSONFields<JournalLine> {
    JSONField("answer", "the body of the answer", as: .text) { $1.append(utf8: $0.reply.response.body) }
    JSONField("at", "Unix seconds of the request") { $0.time }
    JSONField(optional: "body", "of a report with a body: its form, or null where it cannot be read") { $0.body }
    JSONField("explanation", "why it was answered so, a sentence") { $0.reply.explanation }
    JSONField(optional: "findings", "what an inspection found, where it found anything", list: findingFields) {
      $0.reply.findings.isEmpty ? nil : $0.reply.findings
    }
    JSONField("method", "the method, or null for what was not HTTP") { $0.method }
    JSONField("path", "the path, or null for what was not HTTP") { $0.path }
    JSONField(
      "query", "each parameter, or null for what cannot be read; the SDK key is taken out",
      as: JSONWriter.formOfParameters.orNull
    ) { line, writer in
      guard let write = line.writeQuery else { return writer.null() }
      writer.append(raw: write)
    }
    JSONField("status", "the HTTP status", as: .integer(100...999)) { $0.reply.response.status }
  }

  private static let findingFields = JSONFields<InspectedFinding> {
    JSONField("level", "error, warning or note") { $0.level }
    JSONField("message", "a sentence") { $0.message }
    JSONField("rule", "its rule") { $0.rule }
  }
}
