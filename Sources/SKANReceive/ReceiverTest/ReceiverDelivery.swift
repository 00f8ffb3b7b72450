import SKANBase
import SKANDevice
import SKANSigning

/// Something that a receiver of postbacks is sent, and what is right for it.
package struct ReceiverDelivery: Sendable {
  /// Its name in every table.
  package let id: String
  /// What is sent, for a person.
  package let request: String
  package let sending: Sending
  package let right: RightAnswer
  /// Why that is right.
  package let why: String
  package var level = Level.must
  /// What is open about how it counts; nil for nothing.
  package var open: OpenPoint?
  /// What it has in common with others.
  var traits: Set<ReceiverTrait> = []
  /// What a receiver keeps of it.
  var kept: [Kept]
  /// What that is worth where it counts as a copy of another postback; nil where that is not open.
  var copy: (duplicate: Kept, conflict: Kept)?

  /// How it is sent.
  package enum Sending: Sendable {
    /// - `hasOtherEnd`: to Apple's path with its last slash where the named address has none, and without where it has.
    case whole(method: String, hasOtherEnd: Bool, contentType: String, body: [UInt8])
    /// In chunks, without a length.
    case chunked(body: [UInt8])
    /// In pieces over some seconds; in the middle of it the second one is sent, and is to be answered before the end.
    case slowly(body: [UInt8], beside: [UInt8])
    /// Less than the head promises.
    case brokenOff(body: [UInt8])
    /// Over as many connections.
    case atOnce([[UInt8]])
  }

  /// How much depends on the answer.
  package enum Level: String, CaseIterable, Sendable {
    /// Apple's documentation asks for it, or a phone's postback is lost without it.
    case must
    /// Only networks, proxies and strangers send it; a receiver that only phones post to works without it.
    case should
  }

  /// Why one receiver may count a postback otherwise than another, and both be right.
  package enum OpenPoint: String, CaseIterable, Sendable {
    case earlierKey = "a receiver that checks version 2.0 by a P-192 key, as Apple signed it, does not count it"
    case sharedID =
      "Apple does not say whether the postbacks of an install share an id: each counts, or they are copies of the first"
  }

  /// One way to count what is open.
  struct Counting {
    var checksEarlierKey = false
    /// As what copies postbacks with the id of another window count; nil for postbacks of their own.
    var copies: Repetition?
  }

  /// What a receiver keeps that counts so.
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

  /// Which statuses are right.
  package enum RightAnswer: String, CaseIterable, Sendable {
    /// 200 alone: Apple's phones send again what is answered otherwise (the article "Postbacks").
    case ok = "200"
    /// A client's error.
    case refused = "400 to 499"
    case okOrRefused = "200, or 400 to 499"
    /// A connection that is closed without an answer is right, too.
    case refusedOrClosed = "400 to 499, or a connection that is closed"
    /// Some servers answer 501 to a method that they do not know.
    case methodRefused = "400 to 499, or 501"
    case okOrMethodRefused = "200, 400 to 499, or 501"

    /// - Parameter status: nil for a connection that was closed.
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

/// A postback that a receiver is tested with.
struct TestPostback: Sendable {
  var version = AdVersion.v4
  var values: [PostbackField: JSON] = [:]
  /// The parameters that an ad network adds, behind Apple's fields.
  var added: [(key: String, value: JSON)] = []

  static let network = "example123.skadnetwork"

  /// A winning one with all that Apple's have at the highest tier: a fine value in the first window, and a source app.
  ///
  /// - Parameters:
  ///   - campaign: a source identifier of version 4, a campaign id before.
  ///   - index: of the window; version 4 only.
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

  /// In one line, its members in the order of Apple's fields or against it.
  func body(isReversed: Bool = false, isIndented: Bool = false) -> [UInt8] {
    let members = version.fields.compactMap { field in values[field].map { (key: field.rawValue, value: $0) } } + added
    let lines = (isReversed ? members.reversed() : members).map { member in
      "\(JSONWriter.quoted(member.key))\(isIndented ? " : " : ":")\(JSONWriter.text(member.value))"
    }
    return Array(
      (isIndented ? "{\r\n  \(lines.joined(separator: ",\r\n  "))\r\n}\r\n" : "{\(lines.joined(separator: ","))}").utf8)
  }

  /// The text that its signature is of; nil for one whose version is not known.
  var signedText: String? { (try? PostbackDocument(body()))?.postback?.signedText }
}
