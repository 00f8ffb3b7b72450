import SKANBase
import SKANDevice
import SKANSigning

/// A request, or several, that tests a receiver of postbacks, and the right answer.
package struct ReceiverDelivery: Sendable {
  /// The identifier in every table.
  package let id: String
  /// A description of the request.
  package let request: String
  package let sending: Sending
  package let right: RightAnswer
  /// Why the answer is right.
  package let why: String
  package var level = Level.must
  /// The framework whose postbacks have the path that it goes to.
  package internal(set) var framework = PostbackProtocol.skAdNetwork
  /// Why its count is open; nil if it is not.
  package var open: OpenPoint?
  /// The properties shared with other deliveries.
  var traits: Set<ReceiverTrait> = []
  /// The postbacks that a receiver keeps.
  var kept: [Kept]
  /// The kept postbacks if the delivery counts as a copy of another postback; nil where that is not open.
  var copy: (duplicate: Kept, conflict: Kept)?

  /// How it is sent.
  package enum Sending: Sendable {
    /// One request. `hasOtherEnd`: sent to Apple's path with a final slash where the given address lacks it, and the
    /// other way round.
    case whole(method: String, hasOtherEnd: Bool, contentType: String, body: [UInt8])
    /// Sent in chunks, without a content length.
    case chunked(body: [UInt8])
    /// Sent in pieces over some seconds. Meanwhile `beside` is sent, and must be answered before the end of the first.
    case slowly(body: [UInt8], beside: [UInt8])
    /// Sends fewer bytes than the head announces.
    case brokenOff(body: [UInt8])
    /// Sent at the same time over several connections.
    case atOnce([[UInt8]])
  }

  /// The importance of the right answer.
  package enum Level: String, CaseIterable, Sendable {
    /// Apple's documentation requires it, or a phone's postback is lost without it.
    case must
    /// Only networks, proxies and strangers send such requests; a receiver that only gets postbacks from phones does
    /// not need it.
    case should
  }

  /// Why two correct receivers may count a postback differently.
  package enum OpenPoint: String, CaseIterable, Sendable {
    case earlierKey = "a receiver that checks version 2.0 by a P-192 key, as Apple signed it, does not count it"
    case sharedID =
      "Apple does not say whether the postbacks of an install share an id: each counts, or they are copies of the first"
  }

  /// One way to count open deliveries.
  struct Counting {
    var checksEarlierKey = false
    /// How postbacks with the id of another window count; nil for separate postbacks.
    var copies: Repetition?
  }

  /// The postbacks that a receiver keeps if it counts in this way.
  func kept(_ counting: Counting) -> [Kept] {
    switch open {
    case .earlierKey? where counting.checksEarlierKey:
      kept.map { Kept(body: $0.body, signature: ReceivedSignature(.invalid, why: "it is of another curve")) }
    case .sharedID?:
      switch counting.copies {
      case .duplicate?: copy.map { [$0.duplicate] } ?? kept
      case .conflict?: copy.map { [$0.conflict] } ?? kept
      case .first?, nil: kept
      }
    default: kept
    }
  }

  /// The statuses that are right.
  package enum RightAnswer: String, CaseIterable, Sendable {
    /// Only 200: Apple's phones send a postback again after any other answer (the article "Postbacks").
    case ok = "200"
    /// A client error.
    case refused = "400 to 499"
    case okOrRefused = "200, or 400 to 499"
    /// A client error, or a connection that is closed without an answer.
    case refusedOrClosed = "400 to 499, or a connection that is closed"
    /// A client error or 501, which some servers return for an unknown method.
    case methodRefused = "400 to 499, or 501"
    case okOrMethodRefused = "200, 400 to 499, or 501"

    /// - Parameter status: nil for a closed connection.
    package func takes(_ status: Int?) -> Bool {
      guard let status else { return self == .refusedOrClosed }
      return switch self {
      case .ok: status == 200
      case .refused, .refusedOrClosed: (400...499).contains(status)
      case .okOrRefused: status == 200 || (400...499).contains(status)
      case .methodRefused: (400...499).contains(status) || status == 501
      case .okOrMethodRefused: status == 200 || (400...499).contains(status) || status == 501
      }
    }
  }

  /// A postback that a receiver keeps.
  struct Kept: Sendable {
    let body: [UInt8]
    let signature: ReceivedSignature
  }
}

/// A postback for tests of a receiver.
struct TestPostback: Sendable {
  var version = AdVersion.v4
  var values: [PostbackField: JSON] = [:]
  /// The parameters that an ad network adds after Apple's fields.
  var added: [(key: String, value: JSON)] = []

  static let network = "example123.skadnetwork"

  /// A winning postback with all values of the highest tier: a fine value in the first window, and a source app.
  ///
  /// - Parameters:
  ///   - campaign: a source identifier for version 4, otherwise a campaign id.
  ///   - index: the index of the window; version 4 only.
  ///   - value: the fine value, which later windows do not have.
  init(
    _ version: AdVersion, app: String, transaction: String, campaign: String, index: Int64 = 0, value: Int64
  ) {
    self.version = version
    values = [
      .version: .string(version.rawValue), .adNetworkID: .string(Self.network),
      .appID: Int64(app).map(JSON.integer) ?? .string(app), .transactionID: .string(transaction),
      .redownload: .bool(false),
    ]
    if version.hasWindows {
      values[.sourceIdentifier] = .string(campaign)
      values[.sequenceIndex] = .integer(index)
    } else {
      values[.campaignID] = .integer(Int64(campaign) ?? 1)
    }
    if index == 0 {
      values[.conversionValue] = .integer(value)
      values[.sourceAppID] = .integer(1_234_567_891)
    }
    if version != .v2_1, version != .v2_0 { values[.fidelityType] = .integer(1) }
    if version.hasNonWinners { values[.didWin] = .bool(true) }
  }

  subscript(field: PostbackField) -> JSON? {
    get { values[field] }
    set { values[field] = newValue }
  }

  /// Returns the postback without these fields.
  func without(_ fields: PostbackField...) -> TestPostback {
    var copy = self
    for field in fields { copy[field] = nil }
    return copy
  }

  /// The postback as JSON, with members in Apple's order or reversed, on one line or indented.
  func body(isReversed: Bool = false, isIndented: Bool = false) -> [UInt8] {
    let members = version.fields.compactMap { field in values[field].map { (key: field.rawValue, value: $0) } } + added
    let lines = (isReversed ? members.reversed() : members).map { member in
      "\(JSONWriter.quoted(member.key))\(isIndented ? " : " : ":")\(JSONWriter.text(member.value))"
    }
    return Array(
      (isIndented ? "{\r\n  \(lines.joined(separator: ",\r\n  "))\r\n}\r\n" : "{\(lines.joined(separator: ","))}").utf8)
  }

  /// The text to sign; nil for an unknown version.
  var signedText: String? { (try? PostbackDocument(body()))?.postback?.signedText }
}
