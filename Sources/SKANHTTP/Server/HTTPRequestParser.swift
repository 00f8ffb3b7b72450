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
  /// What is known after the bytes so far.
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
