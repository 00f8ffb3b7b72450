/// A request as the bytes that go over a connection of its own, with times: for what URLSession does not do, such as sending
/// slowly or breaking off.
package struct HTTPRawRequest: Sendable, Equatable {
  /// Some of its bytes.
  package struct Piece: Sendable, Equatable {
    /// When they are sent, in seconds from the beginning.
    package let time: Double
    package let bytes: [UInt8]

    package init(at time: Double, _ bytes: [UInt8]) {
      self.time = time
      self.bytes = bytes
    }
  }

  /// In the order of their times.
  package var pieces: [Piece]
  /// Whether the output ends after the last piece, so that what is missing never comes.
  package var endsOutput: Bool

  package init(pieces: [Piece], endsOutput: Bool = false) {
    self.pieces = pieces
    self.endsOutput = endsOutput
  }

  /// The head of a POST of JSON, with which the connection is closed.
  ///
  /// - Parameters:
  ///   - target: path and query.
  ///   - length: of the body; nil for one that comes in chunks.
  ///   - field: another header line.
  package static func head(of address: HTTPAddress, target: String, length: Int?, field: HTTPField) -> [UInt8] {
    let lines = [
      "POST \(target) HTTP/1.1", "Host: \(address.authority)", "Content-Type: application/json",
      length.map { "Content-Length: \($0)" } ?? "Transfer-Encoding: chunked", "\(field.name): \(field.value)",
      "Connection: close",
    ]
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}

/// The status of an answer, and when its head was there.
package struct HTTPRawAnswer: Sendable, Equatable {
  package var status: Int
  /// Since the beginning of all requests.
  package var seconds: Double
  /// The value of its header `Retry-After`; nil without one.
  package var retryAfter: String?

  package init(status: Int, seconds: Double, retryAfter: String? = nil) {
    self.status = status
    self.seconds = seconds
    self.retryAfter = retryAfter
  }
}
