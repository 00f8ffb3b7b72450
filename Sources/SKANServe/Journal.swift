import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// The last requests and answers as JSON Lines; they are passed on as whole lines.
final class Journal {
  /// How many lines are kept for `GET /journal`.
  static let limit = 10_000
  /// How many bytes they may have together; the oldest go first.
  static let byteLimit = 8 << 20

  /// A ring: the oldest line is at ``first``.
  private var ring: [[UInt8]] = []
  private var first = 0
  private var count = 0
  private var size = 0
  private var pending = ByteText()
  /// Takes a known key out of a line; nil where none is known.
  private let redact: (([UInt8]) -> [UInt8])?
  /// Takes lines with their ends, all that there are in one piece; nil where nothing is kept outside.
  private let keep: (([UInt8]) -> Void)?

  init(redact: (([UInt8]) -> [UInt8])? = nil, keep: (([UInt8]) -> Void)?) {
    self.redact = redact
    self.keep = keep
  }

  /// - Parameter write: adds a line with its end.
  func append(_ write: (inout ByteText) -> Void) {
    let start = pending.count
    write(&pending)
    if let redact { pending.append(redact(pending.remove(from: start))) }
    let line = pending.array(from: start)
    if count == Self.limit { removeFirst() }
    let index = (first + count) % Self.limit
    if index < ring.count { ring[index] = line } else { ring.append(line) }
    count += 1
    size += line.count
    while size > Self.byteLimit, count > 1 { removeFirst() }
  }

  private func removeFirst() {
    size -= ring[first].count
    ring[first] = []
    first = (first + 1) % Self.limit
    count -= 1
  }

  /// Passes on what came since the last time.
  func flush() {
    guard pending.count > 0 else { return }
    keep?(pending.array)
    if pending.capacity <= 1 << 20 { pending.removeAll() } else { pending = ByteText() }
  }

  /// The lines, oldest first.
  var text: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(size)
    for number in 0..<count { text += ring[(first + number) % Self.limit] }
    return text
  }

  func clear() {
    ring = []
    first = 0
    count = 0
    size = 0
  }
}

/// `/journal`.
extension Journal {
  /// The reply to `GET`.
  func lines() -> ExplainedReply { ExplainedReply(200, text, contentType: "application/jsonl") }

  /// Empties the journal; what was kept outside stays.
  func delete() -> ExplainedReply {
    clear()
    return ExplainedReply(204, [])
  }
}

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

/// Something wrong with a request, as who inspects the traffic found it.
package struct InspectedFinding: Sendable, Equatable {
  /// The rule's id.
  package let rule: String
  /// How grave it is.
  package let level: String
  /// A sentence. It holds no key and no token.
  package let message: String

  /// A finding of its parts.
  package init(rule: String, level: String, message: String) {
    self.rule = rule
    self.level = level
    self.message = message
  }
}

/// Inspects a request and its answer.
///
/// - Parameters:
///   - query: the parameters in the request's query; nil when they cannot be read.
///   - at: the time that the journal gives it.
/// - Returns: what is wrong, for the journal and the explanation of the answer.
package typealias Inspection = (
  _ request: HTTPRequest, _ query: SentParameters?, _ response: HTTPResponse, _ at: Instant
) -> [InspectedFinding]
