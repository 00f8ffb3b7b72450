extension HTTPRequestParser {
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
