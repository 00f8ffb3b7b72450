/// A message between this process and the one that sends its requests: a length, and that many bytes.
package enum Frame {
  /// The bytes of the length.
  package static let headLength = 8

  /// A frame of what `write` puts into it.
  static func of(_ write: (inout FrameWriter) -> Void) -> [UInt8] {
    var content = FrameWriter()
    write(&content)
    return of(content.bytes)
  }

  /// A frame of this content.
  static func of(_ content: [UInt8]) -> [UInt8] {
    var frame = FrameWriter()
    frame.put(content)
    return frame.bytes
  }

  /// What the parent asks.
  static func of(_ request: HTTPRequest, _ limits: HTTPAnswerLimits) -> [UInt8] {
    of { writer in
      writer.put(request)
      writer.put(limits.seconds)
      writer.put(limits.bytes)
    }
  }

  /// Reads what the parent asks.
  package static func request(_ bytes: [UInt8]) throws(FrameReader.Malformed) -> (HTTPRequest, HTTPAnswerLimits) {
    var reader = FrameReader(bytes)
    let request = try reader.request()
    let seconds = try reader.double()
    return (request, HTTPAnswerLimits(seconds: seconds, bytes: try reader.number()))
  }
}
