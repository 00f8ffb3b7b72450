import SKANDevice
import SKANHTTP
import SKANBase
import SKANSystem
import SKANRun

/// Where postbacks go.
struct DeliveryOptions: Sendable {
  /// The ad network.
  let network: PostbackURL
  /// Nil is Apple's path on the server of the ad network.
  let developer: DeveloperCopy?
  let limits: HTTPAnswerLimits
  let isVerbose: Bool
}

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
  /// For answers: a receiver gets no SDK key from here, but may know it.
  private let redactor: Redactor

  init(_ options: DeliveryOptions, _ signer: PostbackSigner, _ redactor: Redactor, _ environment: Environment) {
    var addresses: [Delivery.Recipient: PostbackURL] = [.network: options.network]
    switch options.developer {
    case nil: addresses[.developer] = options.network.developerCopy
    case .to(let url)?: addresses[.developer] = url
    case .nowhere?: break
    }
    self.addresses = addresses
    self.signer = signer
    isVerbose = options.isVerbose
    self.environment = environment
    self.redactor = redactor
    answerLimits = options.limits
  }

  /// Delivers what has left the phone of a device file by a moment.
  ///
  /// Each attempt is recorded before it is made, and again with its ending: one whose end this process does not reach is
  /// an attempt all the same, and the next is made a day later. So a postback arrives at least once, as Apple's do.
  ///
  /// - Parameter save: writes the file.
  /// - Returns: whether all that has left has arrived.
  func deliver(
    _ postbacks: [Postback], by now: Instant, of file: inout DeviceFile,
    save: (DeviceFile) throws(CommandError) -> Void
  ) throws(CommandError) -> ExitCode {
    var queue = ParcelQueue(try parcels(postbacks.filter { $0.state == .sent }, after: file.deliveries))
    return try deliver(&queue, by: now) { (attempt, _, isOver) throws(CommandError) in
      if isOver { file.deliveries.removeLast() }
      file.deliveries.append(attempt)
      try save(file)
    }
  }

  /// Makes every attempt that is due, in the order of the phones' time.
  ///
  /// - Parameters:
  ///   - now: by when an attempt is due; nil for all that there will be.
  ///   - record: gets each attempt before it is made, and again when it is over, with the index of its parcel.
  /// - Returns: whether all that has left has arrived.
  func deliver(
    _ queue: inout ParcelQueue, by now: Instant?,
    record: (_ attempt: Delivery, _ index: Int, _ isOver: Bool) throws(CommandError) -> Void
  ) throws(CommandError) -> ExitCode {
    while let (index, at) = queue.next(by: now) {
      let parcel = queue.parcels[index]
      var attempt = parcel.attempt(at: at)
      try record(attempt, index, false)
      let (result, isInterrupted) = post(parcel)
      attempt.result = result
      queue.add(attempt, to: index)
      try record(attempt, index, true)
      if isInterrupted { throw .interrupted }
    }
    return queue.ending
  }

  /// The signed postbacks on their way: to the ad network, and a copy of those that won to the developer.
  ///
  /// - Parameters:
  ///   - postbacks: those that have left.
  ///   - earlier: attempts, those of other postbacks too.
  func parcels(_ postbacks: [Postback], after earlier: [Delivery] = []) throws(CommandError) -> [Parcel] {
    try signer.signed(postbacks).flatMap { postback in
      guard let content = postback.content else { return [Parcel]() }
      return Delivery.Recipient.allCases.compactMap { recipient in
        guard let url = addresses[recipient], recipient == .network || content.didWin ?? true else { return nil }
        return Parcel(
          postback: postback, content: content, recipient: recipient, url: url,
          attempts: earlier.filter { $0.recipient == recipient && $0.isOf(postback) })
      }
    }
  }

  /// One attempt. One that is interrupted may have arrived, so it is an attempt like any other.
  private func post(_ parcel: Parcel) -> (Delivery.Result, isInterrupted: Bool) {
    let body = JSONWriter.text(parcel.content.json)
    let request = HTTPRequest.post(
      parcel.url.text, headers: [HTTPField(Self.header, parcel.recipient.rawValue)], body: Array(body.utf8))
    let ending = environment.send(request, answerLimits)
    if isVerbose { trace(request, body, ending) }
    return switch ending {
    case .success(let exchange): (.answered(status: Int64(exchange.response.status)), isInterrupted: false)
    case .failure(.interrupted): (.failed("interrupted before an answer came"), isInterrupted: true)
    case .failure(let failure):
      (.failed(redactor.redacted(failure.message(url: parcel.url.text))), isInterrupted: false)
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
    for line in sent + answer { environment.printError(StyledText(redactor.redacted(line))) }
  }
}

extension PostbackCourier {
  private static func lines(_ response: HTTPResponse) -> [String] {
    ["< HTTP \(response.status)"] + response.headers.map { "< \($0.name): \($0.value)" }
      + (response.body.isEmpty ? [] : ["<", "< \(Trace.displayText(response.body).oneLine)"])
      + Trace.rest(of: response.body)
  }
}
