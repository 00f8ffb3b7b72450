import SKANHTTP
import SKANReceive
import SKANText

/// The receiver under test: only the address that was named is asked.
final class TestedReceiver {
  /// Without its query, for messages.
  let name: String
  private let url: PostbackURL
  /// Apple's path without its last slash; nil where the path is another one.
  private let urlWithoutSlash: String?
  private let environment: Environment
  private let limits: HTTPAnswerLimits
  /// Why no connection could be made, when that was so at the first delivery.
  private(set) var failure: String?
  private var isFirst = true

  init(_ invocation: Invocation) throws(CommandError) {
    let given = GivenText(text: invocation.positional[0], name: "URL", invocation: invocation)
    let named = try ValueParser<PostbackURL>.postbackURL.parse(given)
    // Apple derives the path from the domain.
    url = named.address.path == "/" ? named.developerCopy : try Self.withSlash(named, given)
    urlWithoutSlash = url.address.path == PostbackURL.developerPath ? Self.target(url) { String($0.dropLast()) } : nil
    name = url.address.text
    environment = invocation.environment
    limits = HTTPAnswerLimits(seconds: try invocation[.maxTime])
    try environment.prepareToSend()
  }

  /// The same address with the last slash of Apple's path.
  private static func withSlash(_ url: PostbackURL, _ given: GivenText) throws(CommandError) -> PostbackURL {
    guard url.address.path == PostbackURL.developerPath.dropLast() else { return url }
    return try ValueParser<PostbackURL>.postbackURL.parse(
      GivenText(text: target(url) { "\($0)/" }, name: given.name, invocation: given.invocation))
  }

  /// The whole URL with another end before its query.
  private static func target(_ url: PostbackURL, _ change: (Substring) -> String) -> String {
    let parts = url.text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    return ([change(parts[0])] + parts.dropFirst().map(String.init)).joined(separator: "?")
  }

  /// Makes a delivery.
  ///
  /// - Returns: nil when there is no receiver; ``failure`` says why.
  func deliver(_ delivery: ReceiverDelivery) throws(CommandError) -> ReceiverFinding? {
    if environment.isInterrupted() { throw .interrupted }
    defer { isFirst = false }
    switch delivery.sending {
    // URLSession may lose an answer that comes while the body is still being sent, and a wrong one would pass as closed.
    case .whole(_, _, _, let body) where delivery.right == .refusedOrClosed && url.address.scheme == .http:
      let piece = HTTPRawRequest.Piece(at: 0, url.rawHead(length: body.count) + body)
      return try raw(delivery, PlainDelivery([HTTPRawRequest(pieces: [piece])]))
    case .whole(let method, let isWithoutSlash, let contentType, let body):
      guard let target = isWithoutSlash ? urlWithoutSlash : url.text else {
        return ReceiverFinding(
          delivery, .notEvaluated("the path is not Apple's, \(PostbackURL.developerPath)"))
      }
      let headers = HTTPFields(
        [HTTPField(PostbackCourier.header, "network")]
          + (method == "GET" ? [] : [HTTPField("Content-Type", contentType)]))
      let request = HTTPRequest(method: method, target: HTTPTarget(target), headers: headers, body: body)
      let ending = environment.send(request, limits)
      if isFirst, case .failure(let failure) = ending, failure.isOfConnection {
        self.failure = failure.message(url: target)
        return nil
      }
      return ReceiverFinding(delivery, answers: [try answer(ending.map(\.response.status), to: delivery)])
    case .slowly(let body, let beside): return try raw(delivery, SlowDelivery(body, beside, to: url))
    case .brokenOff(let body):
      let head = url.rawHead(length: body.count)
      return try raw(
        delivery,
        PlainDelivery([
          HTTPRawRequest(
            pieces: [HTTPRawRequest.Piece(at: 0, head + body.prefix(body.count / 2))], endsOutput: true)
        ]))
    case .atOnce(let bodies):
      return try raw(
        delivery,
        PlainDelivery(
          bodies.map { body in
            HTTPRawRequest(pieces: [HTTPRawRequest.Piece(at: 0, url.rawHead(length: body.count) + body)])
          }))
    }
  }

  /// One over connections of its own.
  private func raw(_ delivery: ReceiverDelivery, _ raw: some RawDelivery) throws(CommandError) -> ReceiverFinding {
    guard url.address.scheme == .http else {
      return ReceiverFinding(delivery, .notEvaluated("over https such a request cannot be made here"))
    }
    let endings = environment.sendRaw(raw.requests, url.address, limits.seconds + raw.seconds)
    var answers: [ReceiverFinding.Answer] = []
    for (index, ending) in endings.enumerated() {
      let answer = try answer(ending.map(\.status), to: delivery)
      if case .success(let raw) = ending, case .status(let status) = answer, let why = self.late(raw, index, delivery) {
        answers.append(.late(status: status, why: why))
      } else {
        answers.append(answer)
      }
    }
    return ReceiverFinding(delivery, answers: answers)
  }

  /// Why an answer came too late; nil when it did not.
  private func late(_ answer: HTTPRawAnswer, _ index: Int, _ delivery: ReceiverDelivery) -> String? {
    guard case .slowly = delivery.sending, index == 1, answer.seconds >= SlowDelivery.end else { return nil }
    return "but only when the slow one was there"
  }

  private func answer(
    _ ending: Result<Int, TransportFailure>, to delivery: ReceiverDelivery
  ) throws(CommandError) -> ReceiverFinding.Answer {
    switch ending {
    case .success(let status): return .status(status)
    case .failure(.interrupted): throw .interrupted
    case .failure(.closedWithoutAnswer), .failure(.connectionReset), .failure(.truncated): return .closed
    // A connection that is closed while the body is sent has many names.
    case .failure(.other) where delivery.right == .refusedOrClosed: return .closed
    case .failure(let failure): return .none(failure.message(url: name))
    }
  }
}

extension TransportFailure {
  /// Whether there was no one to send to.
  fileprivate var isOfConnection: Bool {
    switch self {
    case .noSuchHost, .connectionRefused, .unreachable, .noHelper, .badURL, .tls: true
    default: false
    }
  }
}
