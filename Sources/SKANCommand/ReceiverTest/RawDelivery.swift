import SKANHTTP

/// Requests that are made at the same time, over connections of their own.
struct RawDelivery {
  let requests: [HTTPRawRequest]
  /// How long sending takes.
  var seconds = 0.0
  /// When the second one must be answered; nil where the order does not matter.
  var secondBefore: Double?

  init(_ requests: [HTTPRawRequest]) { self.requests = requests }

  /// Each body as a whole.
  init(_ bodies: [[UInt8]], to url: PostbackURL) {
    self.init(
      bodies.map { body in
        HTTPRawRequest(pieces: [HTTPRawRequest.Piece(at: 0, url.rawHead(length: body.count) + body)])
      })
  }

  /// The first half of a body, and then the end of the connection.
  static func brokenOff(_ body: [UInt8], to url: PostbackURL) -> RawDelivery {
    let piece = HTTPRawRequest.Piece(at: 0, url.rawHead(length: body.count) + body.prefix(body.count / 2))
    return RawDelivery([HTTPRawRequest(pieces: [piece], endsOutput: true)])
  }

  /// A body in two chunks.
  static func chunked(_ body: [UInt8], to url: PostbackURL) -> RawDelivery {
    let middle = body.count / 2
    let chunks = [body[..<middle], body[middle...]].flatMap { chunk in
      Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
    }
    let piece = HTTPRawRequest.Piece(at: 0, url.rawHead(length: nil) + chunks + Array("0\r\n\r\n".utf8))
    return RawDelivery([HTTPRawRequest(pieces: [piece])])
  }

  /// One in pieces, and another one in the middle of it.
  static func slowly(_ body: [UInt8], beside: [UInt8], to url: PostbackURL) -> RawDelivery {
    // When the last piece is sent, and how many there are.
    let (end, count) = (3.0, 6)
    let size = body.count / count + 1
    var pieces = [HTTPRawRequest.Piece(at: 0, url.rawHead(length: body.count))]
    for index in 0..<count {
      let part = body.dropFirst(index * size).prefix(size)
      pieces.append(HTTPRawRequest.Piece(at: end * Double(index + 1) / Double(count), Array(part)))
    }
    let other = HTTPRawRequest.Piece(at: 0.5, url.rawHead(length: beside.count) + beside)
    var delivery = RawDelivery([HTTPRawRequest(pieces: pieces), HTTPRawRequest(pieces: [other])])
    (delivery.seconds, delivery.secondBefore) = (end, end)
    return delivery
  }

  /// Those requests alone, without the order of their answers.
  func only(_ indices: [Int]) -> RawDelivery {
    var delivery = RawDelivery(indices.map { requests[$0] })
    delivery.seconds = seconds
    return delivery
  }
}

extension PostbackURL {
  /// The head of a POST to it.
  ///
  /// - Parameter length: of the body; nil for one that comes in chunks.
  fileprivate func rawHead(length: Int?) -> [UInt8] {
    let query = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
    let target = ([address.path] + query.map(String.init)).joined(separator: "?")
    return HTTPRawRequest.head(
      of: address, target: target, length: length, field: HTTPField(PostbackCourier.header, "network"))
  }
}
