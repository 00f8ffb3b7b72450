import SKANBase

/// What is odd about the fields of a postback that was received: missing ones, odd forms, and what Apple's tables rule
/// out together.
struct PostbackOddities {
  private let version: AdVersion
  private let fields: [PostbackField: JSONNode]
  private(set) var findings: [PostbackFinding] = []

  init(_ version: AdVersion, _ fields: [PostbackField: JSONNode], of postback: JSONNode) {
    self.version = version
    self.fields = fields
    for field in version.fields {
      if let node = fields[field] {
        guard let expected = field.expected(insteadOf: node.content) else { continue }
        find(.fieldForm, "\"\(field.rawValue)\" must be \(expected), this is \(node.briefly).", field)
      } else if !version.optionalFields.contains(field), field != .signature {
        let message = "A postback of version \(version.rawValue) needs the key \"\(field.rawValue)\"."
        findings.append(PostbackFinding(.fieldMissing, message, at: postback.range))
      }
    }
    checkSource()
    checkValues()
    checkLaterPostback()
    checkNonWinner()
  }

  private mutating func checkSource() {
    if isThere(.sourceAppID), isThere(.sourceDomain) {
      find(.bothSources, "A postback has \"source-app-id\" or \"source-domain\", not both.", .sourceDomain)
    }
    if isThere(.sourceDomain), integer(.fidelityType) == 0 {
      find(.domainOfView, "A web ad has fidelity type 1: 0 does not go with \"source-domain\".", .fidelityType)
    }
  }

  private mutating func checkValues() {
    guard isThere(.coarseConversionValue) else { return }
    if isThere(.conversionValue) {
      find(
        .bothValues, "A postback has \"conversion-value\" or \"coarse-conversion-value\", not both.",
        .coarseConversionValue)
    }
    // A later postback has this finding for its index. A source beside a coarse value is in one of Apple's samples.
    if !isLater, digits > 2 {
      find(
        .notBesideCoarse,
        "A first postback with a coarse value is of tier 1 and has two digits of the source identifier, not \(digits).",
        .sourceIdentifier)
    }
  }

  private mutating func checkLaterPostback() {
    guard isLater else { return }
    for field in [PostbackField.conversionValue, .sourceAppID, .sourceDomain] where isThere(field) {
      find(.notInLaterPostback, "\"\(field.rawValue)\" is in the first postback only, this has index 1 or 2.", field)
    }
    if digits > 2 {
      find(
        .notInLaterPostback,
        "The second and third postback have two digits of the source identifier, this has \(digits).",
        .sourceIdentifier)
    }
  }

  private mutating func checkNonWinner() {
    guard version.hasNonWinners, case .bool(false)? = fields[.didWin]?.content else { return }
    for field in [PostbackField.conversionValue, .coarseConversionValue, .sourceAppID] where isThere(field) {
      find(.notOfNonWinner, "\"\(field.rawValue)\" is not in a postback that did not win.", field)
    }
    if isLater { find(.notOfNonWinner, "An ad that did not win has a first postback only.", .sequenceIndex) }
  }

  private mutating func find(_ code: PostbackFinding.Code, _ message: String, _ field: PostbackField) {
    guard let range = fields[field]?.range else { return }
    findings.append(PostbackFinding(code, message, at: range))
  }

  private func isThere(_ field: PostbackField) -> Bool { fields[field] != nil }

  private func integer(_ field: PostbackField) -> Int64? {
    if case .integer(let number)? = fields[field]?.content { number } else { nil }
  }

  private var isLater: Bool { integer(.sequenceIndex).map { 1...2 ~= $0 } ?? false }

  /// Of the source identifier; 0 when it has none.
  private var digits: Int {
    fields[.sourceIdentifier]?.content.text?.utf8.count ?? 0
  }
}
