/// Why the server itself answered a request and closed the connection.
package enum HTTPFailure: Error, Equatable, Sendable {
  /// A part of a request that contains an invalid byte.
  package enum Part: String, Equatable, Sendable {
    case requestLine = "request line"
    case method
    case fieldName = "header name"
    case fieldLine = "header line"
    case chunkLine = "chunk's first line"
  }

  /// A byte that is not allowed in this part, such as NUL, or a blank before a header's colon.
  case illegalByte(UInt8, Part)
  /// A line feed without a preceding carriage return.
  case bareLineFeed
  /// A carriage return without a following line feed.
  case bareCarriageReturn
  /// Not exactly a method, a target and a version separated by single spaces; HTTP/0.9 has no version.
  case requestLineParts
  /// The third part is not a version such as `HTTP/1.1`.
  case malformedVersion
  /// A version with a major number other than 1.
  case unsupportedVersion(String)
  /// Neither a path nor an absolute http URL, or one with a fragment or a user.
  case malformedTarget
  /// The method CONNECT, which requests a tunnel.
  case connectMethod
  /// HTTP/1.1 without a `Host`.
  case missingHost
  /// More than one `Host`.
  case severalHosts
  /// A `Host` that is not a host with an optional port.
  case malformedHost
  /// A header line that continues on the next line.
  case foldedField
  /// A header line without a colon.
  case fieldWithoutColon
  /// A header line that begins with its colon.
  case fieldWithoutName
  /// A `Content-Length` that is not a plain number.
  case malformedContentLength
  /// More than one `Content-Length`.
  case severalContentLengths
  /// A `Transfer-Encoding` that is not exactly `chunked`, or several.
  case transferEncoding
  /// A `Transfer-Encoding` in HTTP/1.0, which does not have it.
  case transferEncodingInHTTP10
  /// A `Transfer-Encoding` and a `Content-Length`, which contradict each other.
  case contradictoryLengths
  /// A chunk that does not begin with its size in hexadecimal digits.
  case malformedChunkSize
  /// A chunk without a line end after the number of bytes in its size.
  case malformedChunkEnd
  /// See ``HTTPLimits/body``.
  case chunkFramingTooLong(limit: Int)
  /// An `Expect` that is not `100-continue`.
  case unknownExpectation
  /// See ``HTTPLimits/requestLine``.
  case requestLineTooLong(limit: Int)
  /// See ``HTTPLimits/head``.
  case headTooLong(limit: Int)
  /// See ``HTTPLimits/fields``.
  case tooManyFields(limit: Int)
  /// See ``HTTPLimits/body``.
  case bodyTooLong(limit: Int)
  /// See ``HTTPLimits/headSeconds``.
  case slowHead(seconds: Double)
  /// See ``HTTPLimits/bodySeconds``.
  case slowBody(seconds: Double)
  /// See ``HTTPLimits/connections``.
  case tooManyConnections(limit: Int)
  /// See ``HTTPLimits/buffered``.
  case tooMuchBuffered(limit: Int)
}

extension HTTPFailure {
  /// The status of the answer.
  package var status: Int {
    switch self {
    case .illegalByte, .bareLineFeed, .bareCarriageReturn, .requestLineParts, .malformedVersion, .malformedTarget,
      .missingHost, .severalHosts, .malformedHost, .foldedField, .fieldWithoutColon, .fieldWithoutName,
      .malformedContentLength, .severalContentLengths, .contradictoryLengths, .transferEncodingInHTTP10,
      .malformedChunkSize, .malformedChunkEnd:
      400
    case .slowHead, .slowBody: 408
    case .bodyTooLong: 413
    case .requestLineTooLong: 414
    case .unknownExpectation: 417
    case .headTooLong, .tooManyFields, .chunkFramingTooLong: 431
    case .connectMethod, .transferEncoding: 501
    case .tooManyConnections, .tooMuchBuffered: 503
    case .unsupportedVersion: 505
    }
  }

  /// A sentence for the person whose client sent the request. It quotes nothing from the request except single bytes
  /// and the digits of a version.
  package var sentence: String {
    switch self {
    case .illegalByte(let byte, let part):
      "The byte 0x\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true)) cannot be in a \(part.rawValue)."
    case .bareLineFeed: "A line of the request ends with a line feed that has no carriage return before it."
    case .bareCarriageReturn: "The request has a carriage return with no line feed behind it."
    case .requestLineParts: "The request line must be a method, a target and a version, with one space between them."
    case .malformedVersion: "The request line must end with HTTP/1.1 or HTTP/1.0."
    case .unsupportedVersion(let version): "This server speaks HTTP/1.1 and HTTP/1.0, not \(version)."
    case .malformedTarget: "The request's target must be a path or an http URL, without a user and a fragment."
    case .connectMethod: "This server is not a proxy and opens no tunnels."
    case .missingHost: "An HTTP/1.1 request must have a Host header."
    case .severalHosts: "The request has more than one Host header."
    case .malformedHost: "The Host header must be a host, or a host and a port."
    case .foldedField: "A header line goes on in the next line, which HTTP no longer allows."
    case .fieldWithoutColon: "A header line has no colon."
    case .fieldWithoutName: "A header line has no name before its colon."
    case .malformedContentLength: "The Content-Length header must be a number of bytes."
    case .severalContentLengths: "The request has more than one Content-Length header."
    case .transferEncoding: "The only Transfer-Encoding that this server takes is chunked, once."
    case .transferEncodingInHTTP10: "An HTTP/1.0 request cannot have a Transfer-Encoding."
    case .malformedChunkSize: "A chunk of the request's body must begin with its size in hexadecimal digits."
    case .malformedChunkEnd: "A chunk of the request's body must end with a line end where its size says."
    case .chunkFramingTooLong(let limit):
      "The extensions and trailers of the request's chunks are longer than \(limit) bytes."
    case .contradictoryLengths: "A request cannot have both Content-Length and Transfer-Encoding."
    case .unknownExpectation: "This server knows no Expect header but 100-continue."
    case .requestLineTooLong(let limit): "The request line is longer than \(limit) bytes."
    case .headTooLong(let limit): "The request's headers are longer than \(limit) bytes."
    case .tooManyFields(let limit): "The request has more than \(limit) header lines."
    case .bodyTooLong(let limit): "The request's body is longer than \(limit) bytes."
    case .slowHead(let seconds): "The request's headers did not come whole within \(seconds) seconds."
    case .slowBody(let seconds): "The request's body did not come whole within \(seconds) seconds."
    case .tooManyConnections(let limit): "This server has \(limit) connections already; try again later."
    case .tooMuchBuffered: "This server holds too many unfinished requests and answers; try again later."
    }
  }

  /// The reply, after which the connection closes.
  var reply: HTTPReply { HTTPReply(.text(status, sentence), closes: true) }
}
