import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// A request of a real phone or server and its answer, from a capture.
package struct CapturedRequest: Sendable, Equatable {
  /// The location, for messages.
  package var location: CaptureLocation
  /// When it was sent: the phone's time if the request states it (`X-SKAN-Device-Time`), otherwise the capture's. Nil
  /// where there is no time (a list of URLs).
  package var at: Instant?
  /// The capture's time if ``at`` is the phone's; it determines the order of requests.
  package var recordedAt: Instant?
  /// When the answer was complete, by the clock of ``at``; nil where the capture does not say.
  package var answeredAt: Instant?
  /// The request. Its target is a complete URL as it was sent: percent escapes and `+` are not decoded.
  package var request: HTTPRequest
  package var answer: CapturedAnswer
  /// Whether a form is in the capture that cannot be read.
  package var hasUnreadForm = false

  package init(
    _ request: HTTPRequest, at: Instant? = nil, answer: CapturedAnswer = .notCaptured, location: CaptureLocation
  ) {
    self.location = location
    self.at = at
    self.request = request
    self.answer = answer
  }
}

/// The answer to a request in a capture.
package enum CapturedAnswer: Sendable, Equatable {
  /// The format has no answers: a list of URLs.
  case notCaptured
  /// Only the status: an access log, or a HAR without bodies.
  case status(Int)
  /// The status and the body, decompressed and decoded from base64.
  case response(status: Int, body: [UInt8])
  /// The status, and a body in the capture that cannot be read.
  case unreadable(Int)
  /// There was no answer (status 0 in a HAR). The text is the exporter's, and empty where it gives none.
  case failure(String)

  /// The status; nil without an answer.
  var status: Int? {
    switch self {
    case .status(let status), .unreadable(let status), .response(let status, _): status
    case .notCaptured, .failure: nil
    }
  }
}

/// The location of an entry in a capture.
package struct CaptureLocation: Sendable, Hashable {
  /// The file as named on the command line; `-` is standard input.
  package var file: String
  /// The number of the entry in its file, from 1.
  package var entry: Int
  /// The first line of the entry, from 1.
  package var line: Int

  package init(file: String, entry: Int, line: Int) {
    self.file = file
    self.entry = entry
    self.line = line
  }
}

/// Encodes captured requests as bytes, without their locations.
extension CapturedRequest {
  func write(to writer: inout ByteWriter) {
    writer.put(all: [at, recordedAt].compactMap(\.self)) { $0.put(fixed: $1.microseconds) }
    writer.put(answeredAt) { $0.put(fixed: $1.microseconds) }
    writer.put(request.method)
    writer.put(request.target.origin)
    writer.put(request.target.path)
    writer.put(request.target.query) { $0.put($1) }
    writer.put(all: request.headers) { writer, field in
      writer.put(field.name)
      writer.put(field.value)
    }
    writer.put(request.body)
    writer.put(hasUnreadForm ? 1 : 0)
    switch answer {
    case .notCaptured: writer.put(0)
    case .status(let status):
      writer.put(1)
      writer.put(status)
    case .response(let status, let body):
      writer.put(2)
      writer.put(status)
      writer.put(body)
    case .failure(let text):
      writer.put(3)
      writer.put(text)
    case .unreadable(let status):
      writer.put(4)
      writer.put(status)
    }
  }

  /// Decodes a request.
  init(from reader: inout ByteReader, at location: CaptureLocation) {
    let times = reader.all { Instant(microseconds: $0.fixed()) }
    let answeredAt = reader.optional { Instant(microseconds: $0.fixed()) }
    let (method, origin, path) = (reader.text(), reader.text(), reader.text())
    let target = HTTPTarget(origin: origin, path: path, query: reader.optional { $0.text() })
    let headers = HTTPFields(reader.all { HTTPField($0.text(), $0.text()) })
    let request = HTTPRequest(method: method, target: target, headers: headers, body: reader.data())
    let hasUnreadForm = reader.number() == 1
    let answer: CapturedAnswer =
      switch reader.number() {
      case 1: .status(reader.number())
      case 2: .response(status: reader.number(), body: reader.data())
      case 3: .failure(reader.text())
      case 4: .unreadable(reader.number())
      default: .notCaptured
      }
    self.init(request, at: times.first, answer: answer, location: location)
    if times.count > 1 { recordedAt = times[1] }
    self.answeredAt = answeredAt
    self.hasUnreadForm = hasUnreadForm
  }

  /// Whether parameters of the request must have been in a body that is not in the capture or cannot be read.
  var lacksItsForm: Bool { hasUnreadForm || request.lacksItsForm }

  /// The URL with secrets redacted, for messages.
  package var redactedURL: String { request.target.redacted.text }

  /// The form of a POST with secrets redacted; nil where the body is not a text, or is JSON.
  package var redactedForm: String? {
    guard !request.body.isEmpty, let text = String(validating: request.body, as: UTF8.self),
      request.body.first != UInt8(ascii: "{"), request.body.first != UInt8(ascii: "[")
    else { return nil }
    return SecretParameter.redacted(text)
  }

  /// The distinct values of the request's secrets.
  package var secrets: [String] {
    var known: Set<String> = []
    let all =
      SecretParameter.values(in: request.query ?? "")
      + SecretParameter.values(in: String(decoding: request.body, as: UTF8.self))
    return all.filter { known.insert($0).inserted }
  }
}

extension HTTPTarget {
  fileprivate var redacted: HTTPTarget {
    var target = self
    target.query = query.map { SecretParameter.redacted($0) }
    if let at = origin.lastIndex(of: "@"), let slashes = origin.firstRange(of: "//"), slashes.upperBound < at {
      target.origin.replaceSubrange(slashes.upperBound..<at, with: SecretParameter.mark)
    }
    return target
  }
}
