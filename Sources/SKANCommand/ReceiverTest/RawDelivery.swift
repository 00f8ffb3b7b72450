import SKANHTTP

/// Requests that are made at the same time, over connections of their own.
protocol RawDelivery {
  var requests: [HTTPRawRequest] { get }
  /// How long sending takes.
  var seconds: Double { get }
}

/// All of it at once.
struct PlainDelivery: RawDelivery {
  let requests: [HTTPRawRequest]
  let seconds = 0.0

  init(_ requests: [HTTPRawRequest]) { self.requests = requests }
}

/// One in pieces, and another one in the middle of it.
struct SlowDelivery: RawDelivery {
  /// When the last piece is sent.
  static let end = 3.0
  private static let pieces = 6

  let requests: [HTTPRawRequest]
  let seconds = Self.end

  init(_ body: [UInt8], _ beside: [UInt8], to url: PostbackURL) {
    let head = url.rawHead(length: body.count)
    let size = body.count / Self.pieces + 1
    var pieces = [HTTPRawRequest.Piece(at: 0, head)]
    for index in 0..<Self.pieces {
      let part = body.dropFirst(index * size).prefix(size)
      pieces.append(HTTPRawRequest.Piece(at: Self.end * Double(index + 1) / Double(Self.pieces), Array(part)))
    }
    let other = url.rawHead(length: beside.count) + beside
    requests = [HTTPRawRequest(pieces: pieces), HTTPRawRequest(pieces: [HTTPRawRequest.Piece(at: 0.5, other)])]
  }
}

extension PostbackURL {
  /// The head of a POST to it.
  func rawHead(length: Int) -> [UInt8] {
    let query = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
    let target = ([address.path] + query.map(String.init)).joined(separator: "?")
    return HTTPRawRequest.head(
      of: address, target: target, length: length, field: HTTPField(PostbackCourier.header, "network"))
  }
}
