import SKANBase

/// Makes requests of the bytes of one connection, however they are cut into pieces.
///
/// It is strict where leniency has led servers and proxies to disagree about where a request ends (RFC 9112, section 11.2):
/// line ends are CR LF, no line goes on in the next, and a length is stated once, or is that of chunks. It looks at no byte twice, so that a client
/// that sends single bytes costs no more than their number.
///
///     var parser = HTTPRequestParser(limits: HTTPLimits())
///     parser.feed(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
///     parser.next()  // .request
///     parser.next()  // .needMore
package struct HTTPRequestParser {
  /// The parser's state after the bytes so far.
  package enum Step: Equatable, Sendable {
    /// No whole request is left.
    case needMore
    /// The next request in order.
    case request(HTTPRequest, HTTPPersistence)
    /// The bytes cannot be a request. What follows them cannot be divided into requests either: the parser stays at this step.
    case failure(HTTPFailure)
  }

  /// How far the request at ``start`` has come.
  enum Phase: Equatable {
    case requestLine
    case fields
    case body
    /// The line before a chunk of the body.
    case chunkLine
    case chunk
    /// The line end behind a chunk.
    case chunkEnd
    /// The lines behind the last chunk, to the empty one.
    case trailers
  }

  let limits: HTTPLimits
  var buffer: [UInt8] = []
  /// Where in ``buffer`` the request begins that is being read.
  var start = 0
  /// Where the line begins that is being read; after the head, where the body begins.
  var line = 0
  /// No line ends before this.
  var scanned = 0
  var phase = Phase.requestLine
  var head = HTTPRequestHead()
  /// The state of a body in chunks.
  var chunks = HTTPChunks()
  /// Whether the one empty line that may come before a request has come.
  var skippedEmptyLine = false
  private var failure: HTTPFailure?

  /// Whether what came cannot be a request.
  var hasFailed: Bool { failure != nil }

  /// A parser at the beginning of a connection.
  package init(limits: HTTPLimits) {
    self.limits = limits
  }

  /// How many bytes wait for the rest of their request, or for ``next()``.
  package var buffered: Int { buffer.count - start + chunks.head.count + chunks.body.count }

  /// Whether nothing of a request has come after the last one.
  package var isIdle: Bool { phase == .requestLine && buffered == 0 }

  /// Whether the head of a request has come, and not yet the whole body.
  package var isInBody: Bool { phase != .requestLine && phase != .fields }

  /// Takes what came. Nothing is kept after a failure.
  package mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    guard failure == nil else { return }
    compact()
    unsafe buffer.append(contentsOf: bytes)
  }

  /// Takes what came. Nothing is kept after a failure.
  package mutating func feed(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe feed($0) }
  }

  /// The next request of what came. To be called until it needs more.
  package mutating func next() -> Step {
    if let failure { return .failure(failure) }
    do throws(HTTPFailure) {
      while true {
        switch phase {
        case .requestLine, .fields, .chunkLine, .trailers:
          guard let end = try nextLine() else { return .needMore }
          let isEnd = phase == .trailers && end == line
          try parse(line..<end)
          advance(to: end + 2)
          if isEnd { return finish() }
        case .body:
          guard buffer.count - line >= head.contentLength ?? 0 else { return .needMore }
          return finish()
        case .chunk: guard takeChunk() else { return .needMore }
        case .chunkEnd: guard try takeChunkEnd() else { return .needMore }
        }
      }
    } catch {
      failure = error
      buffer = []
      chunks = HTTPChunks()
      start = 0
      return .failure(error)
    }
  }

  /// Whether the client waits for `100 Continue` before it sends the body; said once a request.
  package mutating func consumeExpectation() -> Bool {
    guard isInBody, head.expectsContinue else { return false }
    head.expectsContinue = false
    // A client that has begun to send does not wait any more (RFC 9110, section 10.1.1).
    return buffer.count == line && chunks.received == 0 && failure == nil
  }
}

extension HTTPRequestParser {
  /// Where the line that is being read ends, before its CR LF; nil when its end has not come.
  ///
  /// It stops at the first byte that no request may have, and does not wait for the line's end: a TLS hello is refused
  /// at once.
  mutating func nextLine() throws(HTTPFailure) -> Int? {
    let isRequestLine = phase == .requestLine
    let limit =
      switch phase {
      case .requestLine: start + min(limits.requestLine, limits.head)
      case .chunkLine: line + HTTPChunks.freeLine + limits.head - chunks.framing
      case .trailers: line + 2 + limits.head - chunks.framing
      default: start + limits.head
      }
    let part: HTTPFailure.Part = isRequestLine ? .requestLine : phase == .chunkLine ? .chunkLine : .fieldLine
    let stop = scan(to: min(buffer.count, limit), limit: limit, part)
    scanned = stop.position
    switch stop.reason {
    case .lineEnd: return stop.position
    case .failure(let failure): throw failure
    case .endOfBytes:
      guard stop.position >= limit else { return nil }
      switch phase {
      case .requestLine: throw .requestLineTooLong(limit: limits.requestLine)
      case .chunkLine, .trailers: throw .chunkFramingTooLong(limit: limits.head)
      default: throw .headTooLong(limit: limits.head)
      }
    }
  }

  private enum StopReason {
    case lineEnd
    case endOfBytes
    case failure(HTTPFailure)
  }

  private mutating func scan(to end: Int, limit: Int, _ part: HTTPFailure.Part) -> (position: Int, reason: StopReason) {
    let isRequestLine = part == .requestLine
    var position = scanned
    return unsafe buffer.withUnsafeBufferPointer { bytes in
      while true {
        position = unsafe bytes.endOfText(from: position, to: end, isASCII: isRequestLine)
        guard position < end else { break }
        let byte = unsafe bytes[position]
        switch byte {
        case .tab where !isRequestLine: position += 1
        case .lineFeed: return (position, .failure(.bareLineFeed))
        case .carriageReturn:
          let next = position + 1
          // The limit counts the line feed.
          guard next < limit else { return (limit, .endOfBytes) }
          guard next < bytes.count else { return (position, .endOfBytes) }
          return unsafe (position, bytes[next] == .lineFeed ? .lineEnd : .failure(.bareCarriageReturn))
        default: return (position, .failure(.illegalByte(byte, part)))
        }
      }
      return (position, .endOfBytes)
    }
  }

  /// A method, a target and a version, with single spaces between.
  mutating func parseRequestLine(_ range: Range<Int>) throws(HTTPFailure) {
    let line = buffer[range]
    guard let first = line.place(of: .space), let last = line[(first + 1)...].place(of: .space),
      first > range.lowerBound, last > first + 1, line.lastIndex(of: .space) == last
    else { throw .requestLineParts }
    let target = line[(first + 1)..<last]
    if let byte = line[..<first].first(where: { !$0.isTokenByte }) { throw .illegalByte(byte, .method) }
    head.minorVersion = try Self.minorVersion(line[(last + 1)...])
    head.method = String(decoding: line[..<first], as: UTF8.self)
    try head.parse(target: target)
  }

  /// 0 for HTTP/1.0, 1 for every later HTTP/1 (RFC 9110, section 2.5).
  private static func minorVersion(_ version: ArraySlice<UInt8>) throws(HTTPFailure) -> Int {
    let start = version.startIndex
    guard version.count == 8, version.prefix(5).spells("HTTP/"), version[start + 5].isASCIIDigit,
      version[start + 6] == UInt8(ascii: "."), version[start + 7].isASCIIDigit
    else { throw .malformedVersion }
    guard version[start + 5] == UInt8(ascii: "1") else {
      throw .unsupportedVersion(String(decoding: version, as: UTF8.self))
    }
    return version[start + 7] == UInt8(ascii: "0") ? 0 : 1
  }

  /// Where the parts of `name: value` are, blanks around the value aside.
  func field(_ range: Range<Int>) throws(HTTPFailure) -> HTTPFields.Slot {
    // Not a slice, whose every access counts a reference.
    let (slot, failure): (HTTPFields.Slot, HTTPFailure?) = unsafe buffer.withUnsafeBufferPointer { bytes in
      let none = HTTPFields.Slot(name: range, value: range)
      // A blank here is a folded line, or one that would be left out by some and read by others.
      if let first = range.first, unsafe bytes[first].isBlank { return (none, .foldedField) }
      guard let colon = range.first(where: { unsafe !bytes[$0].isTokenByte }) else { return (none, .fieldWithoutColon) }
      let byte = unsafe bytes[colon]
      guard byte == UInt8(ascii: ":") else {
        let hasColon = range.contains { unsafe bytes[$0] == UInt8(ascii: ":") }
        return (none, hasColon ? .illegalByte(byte, .fieldName) : .fieldWithoutColon)
      }
      guard colon > range.lowerBound else { return (none, .fieldWithoutName) }
      var (start, end) = (colon + 1, range.upperBound)
      while start < end, unsafe bytes[start].isBlank { start += 1 }
      while start < end, unsafe bytes[end - 1].isBlank { end -= 1 }
      return (HTTPFields.Slot(name: range.lowerBound..<colon, value: start..<end), nil)
    }
    if let failure { throw failure }
    return slot
  }

  /// Takes a line of the head, without its line end.
  mutating func parse(_ range: Range<Int>) throws(HTTPFailure) {
    switch phase {
    case .requestLine where range.isEmpty && !skippedEmptyLine:
      // Some clients send an empty line behind a body (RFC 9112, section 2.2).
      skippedEmptyLine = true
    case .requestLine:
      try parseRequestLine(range)
      // More than most requests have.
      head.slots.reserveCapacity(16)
      phase = .fields
    case .fields where range.isEmpty:
      try head.check(limits)
      if head.isChunked { beginChunks(behind: range.upperBound + 2) } else { phase = .body }
    case .fields:
      guard head.slots.count < limits.fields else { throw .tooManyFields(limit: limits.fields) }
      let slot = try field(range)
      head.slots.append(slot.moved(by: -start))
      try head.parse(buffer[slot.value], of: buffer[slot.name])
    case .chunkLine: try parseChunkLine(range)
    case .trailers: try parseTrailer(range)
    case .body, .chunk, .chunkEnd: break
    }
  }

  /// Goes on behind what was read.
  mutating func advance(to position: Int) {
    line = position
    scanned = position
    // Bytes of chunks that were read are not kept.
    if phase != .fields, phase != .body { start = position }
  }

  /// The request that has come whole; the parser begins with the next.
  mutating func finish() -> Step {
    let end = line + (head.contentLength ?? 0)
    let request = HTTPRequest(
      method: head.method, target: head.target,
      headers: HTTPFields(bytes: head.isChunked ? chunks.head : Array(buffer[start..<line]), slots: head.slots),
      body: head.isChunked ? chunks.body : Array(buffer[line..<end]))
    let persistence = HTTPPersistence(minorVersion: head.minorVersion, keepsAlive: head.keepsAlive)
    head = HTTPRequestHead()
    chunks = HTTPChunks()
    phase = .requestLine
    skippedEmptyLine = false
    start = end
    line = end
    scanned = end
    if end == buffer.count { compact() }
    return .request(request, persistence)
  }

  /// Forgets what is answered. A buffer that a large body has stretched is given back.
  mutating func compact() {
    guard start > 0 else { return }
    if start < buffer.count {
      buffer.removeSubrange(..<start)
    } else {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 8192)
    }
    line -= start
    scanned -= start
    start = 0
  }
}

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
