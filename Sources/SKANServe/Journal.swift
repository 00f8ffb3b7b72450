import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// When the server received a request and when its answer leaves, by the server's own clock.
struct ServedSpan: Sendable {
  let received: Instant
  let answered: Instant

  /// - Parameter delay: the seconds by which the answer is delayed, at most ten minutes.
  init(from received: Instant, delay: Double) {
    self.received = received
    answered = received.later(by: TimeSpan(seconds: delay) ?? .zero)
  }
}

/// The last lines of the journal, with their line ends and numbers. A copy shares its memory.
struct JournalLines: Sendable {
  /// A ring buffer; the oldest line is at ``first``.
  private var ring: [[UInt8]] = []
  /// When the request of each line was under way; nil where the line has none, or no page may ask for it.
  private var spans: [ServedSpan?] = []
  private var first = 0
  private let limit: Int
  private(set) var count = 0
  /// The number of the next line; the first is 1.
  private(set) var endNumber = 1
  /// The bytes of all lines.
  private(set) var size = 0

  /// - Parameter limit: the most lines.
  fileprivate init(limit: Int) { self.limit = limit }

  /// The number of the oldest line that is kept; that of the next line if there is none.
  var firstNumber: Int { endNumber - count }

  /// The numbers of the lines that are kept.
  var numbers: Range<Int> { firstNumber..<endNumber }

  /// A kept line with its line end.
  subscript(number: Int) -> [UInt8] { ring[(first + number - firstNumber) % limit] }

  /// When the request of a kept line was under way; nil where that is not known.
  func span(of number: Int) -> ServedSpan? { spans[(first + number - firstNumber) % limit] }

  /// Adds a line, in place of the oldest one if there are too many.
  fileprivate mutating func append(_ line: [UInt8], _ span: ServedSpan?) {
    if count == limit { removeFirst() }
    let index = (first + count) % limit
    if index < ring.count {
      (ring[index], spans[index]) = (line, span)
    } else {
      ring.append(line)
      spans.append(span)
    }
    count += 1
    endNumber += 1
    size += line.count
    while size > Journal.byteLimit, count > 1 { removeFirst() }
  }

  private mutating func removeFirst() {
    size -= ring[first].count
    ring[first] = []
    first = (first + 1) % limit
    count -= 1
  }

  fileprivate mutating func removeAll() { (ring, spans, first, count, size) = ([], [], 0, 0, 0) }
}

/// The last requests and answers as JSON Lines.
package final class Journal {
  /// The most lines that are kept for `GET /journal`, if not another number is given.
  package static let limit = 10_000
  /// The most bytes of all lines; the oldest are removed first.
  static let byteLimit = 8 << 20

  /// The most lines that are kept.
  let limit: Int
  private(set) var lines: JournalLines
  /// How often the journal was emptied.
  private(set) var clearings = 0
  /// The number of the next line when the journal was last emptied; 0 if it never was.
  private(set) var emptiedAt = 0
  private var pending = ByteText()
  /// Removes a known key from a line.
  private let redactor: Redactor
  /// Receives the new lines, with line ends, at each ``flush()``; nil where nothing is kept outside.
  private let keep: (([UInt8]) -> Void)?

  init(limit: Int = Journal.limit, redactor: Redactor, keep: (([UInt8]) -> Void)?) {
    self.limit = limit
    self.redactor = redactor
    self.keep = keep
    lines = JournalLines(limit: limit)
  }

  /// The number of the next line; the first is 1.
  var endNumber: Int { lines.endNumber }

  /// The number of the oldest line that is kept; that of the next line if there is none.
  var firstNumber: Int { lines.firstNumber }

  /// - Parameters:
  ///   - span: when the request was under way; nil where that is not known.
  ///   - write: writes a line with its line end.
  func append(during span: ServedSpan? = nil, _ write: (inout ByteText) -> Void) {
    let start = pending.count
    write(&pending)
    if !redactor.isEmpty { pending.append(redactor.redacted(document: pending.remove(from: start))) }
    lines.append(pending.array(from: start), span)
  }

  /// Passes on the lines since the last call.
  func flush() {
    guard pending.count > 0 else { return }
    keep?(pending.array)
    if pending.capacity <= 1 << 20 { pending.removeAll() } else { pending = ByteText() }
  }

  /// The lines, oldest first.
  var text: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(lines.size)
    for number in lines.numbers { text += lines[number] }
    return text
  }

  /// Empties the journal; lines that were already passed on are not affected.
  func clear() {
    lines.removeAll()
    clearings += 1
    emptiedAt = endNumber
  }
}

/// A request and its answer as a line of the journal.
package final class JournalLine {
  private let reply: ExplainedReply
  private let time: Instant
  private var method: String?
  private var path: String?
  /// The body of a report; the outer nil means no body, the inner one a body that cannot be read.
  private var body: String??
  /// Writes the query; nil if it cannot be read.
  private var writeQuery: ((inout JSONWriter) -> Void)?

  /// - Parameter query: nil if it cannot be read.
  init(_ request: HTTPRequest, query: SentParameters?, at time: Instant, _ reply: ExplainedReply) {
    (self.reply, self.time) = (reply, time)
    name(request)
    writeQuery = query.map { query in { query.writeRedacted(to: &$0) } }
  }

  /// A report of an app's server. Its `body` is its form, with each value encoded as it was sent.
  ///
  /// - Parameters:
  ///   - query: nil if it cannot be read.
  ///   - form: nil if it cannot be read.
  init(_ report: ServerReport, query: SentParameters?, form: SentParameters?, _ reply: ExplainedReply) {
    (self.reply, time) = (reply, report.time)
    name(report.request)
    if !report.request.body.isEmpty { body = .some(form == nil ? nil : report.request.redactedBody) }
    writeQuery = query.map { query in
      { JSONWriter.write(query.redactedJSON, layout: .line, into: &$0.text) }
    }
  }

  /// The line for input that was not HTTP.
  init(_ failure: HTTPFailure, at time: Instant) {
    reply = ExplainedReply(failure.status, Array("\(failure.sentence)\n".utf8), explanation: failure.sentence)
    self.time = time
  }

  private func name(_ request: HTTPRequest) {
    method = request.method
    path = SecretParameter.redacted(text: request.path)
  }

  /// Writes the line with its line end.
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
      optional: "body", "for a report with a body: its form, or null if it cannot be read", of: String?.self
    ) { line, writer in
      if let body = line.body { write(body, to: &writer) }
    }
    JSONField("explanation", "why it got this answer, as a sentence", of: String.self) { line, writer in
      writer.append(quoting: { $0.append(line.reply.explanation) })
    }
    JSONField(optional: "fault", "how the answer broke off on demand", as: .names(HTTPFault.names)) {
      $0.reply.fault?.name
    }
    JSONField(optional: "findings", "what an inspection found, if anything", list: findingFields) {
      $0.reply.findings.isEmpty ? nil : $0.reply.findings
    }
    JSONField("method", "the method, or null for what was not HTTP", of: String?.self) { write($0.method, to: &$1) }
    JSONField("path", "the path, or null for what was not HTTP", of: String?.self) { write($0.path, to: &$1) }
    JSONField(
      "query", "each parameter, or null if it cannot be read; the SDK key is removed",
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

extension HTTPFault {
  fileprivate static let names = ["closed", "not-http", "truncated"]

  /// The name in the journal.
  fileprivate var name: String {
    switch self {
    case .close: "closed"
    case .raw: "not-http"
    case .truncated, .declaredLength: "truncated"
    }
  }
}

/// A problem with a request, found by the inspection.
package struct InspectedFinding: Sendable, Equatable {
  /// The rule's id.
  package let rule: String
  /// The severity.
  package let level: String
  /// A sentence without keys and tokens.
  package let message: String

  package init(rule: String, level: String, message: String) {
    self.rule = rule
    self.level = level
    self.message = message
  }
}

/// Inspects a request and its answer.
///
/// - Parameters:
///   - query: the parameters in the request's query; nil if they cannot be read.
///   - at: the time of the request in the journal.
/// - Returns: the findings, for the journal and the answer's explanation.
package typealias Inspection = (
  _ request: HTTPRequest, _ query: SentParameters?, _ response: HTTPResponse, _ at: Instant
) -> [InspectedFinding]
