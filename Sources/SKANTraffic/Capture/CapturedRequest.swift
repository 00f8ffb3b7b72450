import SKANDevice
import SKANHTTP

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
  /// What came back.
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
