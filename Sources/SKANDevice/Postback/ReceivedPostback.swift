import SKANBase

/// A postback as it came in, with whatever else stands in it; see the article "Postbacks".
///
/// Its signature can be checked over the fields of its version as they stand. Everything odd is a finding beside that.
package struct ReceivedPostback: Sendable {
  package let version: AdVersion
  /// The fields of this version that are there and not null.
  private let values: [PostbackField: JSON]
  /// In the order of their locations.
  package let findings: [PostbackFinding]

  init(_ version: AdVersion, _ values: [PostbackField: JSON], _ findings: [PostbackFinding]) {
    self.version = version
    self.values = values
    self.findings = findings.enumerated()
      .sorted { ($0.element.range.lowerBound, $0.offset) < ($1.element.range.lowerBound, $1.offset) }
      .map(\.element)
  }

  /// The value of a field as text, or nil when it is absent.
  package func text(of field: PostbackField) -> String? { values[field].map { field.signedText($0) } }

  /// Nil when it is absent or not a text.
  package var signature: String? { values[.signature]?.text }

  /// The values of the signed text, one by one, as they stand.
  package var signedValues: [String] { version.signedFields.compactMap(text) }

  package var signedText: String { signedValues.joined(separator: PostbackContent.separator) }

  /// The signed text without a source that stands for none, as Apple signs a postback that has no source; nil where
  /// nothing stands for none.
  package var signedTextWithoutSource: String? {
    let rest = version.signedFields.filter { !($0.isSource && text(of: $0)?.allSatisfy { $0 == "0" } ?? false) }
    if rest.count == version.signedFields.count { return nil }
    return rest.compactMap(text).joined(separator: PostbackContent.separator)
  }

  /// Why no signature can be of this postback, to end a sentence; nil when one can.
  ///
  /// Without this check a genuine signature would fit when a value is moved to the next field.
  package var obstacle: String? {
    let missing = version.signedFields.filter { !$0.isSource && values[$0] == nil }.map { "\"\($0.rawValue)\"" }
    if missing.count == 1 { return "the signed field \(missing[0]) is missing" }
    if !missing.isEmpty { return "the signed fields \(missing.joined(separator: ", ")) are missing" }
    return version.signedFields.first { text(of: $0)?.contains(PostbackContent.separator) ?? false }
      .map { "\"\($0.rawValue)\" holds U+2063, which separates the signed values" }
  }

  /// The conversion values and whatever else the signature does not cover.
  package var unsignedValues: [(field: PostbackField, value: JSON)] {
    version.unsignedFields.compactMap { field in values[field].map { (field, $0) } }
  }

  /// Whether it says the same, but for the signature, which is another one each time, and for what was added on the way.
  package func saysTheSame(as other: ReceivedPostback) -> Bool {
    version == other.version && signedText == other.signedText
      && version.unsignedFields.allSatisfy { values[$0] == other.values[$0] }
  }
}

extension PostbackField {
  package var isSource: Bool { self == .sourceAppID || self == .sourceDomain }

  /// The value as the signed text has it, whatever JSON type it came in.
  fileprivate func signedText(_ value: JSON) -> String {
    switch value {
    case .string(let text): text
    // Apple's text has `true` and `false`.
    case .integer(0) where self == .redownload || self == .didWin: "false"
    case .integer(1) where self == .redownload || self == .didWin: "true"
    case .double(let number): Int64(exactly: number).map(String.init) ?? JSONWriter.text(value)
    default: JSONWriter.text(value)
    }
  }
}
