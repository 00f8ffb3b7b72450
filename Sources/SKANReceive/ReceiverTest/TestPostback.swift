import SKANDevice
import SKANBase
import SKANSigning

/// A postback that a receiver is tested with.
struct TestPostback: Sendable {
  var version = AdVersion.v4
  var values: [PostbackField: JSON] = [:]
  /// What an ad network adds, behind Apple's fields.
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
