/// Why the server answered a request on its own and closed the connection.
package enum HTTPFailure: Error, Equatable, Sendable {
  /// A part of a request in which a byte may not be.
  package enum Part: String, Equatable, Sendable {
    case requestLine = "request line"
    case method
    case fieldName = "header name"
    case fieldLine = "header line"
    case chunkLine = "chunk's first line"
  }

  /// A byte that this part may not have, such as NUL anywhere or a blank before a header's colon.
  case illegalByte(UInt8, Part)
  /// A line feed without a carriage return before it.
  case bareLineFeed
  /// A carriage return without a line feed behind it.
  case bareCarriageReturn
  /// Not exactly a method, a target and a version with single spaces between; HTTP/0.9 has no version.
  case requestLineParts
  /// The third part is not a version such as `HTTP/1.1`.
  case malformedVersion
  /// A version whose first number is not 1.
  case unsupportedVersion(String)
  /// Neither a path nor an absolute http URL, or one with a fragment or a user.
  case malformedTarget
  /// The method CONNECT, which asks for a tunnel.
  case connectMethod
  /// HTTP/1.1 without a `Host`.
  case missingHost
  /// More than one `Host`.
  case severalHosts
  /// A `Host` that is not a host, or a host and a port.
  case malformedHost
  /// A header line that goes on in the next line.
  case foldedField
  /// A header line without a colon.
  case fieldWithoutColon
  /// A header line that begins with its colon.
  case fieldWithoutName
  /// A `Content-Length` that is not a plain number.
  case malformedContentLength
  /// More than one `Content-Length`.
  case severalContentLengths
  /// A `Transfer-Encoding` that is not exactly `chunked`, or more than one.
  case transferEncoding
  /// A `Transfer-Encoding` in HTTP/1.0, which has none.
  case transferEncodingInHTTP10
  /// A `Transfer-Encoding` and a `Content-Length`, which contradict each other.
  case contradictoryLengths
  /// A chunk that does not begin with its size in hexadecimal digits.
  case malformedChunkSize
  /// A chunk with no line end behind as many bytes as its size says.
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
