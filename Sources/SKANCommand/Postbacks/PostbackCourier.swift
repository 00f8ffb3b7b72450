import SKANDevice
import SKANEndpoint
import SKANJSON
import SKANReplay
import SKANStorage

/// Delivers what has left a phone, as the phone would: to the ad network, and a copy of a winning one to the developer;
/// what does not arrive again every day of the phone's time, up to nine times (the article "Postbacks").
struct PostbackCourier {
  /// Says that a request is simulated, and for whom it is.
  static let header = "X-SKAN-Simulated"

  private let addresses: [Delivery.Recipient: PostbackURL]
  private let environment: Environment
  private let maxSeconds: Double
  private let signer: PostbackSigner

  /// Nil when nothing is to be sent.
  init?(_ invocation: Invocation, _ signer: PostbackSigner) throws(CommandError) {
    let arguments = invocation.arguments
    let copy = arguments.value(PostbacksCommand.developer)
    guard let network = try invocation.postbackURL(PostbacksCommand.send) else {
      if copy != nil {
        throw invocation.usage(
          "\(arguments.name(of: PostbacksCommand.developer)) goes with --\(PostbacksCommand.send.name)")
      }
      return nil
    }
    var addresses: [Delivery.Recipient: PostbackURL] = [.network: network]
    if copy != "none" {
      addresses[.developer] = try invocation.postbackURL(PostbacksCommand.developer) ?? network.developerCopy
    }
    self.addresses = addresses
    self.signer = signer
    environment = invocation.environment
    maxSeconds = try invocation.maxSeconds()
  }

  /// Makes every attempt that is due, and records it at once: none is ever made twice.
  ///
  /// - Parameter save: writes the file.
  /// - Returns: whether all that has left has arrived.
  func deliver(
    _ results: [StepResult], of file: inout DeviceFile, save: (DeviceFile) throws(CommandError) -> Void
  ) throws(CommandError) -> ExitCode {
    var ending = ExitCode.ok
    for result in results {
      for postback in (result.postbacks ?? []).filter({ $0.state == .sent }) {
        let postback = try signer.signed(postback)
        for recipient in Delivery.Recipient.allCases {
          let code = try deliver(postback, to: recipient, by: result.endedAt, &file, save)
          if code != .ok { ending = code }
        }
      }
    }
    return ending
  }

  private func deliver(
    _ postback: Postback, to recipient: Delivery.Recipient, by now: Instant, _ file: inout DeviceFile,
    _ save: (DeviceFile) throws(CommandError) -> Void
  ) throws(CommandError) -> ExitCode {
    guard let url = addresses[recipient], let content = postback.content, let departure = postback.sendsAt,
      recipient == .network || content.didWin ?? true
    else { return .ok }
    while let at = Delivery.nextAttempt(
      of: content.transactionID, to: recipient, leaving: departure, after: file.deliveries), at <= now
    {
      let (result, isInterrupted) = post(content, to: recipient, at: url)
      file.deliveries.append(
        Delivery(
          at: at, transactionID: content.transactionID, recipient: recipient, url: url.address.text, result: result))
      try save(file)
      if isInterrupted { throw .interrupted }
    }
    let last = file.deliveries.last { $0.transactionID == content.transactionID && $0.recipient == recipient }
    return switch last?.result {
    case nil, .answered(200)?: .ok
    case .answered?: .badAnswer
    case .failed?: .unavailable
    }
  }

  /// One attempt. One that is interrupted may have arrived, so it is an attempt like any other.
  private func post(
    _ content: PostbackContent, to recipient: Delivery.Recipient, at url: PostbackURL
  ) -> (Delivery.Result, isInterrupted: Bool) {
    let body = Array(JSONWriter.text(content.json).utf8)
    return switch environment.post(url.text, [(Self.header, recipient.rawValue)], body, maxSeconds) {
    case .success(let exchange): (.answered(status: Int64(exchange.status)), isInterrupted: false)
    case .failure(.interrupted): (.failed("interrupted before an answer came"), isInterrupted: true)
    case .failure(let failure): (.failed(failure.words(url: url.text)), isInterrupted: false)
    }
  }
}

extension Invocation {
  fileprivate func postbackURL(_ option: Option) throws(CommandError) -> PostbackURL? {
    guard let text = arguments.value(option) else { return nil }
    do throws(EndpointURLProblem) {
      return try PostbackURL(text)
    } catch {
      throw usage("\(arguments.name(of: option)): \(error.words)")
    }
  }
}
