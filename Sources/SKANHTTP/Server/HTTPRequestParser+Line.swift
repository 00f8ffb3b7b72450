import SKANBase

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
}
