import SKANBase
import SKANHTTP

/// A reply of the reference service before its last headers, and its explanation for the journal.
struct ExplainedReply {
  /// The header with the journal's explanation, in one line of ASCII.
  static let header = "X-SKAN-Explanation"

  var response: HTTPResponse
  /// The transport fault with which the reply is sent; nil for none.
  var fault: HTTPFault?
  /// The methods of the path, for status 405 and for preflight requests.
  var allowed: String?
  /// The explanation in UTF-8 bytes, as it is only passed on; empty for requests that are not in the journal.
  var explanation: [UInt8]
  /// The problems that an inspection found in the request.
  var findings: [InspectedFinding] = []
  /// The identifier of the phone, as stated in the request; only set where requests are logged.
  var phone: String?
  /// Whether the sender receives the explanation, too.
  var isExplanationSent = true
  /// Whether the reply counts towards those after which the server stops.
  var isCounted = false
  /// Whether it is for the live page, and so neither delayed nor a line of the log.
  var isForPage = false
  /// The stream that follows the head; nil for none.
  var stream: Int?
  /// The reply that is made on another thread in place of this one; nil for none.
  var late: HTTPLateReply?
  /// The seconds by which the answer is delayed on demand.
  var delay = 0.0

  init(_ status: Int, _ body: [UInt8], contentType: String = "application/json", explanation: String = "") {
    var headers = HTTPFields(lines: 2, bytes: 256)
    headers.append("Content-Type", contentType)
    response = HTTPResponse(status: status, headers: headers, body: body)
    self.explanation = Array(explanation.utf8)
  }

  /// Keeps other sites' pages, and the browser's memory, from getting the reply.
  mutating func protect() {
    response.headers.append("Cache-Control", "no-store")
    response.headers.append("X-Content-Type-Options", "nosniff")
    response.headers.append("Cross-Origin-Resource-Policy", "same-origin")
  }

  /// An error reply with a reason.
  static func refusal(_ status: Int, _ reason: String) -> ExplainedReply {
    let body = JSONWriter.text(.object([("reason", .string(reason)), ("status", .string("error"))]))
    return ExplainedReply(status, Array(body.utf8), explanation: reason)
  }

  /// The reply to a browser's preflight request for a page of an allowed site.
  static func permission(_ methods: String) -> ExplainedReply {
    var reply = ExplainedReply(204, [], explanation: "A browser asks what a page may send.")
    reply.allowed = methods
    return reply
  }

  /// The explanation, and then the findings with their messages. A finding whose message begins the explanation is
  /// joined with it.
  var told: [(finding: InspectedFinding?, text: String)] {
    var others = findings
    let explanation = String(decoding: explanation, as: UTF8.self)
    let first = others.firstIndex { explanation.hasPrefix($0.message) }.map { others.remove(at: $0) }
    return (explanation.isEmpty ? [] : [(first, explanation)]) + others.map { ($0, $0.message) }
  }

  /// ``told`` as one text, with each rule in brackets before its message.
  private var toldText: String {
    told.map { finding, text in finding.map { "[\($0.rule)] \(text)" } ?? text }.joined(separator: " ")
  }

  /// Makes the reply fail as its sender asks; nil for no fault.
  mutating func apply(_ requested: (name: String, fault: Fault)?) {
    guard let (name, fault) = requested else { return }
    if case .status(let status) = fault { response.status = status }
    response.body = fault.applied(to: response.body)
    self.fault = fault.fault(of: response.body)
    explanation += " Fault on demand: \(name).".utf8
  }

  /// The reply with its last headers.
  ///
  /// - Parameter origin: the site whose pages may read the reply.
  consuming func finished(allowing origin: String?) -> HTTPReply {
    if isExplanationSent {
      let text = findings.isEmpty ? explanation : Array(toldText.utf8)
      if !text.isEmpty { response.headers.append(Self.header, ascii: text) }
    }
    if let allowed { response.headers.append("Allow", allowed) }
    if let origin { response.headers.allow(origin, methods: allowed) }
    var reply = HTTPReply(response, fault: fault)
    reply.isCounted = isCounted
    reply.stream = stream
    reply.late = late
    return reply
  }
}
