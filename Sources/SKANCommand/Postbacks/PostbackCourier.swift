import SKANDevice
import SKANHTTP
import SKANJSON
import SKANStorage

/// Delivers what has left a phone, as the phone would: to the ad network, and a copy of a winning one to the developer;
/// what does not arrive again every day of the phone's time, up to nine times (the article "Postbacks").
struct PostbackCourier {
  /// Says that a request is simulated, and for whom it is.
  static let header = "X-SKAN-Simulated"

  private let addresses: [Delivery.Recipient: PostbackURL]
  private let environment: Environment
  private let answerLimits: HTTPAnswerLimits
  private let signer: PostbackSigner
  private let isVerbose: Bool

  /// Nil when nothing is to be sent.
  init?(_ invocation: Invocation, _ signer: PostbackSigner) throws(CommandError) {
    // The variable of --send does not count where --tier is asked for.
    let ways = invocation.preferred([PostbacksCommand.tier, PostbacksCommand.send])
    guard ways.last == PostbacksCommand.send, let network = try invocation[PostbacksCommand.send] else {
      // Its variable may stand there for other calls.
      if invocation.isGiven(PostbacksCommand.developer) {
        throw invocation.usage(
          "\(invocation.name(of: PostbacksCommand.developer)) goes with --\(PostbacksCommand.send.name)")
      }
      return nil
    }
    var addresses: [Delivery.Recipient: PostbackURL] = [.network: network]
    switch try invocation[PostbacksCommand.developer] {
    case nil: addresses[.developer] = network.developerCopy
    case .to(let url)?: addresses[.developer] = url
    case .nowhere?: break
    }
    self.addresses = addresses
    self.signer = signer
    isVerbose = invocation[.verbose]
    environment = invocation.environment
    answerLimits = HTTPAnswerLimits(seconds: try invocation[.maxTime], bytes: try invocation[.maxAnswer])
  }

  /// Makes every attempt that is due, in the order of the phone's time.
  ///
  /// Each is recorded before it is made, and again with its ending: one whose end this process does not reach
  /// of is an attempt all the same, and the next is made a day later. So a postback arrives at least once, as Apple's do.
  ///
  /// - Parameter save: writes the file.
  /// - Returns: whether all that has left has arrived.
  func deliver(
    _ postbacks: [Postback], by now: Instant, of file: inout DeviceFile,
    save: (DeviceFile) throws(CommandError) -> Void
  ) throws(CommandError) -> ExitCode {
    let attempts = try signer.signed(postbacks.filter { $0.state == .sent }).flatMap(attempts)
    while let (attempt, at) = Self.next(attempts, after: file.deliveries), at <= now {
      file.deliveries.append(
        Delivery(
          at: at, transactionID: attempt.content.transactionID, window: attempt.postback.window,
          recipient: attempt.recipient, url: attempt.url.address.text, result: .unknown))
      try save(file)
      let (result, isInterrupted) = post(attempt)
      file.deliveries[file.deliveries.count - 1].result = result
      try save(file)
      if isInterrupted { throw .interrupted }
    }
    // No answer at all says more of what is wrong than a wrong one.
    let endings = attempts.map { $0.ending(file.deliveries) }
    return endings.contains(.unavailable) ? .unavailable : endings.first { $0 != .ok } ?? .ok
  }

  /// A postback and its receiver.
  private struct Attempt {
    let postback: Postback
    let content: PostbackContent
    let recipient: Delivery.Recipient
    let url: PostbackURL

    /// What became of it so far.
    func ending(_ deliveries: [Delivery]) -> ExitCode {
      switch deliveries.last(where: { $0.recipient == recipient && $0.isOf(postback) })?.result {
      case nil, .answered(200)?: .ok
      case .answered?: .badAnswer
      case .failed?: .unavailable
      }
    }
  }

  private func attempts(_ postback: Postback) -> [Attempt] {
    guard let content = postback.content else { return [] }
    return Delivery.Recipient.allCases.compactMap { recipient in
      guard let url = addresses[recipient], recipient == .network || content.didWin ?? true else { return nil }
      return Attempt(postback: postback, content: content, recipient: recipient, url: url)
    }
  }

  private static func next(_ attempts: [Attempt], after deliveries: [Delivery]) -> (Attempt, Instant)? {
    attempts.compactMap { attempt in
      Delivery.nextAttempt(of: attempt.postback, to: attempt.recipient, after: deliveries).map { (attempt, $0) }
    }.min { $0.1 < $1.1 }
  }

  /// One attempt. One that is interrupted may have arrived, so it is an attempt like any other.
  private func post(_ attempt: Attempt) -> (Delivery.Result, isInterrupted: Bool) {
    let body = JSONWriter.text(attempt.content.json)
    let request = HTTPRequest.post(
      attempt.url.text, headers: [HTTPField(Self.header, attempt.recipient.rawValue)], body: Array(body.utf8))
    let ending = environment.send(request, answerLimits)
    if isVerbose { trace(request, body, ending) }
    return switch ending {
    case .success(let exchange): (.answered(status: Int64(exchange.response.status)), isInterrupted: false)
    case .failure(.interrupted): (.failed("interrupted before an answer came"), isInterrupted: true)
    case .failure(let failure): (.failed(failure.message(url: attempt.url.text)), isInterrupted: false)
    }
  }

  /// Shows what went over the wire.
  private func trace(_ request: HTTPRequest, _ body: String, _ ending: Result<HTTPExchange, TransportFailure>) {
    let sent = HTTPHop(request).lines { $0 } + ["> \(body)"]
    let answer =
      switch ending {
      case .success(let exchange): Self.lines(exchange.response)
      case .failure(let failure): ["* \(failure.message(url: request.target.text))"]
      }
    for line in sent + answer { environment.writeError("\(line)\n") }
  }
}

extension PostbackCourier {
  private static func lines(_ response: HTTPResponse) -> [String] {
    ["< HTTP \(response.status)"] + response.headers.map { "< \($0.name): \($0.value)" }
      + (response.body.isEmpty ? [] : ["<", "< \(Trace.displayText(response.body).oneLine)"])
      + Trace.rest(of: response.body)
  }
}
