import SKANBase

/// An attempt to deliver a postback.
package struct Delivery: Sendable, Equatable {
  package var at: Instant
  package var transactionID: String
  /// The window of the postback. With the setting `transaction-ids`, all postbacks of an install may share an ID.
  package var window: ConversionWindow
  package var recipient: Recipient
  /// The address, without user and password.
  package var url: String
  package var result: Result

  /// The recipient of a postback: the ad network gets all of them, the developer a copy of those that won.
  package enum Recipient: String, CaseIterable, Sendable { case network, developer }

  package enum Result: Sendable, Equatable {
    case answered(status: Int64)
    /// No answer, with the reason.
    case failed(String)

    /// The result of an attempt until it ends; it remains if the program is killed during the attempt.
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

  /// Whether it arrived; after any status but 200 the postback is sent again.
  package var hasArrived: Bool { result == .answered(status: 200) }

  /// Whether the attempt was for this postback.
  package func isOf(_ postback: Postback) -> Bool {
    window == postback.window && transactionID == postback.content?.transactionID
  }
}

/// When a failed delivery is repeated: Apple documents nine days, but not the interval.
package struct RetryRule: Sendable, Equatable {
  private var answers = FrameworkSettings.KitRetry.non200
  /// The number of attempts after the first one.
  private var mostRetries = 9
  /// The time between two attempts.
  private var spacing = TimeSpan.hours(24)

  /// The rule of SKAdNetwork: any answer but 200.
  init() {}

  /// The rule of AdAttributionKit.
  init(_ settings: FrameworkSettings) {
    answers = settings.kitRetry
    mostRetries = settings.kitRetryCount == .nineMore ? 9 : 8
    spacing = settings.kitRetrySpacing == .oneDay ? .hours(24) : .hours(1)
  }

  /// The time of an attempt; nil if no calendar has it.
  ///
  /// - Parameters:
  ///   - departure: the time of the first one.
  ///   - count: the number of attempts before it.
  func time(of count: Int, from departure: Instant) -> Instant? {
    departure.advanced(by: TimeSpan(microseconds: spacing.microseconds * Int64(count)))
  }

  /// Whether a postback that has not arrived is given up after these attempts to deliver it to one recipient.
  package func isGivenUp(after attempts: [Delivery]) -> Bool {
    if attempts.count > mostRetries { return true }
    guard case .answered(let status)? = attempts.last?.result else { return false }
    return switch answers {
    case .only500: status != 500
    case .every5xx: !(500...599).contains(status)
    case .non200: false
    }
  }
}

extension Delivery {
  /// The time of the next attempt to deliver a postback.
  ///
  /// - Parameters:
  ///   - earlier: all attempts so far, including those for other postbacks and recipients.
  /// - Returns: nil if the postback has arrived, was given up, or is never sent.
  package static func nextAttempt(
    of postback: Postback, to recipient: Recipient, after earlier: [Delivery]
  ) -> Instant? {
    let attempts = earlier.filter { $0.recipient == recipient && $0.isOf(postback) }
    guard let departure = postback.sendsAt, !attempts.contains(where: \.hasArrived),
      !postback.retries.isGivenUp(after: attempts)
    else { return nil }
    return postback.retries.time(of: attempts.count, from: departure)
  }
}

/// The attempt as stored in a device file.
extension Delivery: JSONObjectWritable {
  package static let fields = JSONFields<Delivery> {
    JSONField("at", "Unix seconds of the attempt") { $0.at }
    JSONField("transaction_id", "the transaction identifier of the postback") { $0.transactionID }
    JSONField("sequence_index", "the window that it reports", as: .integer(0...2)) { $0.window.rawValue }
    JSONField("recipient", "who gets it") { $0.recipient }
    JSONField("url", "where it went") { $0.url }
    JSONField(optional: "status", "the HTTP status of the answer", as: .integer(100...999)) {
      if case .answered(let status) = $0.result { status } else { nil }
    }
    JSONField(optional: "error", "why there was no answer") {
      if case .failed(let message) = $0.result { message } else { nil }
    }
  }

  package static let keys = JSONKeys(fields.names)

  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(node, what: "a delivery", known: Self.keys)
    defer { outer.add(reader.problems) }
    guard reader.isObject else { return nil }
    let at = reader.require("at", reader.instant("at"))
    let id = reader.require("transaction_id", reader.string("transaction_id"))
    let index = reader.require("sequence_index", reader.integer("sequence_index", in: 0...2))
    let recipient: Recipient? = reader.require("recipient", reader.choice("recipient"))
    let url = reader.require("url", reader.string("url"))
    let status = reader.integer("status", in: 100...999)
    let error = reader.string("error")
    guard let result = status.map(Result.answered) ?? error.map(Result.failed) else {
      if reader.problems.isEmpty { reader.complain("a delivery needs \"status\" or \"error\"") }
      return nil
    }
    guard let at, let id, let recipient, let url, let window = index.flatMap({ ConversionWindow(rawValue: Int($0)) })
    else { return nil }
    self.init(at: at, transactionID: id, window: window, recipient: recipient, url: url, result: result)
  }
}

extension Delivery.Recipient: JSONWritable {}
