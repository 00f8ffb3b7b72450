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

  /// One sentence for the person whose client sent this. It holds nothing that the client chose but single bytes and
  /// the digits of a version.
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
