import SKANBase

/// Checks the fields of a received postback of either framework by their rows: their forms, those that are missing, and
/// those that Apple's tables rule out together.
struct PostbackFieldCheck<Field: PostbackFieldName> {
  /// A field that is present and not null.
  struct Entry {
    let value: JSON
    /// Byte offsets in the text that was read; a claim has those of its JWS.
    let range: Range<Int>
  }

  private let entries: [Field: Entry]
  private(set) var findings: [PostbackFinding] = []

  init(_ entries: [Field: Entry]) { self.entries = entries }

  /// Checks the form of each field that is present.
  ///
  /// - Returns: the fields that are missing.
  mutating func checkForms(of fields: [Field], isOptional: (Field) -> Bool) -> [Field] {
    var missing: [Field] = []
    for field in fields {
      guard let entry = entries[field] else {
        if !isOptional(field) { missing.append(field) }
        continue
      }
      guard let expected = field.row.form.expected(insteadOf: entry.value) else { continue }
      find(.fieldForm, "\"\(field.rawValue)\" must be \(expected), this is \(entry.value.briefly).", field)
    }
    return missing
  }

  /// Checks the fields against each other.
  ///
  /// - Parameter hasNonWinners: whether ads that did not win have postbacks of this kind.
  mutating func checkTogether(hasNonWinners: Bool = true) {
    checkValues()
    checkLaterPostback()
    if hasNonWinners { checkNonWinner() }
  }

  private mutating func checkValues() {
    guard isThere(.coarse) else { return }
    if isThere(.fine) {
      find(
        .bothValues, "A postback has \(quoted(.fine)) or \(quoted(.coarse)), not both.", .coarse)
    }
    // In a later postback, its index has these findings.
    guard !isLater else { return }
    if digits > 2 {
      find(
        .notBesideCoarse,
        "A first postback with a coarse value has tier 1 and two digits of the source identifier, not \(digits).",
        .identifier)
    }
    for field in limited(to: .highestTier) {
      find(
        .notOfTier1,
        "\(quoted(field)) is only in first postbacks with tier 3, and a first postback with a coarse value has tier "
          + "1.", field)
    }
  }

  private mutating func checkLaterPostback() {
    guard isLater else { return }
    for field in limited(to: .first) {
      find(.notInLaterPostback, "\(quoted(field)) is in the first postback only, this has index 1 or 2.", field)
    }
    if digits > 2 {
      find(
        .notInLaterPostback,
        "The second and third postback have two digits of the source identifier, this has \(digits).", .identifier)
    }
  }

  private mutating func checkNonWinner() {
    guard entries[.won]?.value == .bool(false) else { return }
    for field in limited(to: .winner) {
      find(.notOfNonWinner, "\(quoted(field)) is not in a postback that did not win.", field)
    }
    if isLater { find(.notOfNonWinner, "An ad that did not win has a first postback only.", .index) }
  }

  /// Adds a finding at a field, if it is present.
  mutating func find(_ code: PostbackFinding.Code, _ message: String, _ field: Field) {
    guard let range = entries[field]?.range else { return }
    findings.append(PostbackFinding(code, message, at: range))
  }

  /// The fields that are present and have a limit.
  private func limited(to limit: PostbackFieldRow.Limits) -> [Field] {
    Field.allCases.filter { isThere($0) && $0.row.limits.contains(limit) }
  }

  private func quoted(_ field: Field) -> String { "\"\(field.rawValue)\"" }

  func isThere(_ field: Field) -> Bool { entries[field] != nil }

  func value(_ field: Field) -> JSON? { entries[field]?.value }

  private var isLater: Bool { if case .integer(1...2)? = value(.index) { true } else { false } }

  /// The number of digits of the source identifier; 0 without one.
  private var digits: Int { value(.identifier)?.text?.utf8.count ?? 0 }
}

extension [PostbackFinding] {
  /// The findings in the order of their locations.
  var inOrder: [PostbackFinding] {
    enumerated().sorted { ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset) }
      .map(\.element)
  }
}

extension JSON {
  /// The value itself if it is short, or its kind.
  fileprivate var briefly: String {
    let kind =
      switch self {
      case .null: "null"
      case .array: "an array"
      case .object: "an object"
      case .bool: "a boolean"
      case .string: "a string"
      case .integer, .unsigned, .double: "a number"
      }
    if case .array = self { return kind }
    if case .object = self { return kind }
    let text = JSONWriter.text(self)
    return text.count <= 40 ? text : kind
  }
}
