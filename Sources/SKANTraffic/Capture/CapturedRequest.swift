import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// A request of a real phone or server and what came back, as a capture holds them.
package struct CapturedRequest: Sendable, Equatable {
  /// Where it stands, for messages.
  package var location: CaptureLocation
  /// When it was sent: by the phone's own clock where the request states it (`X-SKAN-Device-Time`), else by the
  /// capture's; nil where there is no time (a list of URLs).
  package var at: Instant?
  /// The capture's time where ``at`` is the phone's own; requests are put in order by it.
  package var recordedAt: Instant?
  /// The request; its target is a whole URL, as it was sent: percent escapes and `+` are not decoded.
  package var request: HTTPRequest
  /// The answer.
  package var answer: CapturedAnswer

  /// A captured request of its parts.
  package init(
    _ request: HTTPRequest, at: Instant? = nil, answer: CapturedAnswer = .notCaptured, location: CaptureLocation
  ) {
    self.location = location
    self.at = at
    self.request = request
    self.answer = answer
  }
}

/// What a capture says of the answer to a request.
package enum CapturedAnswer: Sendable, Equatable {
  /// The capture cannot hold it: a list of URLs.
  case notCaptured
  /// The status alone: an access log, or a HAR without bodies.
  case status(Int)
  /// The status and the body, unpacked and decoded from base64.
  case response(status: Int, body: [UInt8])
  /// No answer came (status 0 in a HAR); the text is the exporter's, empty where it gives none.
  case failure(String)
}

/// The location of an entry in a capture.
package struct CaptureLocation: Sendable, Hashable {
  /// The file as it was named on the command line; `-` is standard input.
  package var file: String
  /// The number of the entry in its file, from 1.
  package var entry: Int
  /// The line on which the entry begins, from 1.
  package var line: Int

  /// A location of its parts.
  package init(file: String, entry: Int, line: Int) {
    self.file = file
    self.entry = entry
    self.line = line
  }
}

/// Captured requests as bytes, as they are set aside; their locations are kept apart.
extension CapturedRequest {
  func write(to writer: inout ByteWriter) {
    writer.put(all: [at, recordedAt].compactMap(\.self)) { $0.put(fixed: $1.microseconds) }
    writer.put(request.method)
    writer.put(request.target.origin)
    writer.put(request.target.path)
    writer.put(request.target.query) { $0.put($1) }
    writer.put(all: request.headers) { writer, field in
      writer.put(field.name)
      writer.put(field.value)
    }
    writer.put(request.body)
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
    }
  }

  /// A request that was written.
  init(from reader: inout ByteReader, at location: CaptureLocation) {
    let times = reader.all { Instant(microseconds: $0.fixed()) }
    let (method, origin, path) = (reader.text(), reader.text(), reader.text())
    let target = HTTPTarget(origin: origin, path: path, query: reader.optional { $0.text() })
    let headers = HTTPFields(reader.all { HTTPField($0.text(), $0.text()) })
    let request = HTTPRequest(method: method, target: target, headers: headers, body: reader.data())
    let answer: CapturedAnswer =
      switch reader.number() {
      case 1: .status(reader.number())
      case 2: .response(status: reader.number(), body: reader.data())
      case 3: .failure(reader.text())
      default: .notCaptured
      }
    self.init(request, at: times.first, answer: answer, location: location)
    if times.count > 1 { recordedAt = times[1] }
  }

  /// The URL with a mark for each secret, for a message.
  package var redactedURL: String { request.target.redacted.text }

  /// The form of a POST with a mark for each secret; nil where the body is not a text, or is JSON.
  package var redactedForm: String? {
    guard !request.body.isEmpty, let text = String(validating: request.body, as: UTF8.self),
      request.body.first != UInt8(ascii: "{"), request.body.first != UInt8(ascii: "[")
    else { return nil }
    return SecretParameter.redacted(text)
  }

  /// The values of the request's secrets, each once.
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
