import SKANBase

/// The state of reading a body in chunks (RFC 9112, section 7.1).
struct HTTPChunks {
  /// So many bytes of a chunk's line are free, since its data comes with it; what is beyond them is ``framing``.
  static let freeLine = 16

  /// The bytes of the request's head, which leave the buffer before the body comes.
  var head: [UInt8] = []
  /// The data of the chunks so far.
  var body: [UInt8] = []
  /// The bytes of the chunk under way that have not come.
  var left = 0
  /// The bytes of extensions, of zeros before sizes, and of trailers.
  var framing = 0
  /// How many lines of chunks and of trailers have come.
  var received = 0
  var trailers = 0
}

extension HTTPRequestParser {
  /// The head has ended, and a body in chunks begins.
  mutating func beginChunks(behind end: Int) {
    chunks.head = Array(buffer[start..<end])
    phase = .chunkLine
  }

  /// The size of a chunk in hexadecimal digits, and extensions, which mean nothing here.
  mutating func parseChunkLine(_ range: Range<Int>) throws(HTTPFailure) {
    let bytes = buffer[range]
    let digits = bytes.prefix { $0.hexValue != nil }
    let rest = bytes[digits.endIndex...]
    guard !digits.isEmpty, rest.isEmpty || rest.first(where: { !$0.isBlank }) == UInt8(ascii: ";") else {
      throw .malformedChunkSize
    }
    // A number too large for an `Int` is too large for every limit.
    let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? .max
    guard size <= limits.body - chunks.body.count else { throw .bodyTooLong(limit: limits.body) }
    chunks.framing += max(0, range.count + 2 - HTTPChunks.freeLine)
    chunks.received += 1
    chunks.left = size
    phase = size == 0 ? .trailers : .chunk
  }

  /// Takes what has come of a chunk; false when a part of it is missing.
  mutating func takeChunk() -> Bool {
    let count = min(chunks.left, buffer.count - line)
    chunks.body += buffer[line..<line + count]
    chunks.left -= count
    advance(to: line + count)
    if chunks.left == 0 { phase = .chunkEnd }
    return chunks.left == 0
  }

  /// Takes the line end behind a chunk; false when it has not come whole.
  mutating func takeChunkEnd() throws(HTTPFailure) -> Bool {
    let end = buffer[line...].prefix(2)
    guard "\r\n".utf8.starts(with: end) else { throw .malformedChunkEnd }
    guard end.count == 2 else { return false }
    phase = .chunkLine
    advance(to: line + 2)
    return true
  }

  /// A header line behind the last chunk: it must be one, and means nothing here.
  mutating func parseTrailer(_ range: Range<Int>) throws(HTTPFailure) {
    if range.isEmpty { return }
    guard chunks.trailers < limits.fields else { throw .tooManyFields(limit: limits.fields) }
    _ = try field(range)
    chunks.trailers += 1
    chunks.framing += range.count
  }
}
