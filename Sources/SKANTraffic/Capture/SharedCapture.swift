import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// A HAR 1.2 of requests to Singular that can be shared: entries of other hosts, cookies and most headers are left out,
/// and keys and tokens are removed from the rest. It still contains the phones' identifiers and addresses.
package struct SharedCapture {
  /// The headers that hold no secret.
  private static let headers: Set<String> = [
    "accept", "content-type", "host", "user-agent", ReferenceEndpoint.deviceTimeHeader.lowercased(),
  ]

  private let requests: [CapturedRequest]

  package init(_ requests: [CapturedRequest]) { self.requests = requests }

  /// The file; nil if a request has no time.
  package var bytes: [UInt8]? {
    var entries: [JSON] = []
    for request in requests {
      guard let at = request.recordedAt ?? request.at else { return nil }
      entries.append(Self.entry(request, at: at))
    }
    let creator = JSON.object([
      ("name", .string("skan check --redacted")), ("version", .string(ProgramVersion.text)),
    ])
    let log = JSON.object([("version", .string("1.2")), ("creator", creator), ("entries", .array(entries))])
    return Array((JSONWriter.text(.object([("log", log)]), layout: .file) + "\n").utf8)
  }

  private static func entry(_ captured: CapturedRequest, at: Instant) -> JSON {
    let secrets = captured.secrets
    let request = captured.request
    // An access log has no hosts, but a request in a HAR needs one, so localhost stands for the unknown host.
    let origin = request.target.origin.isEmpty ? "http://localhost" : ""
    var members: [(key: String, value: JSON)] = [
      ("method", .string(request.method)),
      ("url", .string(origin + TrafficSecrets.text(captured.redactedURL, without: secrets))),
      ("httpVersion", .string("HTTP/1.1")),
      ("cookies", .array([])), ("headers", headers(of: request, secrets)), ("queryString", .array([])),
    ]
    if !request.body.isEmpty || captured.hasUnreadForm {
      let text = captured.redactedForm ?? String(decoding: request.body, as: UTF8.self)
      // The form is unreadable in the shared capture, too: an unknown form is not an empty one.
      let form: [(key: String, value: JSON)] =
        captured.hasUnreadForm
        ? [("text", .string("*")), ("encoding", .string("base64"))]
        : [("text", .string(TrafficSecrets.text(text, without: secrets)))]
      let type = request.headers["Content-Type"] ?? "application/x-www-form-urlencoded"
      members.append(("postData", .object([("mimeType", .string(type))] + form)))
    }
    members += [("headersSize", .integer(-1)), ("bodySize", .integer(Int64(request.body.count)))]
    // Rules depend on when the answer came.
    let wait = captured.answeredAt.map { JSON.milliseconds($0.since(at)) } ?? .integer(0)
    return .object([
      ("startedDateTime", .string(at.description)), ("time", wait), ("request", .object(members)),
      ("response", response(captured.answer, secrets)), ("cache", .object([])),
      ("timings", .object([("send", .integer(0)), ("wait", wait), ("receive", .integer(0))])),
    ])
  }

  private static func headers(of request: HTTPRequest, _ secrets: [String]) -> JSON {
    .array(
      request.headers.filter { headers.contains($0.name.lowercased()) }.map { field in
        .object([
          ("name", .string(field.name)), ("value", .string(TrafficSecrets.text(field.value, without: secrets))),
        ])
      })
  }

  private static func response(_ answer: CapturedAnswer, _ secrets: [String]) -> JSON {
    var content: [(key: String, value: JSON)] = [("size", .integer(-1)), ("mimeType", .string("application/json"))]
    var more: [(key: String, value: JSON)] = []
    let status: Int
    switch answer {
    case .notCaptured: return .null
    case .status(let code), .unreadable(let code): status = code
    case .response(let code, let body):
      status = code
      let text = TrafficSecrets.text(String(decoding: body, as: UTF8.self), without: secrets)
      content[0].value = .integer(Int64(text.utf8.count))
      content.append(("text", .string(text)))
    case .failure(let text):
      status = 0
      more = [("_error", .string(TrafficSecrets.text(text, without: secrets)))]
    }
    return .object(
      [
        ("status", .integer(Int64(status))), ("statusText", .string("")), ("httpVersion", .string("HTTP/1.1")),
        ("cookies", .array([])), ("headers", .array([])), ("content", .object(content)), ("redirectURL", .string("")),
        ("headersSize", .integer(-1)), ("bodySize", .integer(-1)),
      ] + more)
  }
}

extension JSON {
  /// A length of time in milliseconds, as a whole number where it is one.
  fileprivate static func milliseconds(_ span: TimeSpan) -> JSON {
    let (whole, rest) = span.microseconds.quotientAndRemainder(dividingBy: 1000)
    return rest == 0 ? .integer(whole) : .double(Double(span.microseconds) / 1000)
  }
}
