import SKANDevice
import SKANHTTP

/// A postback that has left a phone, on its way to one receiver.
struct Parcel {
  let postback: Postback
  let content: PostbackContent
  let recipient: Delivery.Recipient
  let url: PostbackURL
  /// Those for this postback and this receiver so far.
  var attempts: [Delivery]

  /// When the next attempt is made; nil when it has arrived or is given up.
  var nextAttempt: Instant? { Delivery.nextAttempt(of: postback, to: recipient, after: attempts) }

  /// What became of it so far.
  var ending: ExitCode {
    switch attempts.last?.result {
    case nil, .answered(200)?: .ok
    case .answered?: .badAnswer
    case .failed?: .unavailable
    }
  }

  /// The next attempt, before it is known whether it arrives.
  func attempt(at time: Instant) -> Delivery {
    Delivery(
      at: time, transactionID: content.transactionID, window: postback.window, recipient: recipient,
      url: url.address.text, result: .unknown)
  }
}
