/// One attempt to deliver a postback, at the phone's time.
package struct Delivery: Sendable, Equatable {
  package var at: Instant
  package var transactionID: String
  /// Of which window the postback tells: by the setting `transaction-ids` all of an install may have one id.
  package var window: ConversionWindow
  package var recipient: Recipient
  /// The address, without user and password.
  package var url: String
  package var result: Result

  /// Who gets a postback: the ad network all of them, the developer a copy of those that won.
  package enum Recipient: String, CaseIterable, Sendable { case network, developer }

  package enum Result: Sendable, Equatable {
    case answered(status: Int64)
    /// No answer, and why.
    case failed(String)

    /// Before the end of an attempt: what is left when the program is ended in the midst of it.
    package static let unknown = Result.failed("broken off before it was known whether it arrived")
  }

  package init(
    at: Instant, transactionID: String, window: ConversionWindow, recipient: Recipient, url: String, result: Result
  ) {
    self.at = at
    self.transactionID = transactionID
    self.window = window
    self.recipient = recipient
    self.url = url
    self.result = result
  }

  /// Whether it arrived: anything but 200 is tried again.
  package var hasArrived: Bool { result == .answered(status: 200) }

  /// Whether it was an attempt for this postback.
  package func isOf(_ postback: Postback) -> Bool {
    window == postback.window && transactionID == postback.content?.transactionID
  }
}

extension Delivery {
  /// After the first attempt this number of further ones is made, one a day: Apple names nine days and not the time between.
  package static let mostRetries = 9

  /// When the next attempt for a postback is to be made.
  ///
  /// - Parameters:
  ///   - earlier: all attempts so far, those for other postbacks and recipients too.
  /// - Returns: nil when it has arrived, is given up, or never leaves.
  package static func nextAttempt(
    of postback: Postback, to recipient: Recipient, after earlier: [Delivery]
  ) -> Instant? {
    let attempts = earlier.filter { $0.recipient == recipient && $0.isOf(postback) }
    guard let departure = postback.sendsAt, attempts.count <= mostRetries, !attempts.contains(where: \.hasArrived)
    else { return nil }
    return departure.advanced(by: TimeSpan(seconds: Int64(attempts.count) * 86_400))
  }
}
