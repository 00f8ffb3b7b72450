import SKANBase
import SKANHTTP

/// A reply of the reference service before its last headers, and what the journal says of it.
struct ExplainedReply {
  /// Says in one line of ASCII what the journal says.
  static let header = "X-SKAN-Explanation"

  var response: HTTPResponse
  /// How it goes wrong on its way.
  var fault: HTTPFault?
  /// The methods of the path, for a 405 and for a browser that asks.
  var allowed: String?
  /// In UTF-8, as it is only passed on; empty for what is not in the journal.
  var explanation: [UInt8]
  /// The problems that an inspection found in the request.
  var findings: [InspectedFinding] = []
  /// The phone that asked, by the identifier that the request states; only where requests are logged.
  var phone: String?
  /// Whether its sender gets the explanation, too.
  var isExplanationSent = true
  /// Whether it is one of the replies after which the server is to stop.
  var isCounted = false

  init(_ status: Int, _ body: [UInt8], contentType: String = "application/json", explanation: String = "") {
    var headers = HTTPFields(lines: 2, bytes: 256)
    headers.append("Content-Type", contentType)
    response = HTTPResponse(status: status, headers: headers, body: body)
    self.explanation = Array(explanation.utf8)
  }

  /// A request that is not answered as its sender wants.
  static func refusal(_ status: Int, _ reason: String) -> ExplainedReply {
    let body = JSONWriter.text(.object([("reason", .string(reason)), ("status", .string("error"))]))
    return ExplainedReply(status, Array(body.utf8), explanation: reason)
  }

  /// What a browser gets that asks before it sends what a page of an allowed site wants.
  static func permission(_ methods: String) -> ExplainedReply {
    var reply = ExplainedReply(204, [], explanation: "A browser asks what a page may send.")
    reply.allowed = methods
    return reply
  }

  /// What its sender and the person at the server read: the explanation, and then each finding with its message. A finding
  /// whose message the explanation begins with is not said again.
  var told: [(finding: InspectedFinding?, text: String)] {
    var others = findings
    let explanation = String(decoding: explanation, as: UTF8.self)
    let first = others.firstIndex { explanation.hasPrefix($0.message) }.map { others.remove(at: $0) }
    return (explanation.isEmpty ? [] : [(first, explanation)]) + others.map { ($0, $0.message) }
  }

  /// ``told`` as one text, each finding behind its rule.
  private var toldText: String {
    told.map { finding, text in finding.map { "[\($0.rule)] \(text)" } ?? text }.joined(separator: " ")
  }

  /// The reply with its last headers.
  ///
  /// - Parameter origin: the site whose pages may read it.
  consuming func finished(allowing origin: String?) -> HTTPReply {
    if isExplanationSent {
      let text = findings.isEmpty ? explanation : Array(toldText.utf8)
      if !text.isEmpty { response.headers.append(Self.header, ascii: text) }
    }
    if let allowed { response.headers.append("Allow", allowed) }
    if let origin { response.headers.allow(origin, methods: allowed) }
    var reply = HTTPReply(response, fault: fault)
    reply.isCounted = isCounted
    return reply
  }
}

extension ExplainedReply {
  /// The reply to `GET /healthz`.
  static func health(phones count: Int) -> ExplainedReply {
    ExplainedReply(200, Array("{\"phones\":\(count),\"status\":\"ok\"}".utf8))
  }
}
