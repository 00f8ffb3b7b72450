import SKANBase

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

/// The attempt as a device file has it.
extension Delivery: JSONObjectWritable {
  package static let fields = JSONFields<Delivery> {
    JSONField("at", "Unix seconds of the attempt") { $0.at }
    JSONField("transaction_id", "which install's postback") { $0.transactionID }
    JSONField("sequence_index", "of which window it tells", as: .integer(0...2)) { $0.window.rawValue }
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
