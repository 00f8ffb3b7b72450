import SKANBase

/// Parses the bytes of a connection into requests, however they are split into pieces.
///
/// It is strict where leniency has led servers and proxies to disagree about the end of a request (RFC 9112, section
/// 11.2): lines end with CR LF and do not continue, and the length is stated once, or is that of chunks. It scans no
/// byte twice, so that a client that sends single bytes costs no more than their number.
///
///     var parser = HTTPRequestParser(limits: HTTPLimits())
///     parser.feed(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
///     parser.next()  // .request
///     parser.next()  // .needMore
package struct HTTPRequestParser {
  /// The result of parsing the bytes so far.
  package enum Step: Equatable, Sendable {
    /// No complete request is left.
    case needMore
    /// The next request in order.
    case request(HTTPRequest, HTTPPersistence)
    /// The bytes cannot be a request. The parser stays at this step, because later bytes cannot be split into requests.
    case failure(HTTPFailure)
  }

  /// The state of the request at ``start``.
  enum Phase: Equatable {
    case requestLine
    case fields
    case body
    /// The line before a chunk of the body.
    case chunkLine
    case chunk
    /// The line end after a chunk.
    case chunkEnd
    /// The lines after the last chunk, up to the empty one.
    case trailers
  }

  let limits: HTTPLimits
  var buffer: [UInt8] = []
  /// The offset in ``buffer`` of the current request.
  var start = 0
  /// The offset of the current line; after the head, of the body.
  var line = 0
  /// No line ends before this offset.
  var scanned = 0
  var phase = Phase.requestLine
  var head = HTTPRequestHead()
  /// The state of a chunked body.
  var chunks = HTTPChunks()
  /// Whether the one empty line allowed before a request was read.
  var skippedEmptyLine = false
  private var failure: HTTPFailure?

  /// Whether the bytes cannot be a request.
  var hasFailed: Bool { failure != nil }

  package init(limits: HTTPLimits) {
    self.limits = limits
  }

  /// The number of bytes that wait for the rest of their request, or for ``next()``.
  package var buffered: Int { buffer.count - start + chunks.head.count + chunks.body.count }

  /// Whether no byte has come after the last request.
  package var isIdle: Bool { phase == .requestLine && buffered == 0 }

  /// Whether the head of a request is complete and its body is not.
  package var isInBody: Bool { phase != .requestLine && phase != .fields }

  /// Adds received bytes. After a failure they are ignored.
  package mutating func feed(_ bytes: UnsafeRawBufferPointer) {
    guard failure == nil else { return }
    compact()
    unsafe buffer.append(contentsOf: bytes)
  }

  /// Adds received bytes. After a failure they are ignored.
  package mutating func feed(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe feed($0) }
  }

  /// The next request. The caller repeats this until it returns ``Step/needMore``.
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

  /// Whether the client waits for `100 Continue` before it sends the body; true at most once per request.
  package mutating func consumeExpectation() -> Bool {
    guard isInBody, head.expectsContinue else { return false }
    head.expectsContinue = false
    // A client that has begun to send no longer waits (RFC 9110, section 10.1.1).
    return buffer.count == line && chunks.received == 0 && failure == nil
  }
}

extension HTTPRequestParser {
  /// The end of the current line, before its CR LF; nil if it has not arrived.
  ///
  /// Throws at the first invalid byte without waiting for the line's end, so that a TLS hello is refused at once.
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
          // The limit includes the line feed.
          guard next < limit else { return (limit, .endOfBytes) }
          guard next < bytes.count else { return (position, .endOfBytes) }
          return unsafe (position, bytes[next] == .lineFeed ? .lineEnd : .failure(.bareCarriageReturn))
        default: return (position, .failure(.illegalByte(byte, part)))
        }
      }
      return (position, .endOfBytes)
    }
  }

  /// Parses a method, a target and a version, separated by single spaces.
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

  /// The ranges of name and value in `name: value`, without blanks around the value.
  func field(_ range: Range<Int>) throws(HTTPFailure) -> HTTPFields.Slot {
    // Not a slice, which counts a reference at every access.
    let (slot, failure): (HTTPFields.Slot, HTTPFailure?) = unsafe buffer.withUnsafeBufferPointer { bytes in
      let none = HTTPFields.Slot(name: range, value: range)
      // A blank here continues the previous line, which some programs ignore and others read.
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

  /// Parses a line of the head, without its line end.
  mutating func parse(_ range: Range<Int>) throws(HTTPFailure) {
    switch phase {
    case .requestLine where range.isEmpty && !skippedEmptyLine:
      // Some clients send an empty line after a body (RFC 9112, section 2.2).
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

  /// Continues at an offset.
  mutating func advance(to position: Int) {
    line = position
    scanned = position
    // Bytes of chunks are not kept once read.
    if phase != .fields, phase != .body { start = position }
  }

  /// Returns the complete request, and prepares for the next one.
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

  /// Removes the bytes of answered requests, and releases a buffer that a large body has enlarged.
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

/// The state of reading a chunked body (RFC 9112, section 7.1).
struct HTTPChunks {
  /// The number of bytes of a chunk's line that do not count as ``framing``.
  static let freeLine = 16

  /// The bytes of the request's head, which leave the buffer before the body arrives.
  var head: [UInt8] = []
  /// The data of the chunks so far.
  var body: [UInt8] = []
  /// The number of bytes of the current chunk that have not arrived.
  var left = 0
  /// The number of bytes of extensions, of zeros before sizes, and of trailers.
  var framing = 0
  /// The numbers of lines of chunks and of trailers so far.
  var received = 0
  var trailers = 0
}

extension HTTPRequestParser {
  /// Begins a chunked body after the head.
  mutating func beginChunks(behind end: Int) {
    chunks.head = Array(buffer[start..<end])
    phase = .chunkLine
  }

  /// Parses the size of a chunk in hexadecimal digits; extensions are ignored.
  mutating func parseChunkLine(_ range: Range<Int>) throws(HTTPFailure) {
    let bytes = buffer[range]
    let digits = bytes.prefix { $0.hexValue != nil }
    let rest = bytes[digits.endIndex...]
    guard !digits.isEmpty, rest.isEmpty || rest.first(where: { !$0.isBlank }) == UInt8(ascii: ";") else {
      throw .malformedChunkSize
    }
    // A number too large for an `Int` exceeds every limit.
    let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) ?? .max
    guard size <= limits.body - chunks.body.count else { throw .bodyTooLong(limit: limits.body) }
    chunks.framing += max(0, range.count + 2 - HTTPChunks.freeLine)
    chunks.received += 1
    chunks.left = size
    phase = size == 0 ? .trailers : .chunk
  }

  /// Moves received bytes of a chunk to the body; false if the chunk is not complete.
  mutating func takeChunk() -> Bool {
    let count = min(chunks.left, buffer.count - line)
    chunks.body += buffer[line..<line + count]
    chunks.left -= count
    advance(to: line + count)
    if chunks.left == 0 { phase = .chunkEnd }
    return chunks.left == 0
  }

  /// Skips the line end after a chunk; false if it is not complete.
  mutating func takeChunkEnd() throws(HTTPFailure) -> Bool {
    let end = buffer[line...].prefix(2)
    guard "\r\n".utf8.starts(with: end) else { throw .malformedChunkEnd }
    guard end.count == 2 else { return false }
    phase = .chunkLine
    advance(to: line + 2)
    return true
  }

  /// Checks a trailer line, which must be a valid header line and is ignored.
  mutating func parseTrailer(_ range: Range<Int>) throws(HTTPFailure) {
    if range.isEmpty { return }
    guard chunks.trailers < limits.fields else { throw .tooManyFields(limit: limits.fields) }
    _ = try field(range)
    chunks.trailers += 1
    chunks.framing += range.count
  }
}
