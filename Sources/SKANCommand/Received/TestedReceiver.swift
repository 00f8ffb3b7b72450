import SKANBase
import SKANCommandLine
import SKANDevice
import SKANHTTP
import SKANReceive

/// The receiver under test. Requests go only to the address that was given.
final class TestedReceiver {
  /// The interval between deliveries.
  static let pace = Option<Double?>(
    "pace", "DURATION", .seconds,
    "wait this long between deliveries, such as 200ms, for a receiver that limits their rate")

  /// The address without its query, for messages.
  let name: String
  /// Whether the path is Apple's without its trailing slash.
  let lacksSlash: Bool
  private let skAdNetwork: Target
  private let adAttributionKit: Target
  private let environment: Environment
  private let limits: HTTPAnswerLimits
  private let pace: Double
  /// Reports a wait that the receiver asks for.
  private let note: (String) -> Void
  /// The reason why the first delivery could not connect; nil if it could.
  private(set) var failure: String?
  private var isFirst = true
  private var hasToldOfLimit = false

  init(
    _ given: GivenText, pace: Double, maxTime: Double, note: @escaping (String) -> Void, _ environment: Environment
  ) throws(CommandError) {
    let named = try ValueParser<PostbackURL>.postbackURL.parse(given)
    let (path, paths) = (named.address.path, [PostbackURL.developerPath, PostbackURL.adAttributionKitPath])
    let isApples = paths.contains { path == $0 || path == $0.dropLast() }
    let lacksSlash = isApples && !path.hasSuffix("/")
    let targets = paths.map { applesPath in
      // Apple derives the paths from the domain. On any other path a receiver takes the postbacks of both frameworks.
      if path == "/" { return Target(named.server(path: applesPath), path: applesPath) }
      let own = lacksSlash ? String(applesPath.dropLast()) : applesPath
      return Target(isApples && path != own ? named.sibling(path: own) : named, path: applesPath)
    }
    (skAdNetwork, adAttributionKit, self.lacksSlash) = (targets[0], targets[1], lacksSlash)
    name = (path == "/" ? skAdNetwork.url : named).address.text
    self.environment = environment
    limits = HTTPAnswerLimits(seconds: maxTime)
    self.pace = pace
    self.note = note
    try environment.prepareToSend()
  }

  /// Where the postbacks of a framework go.
  private struct Target {
    let url: PostbackURL
    /// The URL with the trailing slash of Apple's path added or removed; nil for any other path.
    let otherEnd: PostbackURL?
    /// Apple's path.
    let path: String

    init(_ url: PostbackURL, path: String) {
      (self.url, self.path) = (url, path)
      let withoutSlash = String(path.dropLast())
      otherEnd =
        switch url.address.path {
        case path: url.sibling(path: withoutSlash)
        case withoutSlash: url.sibling(path: path)
        default: nil
        }
    }
  }

  private func target(of delivery: ReceiverDelivery) -> Target {
    switch delivery.framework {
    case .skAdNetwork: skAdNetwork
    case .adAttributionKit: adAttributionKit
    }
  }

  /// Makes a delivery, and repeats it when the receiver asks for a later time.
  ///
  /// - Returns: nil if there is no receiver; ``failure`` gives the reason.
  func deliver(_ delivery: ReceiverDelivery) throws(CommandError) -> ReceiverFinding? {
    if environment.isInterrupted() { throw .interrupted }
    if !isFirst, pace > 0 { environment.sleep(pace) }
    defer { isFirst = false }
    let target = target(of: delivery)
    let url = target.url
    switch delivery.sending {
    case .whole(let method, let hasOtherEnd, let contentType, let body):
      // URLSession may lose an answer that arrives while the body is still being sent. A wrong answer would then pass
      // as a closed connection.
      if delivery.right == .refusedOrClosed, url.address.scheme == .http {
        return try raw(delivery, RawDelivery([body], to: url))
      }
      guard let target = hasOtherEnd ? target.otherEnd : url else {
        return ReceiverFinding(delivery, .notEvaluated("the path is not Apple's, \(target.path)"))
      }
      return try whole(delivery, target.text, method, contentType, body)
    case .chunked(let body): return try raw(delivery, .chunked(body, to: url))
    case .slowly(let body, let beside): return try raw(delivery, .slowly(body, beside: beside, to: url))
    case .brokenOff(let body): return try raw(delivery, .brokenOff(body, to: url))
    case .atOnce(let bodies): return try raw(delivery, RawDelivery(bodies, to: url))
    }
  }

  private func whole(
    _ delivery: ReceiverDelivery, _ target: String, _ method: String, _ contentType: String, _ body: [UInt8]
  ) throws(CommandError) -> ReceiverFinding? {
    let headers = HTTPFields(
      [HTTPField(PostbackSender.header, "network")]
        + (method == "GET" ? [] : [HTTPField("Content-Type", contentType)]))
    let request = HTTPRequest(method: method, target: HTTPTarget(target), headers: headers, body: body)
    return try untilTaken(delivery) { (_) throws(CommandError) in
      let ending = environment.send(request, limits)
      if isFirst, case .failure(let failure) = ending, failure.isOfConnection {
        self.failure = failure.message(url: target)
        return nil
      }
      let answer = ending.map { exchange in
        HTTPRawAnswer(
          status: exchange.response.status, seconds: exchange.seconds,
          retryAfter: exchange.response.headers["Retry-After"])
      }
      return [try self.answer(answer, to: delivery)]
    }
  }

  /// Makes a delivery over raw connections.
  private func raw(_ delivery: ReceiverDelivery, _ raw: RawDelivery) throws(CommandError) -> ReceiverFinding? {
    let url = target(of: delivery).url
    guard url.address.scheme == .http else {
      return ReceiverFinding(delivery, .notEvaluated("over https such a request cannot be made here"))
    }
    return try untilTaken(delivery, count: raw.requests.count) { (indices) throws(CommandError) in
      let isWhole = indices.count == raw.requests.count
      let part = isWhole ? raw : raw.only(indices)
      let endings = environment.sendRaw(part.requests, url.address, limits.seconds + part.seconds)
      var answers: [ReceiverFinding.Answer] = []
      for (index, ending) in endings.enumerated() {
        let answer = try answer(ending, to: delivery)
        if index == 1, let end = part.secondBefore, case .success(let raw) = ending, raw.seconds >= end,
          case .status(let status) = answer
        {
          answers.append(.late(status: status, why: "but only when the slow one was there"))
        } else {
          answers.append(answer)
        }
      }
      return answers
    }
  }

  /// Sends the requests of a delivery, and repeats those that the receiver wants later.
  ///
  /// - Parameter send: sends the requests at these indices; returns nil if there is no receiver.
  private func untilTaken(
    _ delivery: ReceiverDelivery, count: Int = 1,
    _ send: ([Int]) throws(CommandError) -> [ReceiverFinding.Answer]?
  ) throws(CommandError) -> ReceiverFinding? {
    var answers: [ReceiverFinding.Answer] = []
    var open = Array(0..<count)
    var limit = RateLimit()
    while true {
      guard let new = try send(open) else { return nil }
      if answers.isEmpty { answers = new } else { for (index, answer) in zip(open, new) { answers[index] = answer } }
      open = answers.indices.filter { if case .limited = answers[$0] { true } else { false } }
      guard let first = open.first, case .limited(let status, let retryAfter) = answers[first] else {
        return ReceiverFinding(delivery, answers: answers)
      }
      switch limit.wait(retryAfter, at: environment.now()) {
      case .seconds(let seconds):
        if !hasToldOfLimit {
          note("the receiver answers \(status), so the test waits and sends again; --pace makes it slower")
        }
        hasToldOfLimit = true
        environment.sleep(seconds)
        if environment.isInterrupted() { throw .interrupted }
      case .tooLong(let reason):
        return ReceiverFinding(delivery, .limited("the receiver answers \(status): \(reason)"))
      }
    }
  }

  private func answer(
    _ ending: Result<HTTPRawAnswer, TransportFailure>, to delivery: ReceiverDelivery
  ) throws(CommandError) -> ReceiverFinding.Answer {
    switch ending {
    case .success(let answer) where answer.status == 429 || answer.status == 503 && answer.retryAfter != nil:
      return .limited(status: answer.status, retryAfter: answer.retryAfter)
    case .success(let answer): return .status(answer.status)
    case .failure(.interrupted): throw .interrupted
    case .failure(.closedWithoutAnswer), .failure(.connectionReset), .failure(.truncated): return .closed
    // A connection closed while the body is being sent is reported in many ways.
    case .failure(.other) where delivery.right == .refusedOrClosed: return .closed
    case .failure(let failure): return .none(failure.message(url: name))
    }
  }
}

/// The waits for a receiver that limits the rate, for one delivery.
struct RateLimit {
  /// The longest wait in seconds, and the maximum number of waits. Beyond them, a test would take hours.
  private static let (longest, most) = (60.0, 5)

  private var count = 0

  enum Wait: Equatable {
    case seconds(Double)
    /// The reason not to wait.
    case tooLong(String)
  }

  /// The next wait: the time that the receiver asks for, or else 1 s, 2 s, 4 s and so on.
  ///
  /// - Parameter retryAfter: the header's value, in seconds or as an HTTP date.
  mutating func wait(_ retryAfter: String?, at now: Instant) -> Wait {
    defer { count += 1 }
    if count == Self.most {
      return .tooLong("also at the \((count + 1).ordinal) attempt; --pace makes the test slower")
    }
    let seconds = retryAfter.flatMap { Self.seconds($0, at: now) } ?? Double(1 << count)
    if seconds > Self.longest {
      return .tooLong("it asks for a wait of \(Int(seconds.rounded(.up))) s, and a test waits 60 s at most")
    }
    return .seconds(max(seconds, 0.1))
  }

  /// `120`, or `Wed, 21 Oct 2026 07:28:00 GMT`; nil for any other text.
  private static func seconds(_ text: String, at now: Instant) -> Double? {
    if let seconds = Int64(text) { return Double(max(seconds, 0)) }
    let parts = text.split(separator: " ")
    guard parts.count == 6, parts[5] == "GMT", let month = HTTPDate.months.firstIndex(of: String(parts[2])) else {
      return nil
    }
    let number = String(month + 1).leftPadded(to: 2, with: "0")
    guard let time = Instant(iso8601: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z") else { return nil }
    return Double(max(time.microseconds - now.microseconds, 0)) / 1_000_000
  }
}

extension TransportFailure {
  /// Whether no connection was established.
  fileprivate var isOfConnection: Bool {
    switch self {
    case .noSuchHost, .connectionRefused, .unreachable, .noHelper, .badURL, .tls: true
    default: false
    }
  }
}

/// Requests that are made at the same time, each over its own connection.
struct RawDelivery {
  let requests: [HTTPRawRequest]
  /// The time in seconds that sending takes.
  var seconds = 0.0
  /// The time in seconds by which the second request must be answered; nil if the order does not matter.
  var secondBefore: Double?

  init(_ requests: [HTTPRawRequest]) { self.requests = requests }

  /// One request for each body, sent as a whole.
  init(_ bodies: [[UInt8]], to url: PostbackURL) {
    self.init(
      bodies.map { body in
        HTTPRawRequest(pieces: [HTTPRawRequest.Piece(at: 0, url.rawHead(length: body.count) + body)])
      })
  }

  /// A request that ends the connection after the first half of its body.
  static func brokenOff(_ body: [UInt8], to url: PostbackURL) -> RawDelivery {
    let piece = HTTPRawRequest.Piece(at: 0, url.rawHead(length: body.count) + body.prefix(body.count / 2))
    return RawDelivery([HTTPRawRequest(pieces: [piece], endsOutput: true)])
  }

  /// A request whose body is sent in two chunks.
  static func chunked(_ body: [UInt8], to url: PostbackURL) -> RawDelivery {
    let middle = body.count / 2
    var bytes = url.rawHead(length: nil)
    for chunk in [body[..<middle], body[middle...]] {
      bytes += "\(String(chunk.count, radix: 16))\r\n".utf8
      bytes += chunk
      bytes += "\r\n".utf8
    }
    bytes += "0\r\n\r\n".utf8
    let piece = HTTPRawRequest.Piece(at: 0, bytes)
    return RawDelivery([HTTPRawRequest(pieces: [piece])])
  }

  /// A request that is sent in pieces, and another one in the middle of it.
  static func slowly(_ body: [UInt8], beside: [UInt8], to url: PostbackURL) -> RawDelivery {
    // The time in seconds of the last piece, and the number of pieces.
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

  /// A subset of the requests, without a condition on the order of their answers.
  func only(_ indices: [Int]) -> RawDelivery {
    var delivery = RawDelivery(indices.map { requests[$0] })
    delivery.seconds = seconds
    return delivery
  }
}

extension PostbackURL {
  /// The head of a POST to this URL.
  ///
  /// - Parameter length: the length of the body in bytes; nil for a chunked body.
  fileprivate func rawHead(length: Int?) -> [UInt8] {
    let query = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst()
    let target = ([address.path] + query.map(String.init)).joined(separator: "?")
    return HTTPRawRequest.head(
      of: address, target: target, length: length, field: HTTPField(PostbackSender.header, "network"))
  }
}
