import SKANBase

/// A postback as it was received, including unknown keys; see the article "Postbacks".
///
/// Its signature can be checked over the fields of its version. Oddities are findings in addition.
package struct ReceivedPostback: Sendable {
  package let version: PostbackVersion
  /// The fields of this version that are present and not null.
  private let values: [PostbackField: JSON]
  /// The oddities, in the order of their locations.
  package let findings: [PostbackFinding]

  init(_ version: PostbackVersion, _ values: [PostbackField: JSON], _ findings: [PostbackFinding]) {
    self.version = version
    self.values = values
    self.findings = findings.inOrder
  }

  /// The value of a field as text; nil if it is absent.
  package func text(of field: PostbackField) -> String? { values[field].map { field.signedText($0) } }

  /// The signature; nil if it is absent or not a string.
  package var signature: String? { values[.signature]?.text }

  /// The values of the signed text, unchanged.
  package var signedValues: [String] { version.signedFields.compactMap(text) }

  package var signedText: String { signedValues.joined(separator: PostbackContent.separator) }

  /// The signed text without a source that consists of zeros, because Apple signs a postback without source in this
  /// way; nil if there is no such source.
  package var signedTextWithoutSource: String? {
    let rest = version.signedFields.filter { !($0.isSource && text(of: $0)?.allSatisfy { $0 == "0" } ?? false) }
    if rest.count == version.signedFields.count { return nil }
    return rest.compactMap(text).joined(separator: PostbackContent.separator)
  }

  /// Why no signature can match this postback, to end a sentence; nil if one can.
  ///
  /// Without this check a genuine signature would match after a value was moved to the next field.
  package var obstacle: String? {
    let missing = version.signedFields.filter { !$0.isSource && values[$0] == nil }.map { "\"\($0.rawValue)\"" }
    if missing.count == 1 { return "the signed field \(missing[0]) is missing" }
    if !missing.isEmpty { return "the signed fields \(missing.joined(separator: ", ")) are missing" }
    return version.signedFields.first { text(of: $0)?.contains(PostbackContent.separator) ?? false }
      .map { "\"\($0.rawValue)\" holds U+2063, which separates the signed values" }
  }

  /// The conversion values and the other values that are not signed.
  package var unsignedValues: [(field: PostbackField, value: JSON)] {
    version.unsignedFields.compactMap { field in values[field].map { (field, $0) } }
  }

  /// Whether both postbacks are equal apart from the signature, which differs each time, and from keys added in
  /// transit.
  package func saysTheSame(as other: ReceivedPostback) -> Bool {
    version == other.version && signedText == other.signedText
      && version.unsignedFields.allSatisfy { values[$0] == other.values[$0] }
  }
}

extension PostbackField {
  package var isSource: Bool { self == .sourceAppID || self == .sourceDomain }

  /// The value as in the signed text, whatever its JSON type.
  fileprivate func signedText(_ value: JSON) -> String {
    switch value {
    case .string(let text): text
    // Apple's signed text contains `true` and `false`.
    case .integer(0) where self == .redownload || self == .didWin: "false"
    case .integer(1) where self == .redownload || self == .didWin: "true"
    // The version 4.0 that became a number is still 4.0.
    case .double(let number) where self != .version:
      Int64(exactly: number).map(String.init) ?? JSONWriter.text(value)
    default: JSONWriter.text(value)
    }
  }
}

extension ReceivedPostback {
  /// Reads a received postback, ignoring keys that are not fields of its version.
  ///
  /// - Returns: the postback, or why its version is unknown.
  package static func read(_ node: JSONNode) -> Result<ReceivedPostback, SourceProblems> {
    guard case .object(let members) = node.content else {
      let problem = OtherForm(node).map(\.text) ?? "a postback must be an object, this is \(node.kind)"
      return .failure([SourceProblem(problem, at: node.range)])
    }
    if let form = OtherForm(node) { return .failure([SourceProblem(form.text, at: form.range)]) }
    let version: PostbackVersion
    if let stated = node.member("version"), !stated.isNull {
      guard let known = PostbackVersion(stated.content) else {
        let expected = PostbackField.version.row.formText
        return .failure([SourceProblem("\"version\" must be \(expected), this is \(stated.briefly)", at: stated.range)])
      }
      version = known
    } else {
      guard isVersion1(node) else {
        return .failure([
          SourceProblem(
            "a postback needs the key \"version\"; those of version 1.0 have none, and another key of Apple's signed "
              + "them", at: node.range)
        ])
      }
      version = .v1
    }
    var keys = PostbackKeys(version)
    for member in members { keys.add(member) }
    let oddities = keys.oddities(in: node)
    return .success(
      ReceivedPostback(version, keys.fields.mapValues(\.value), keys.findings(in: node) + oddities))
  }

  /// Whether a postback that states no version is of 1.0: it has all fields of that version and none of a later one.
  private static func isVersion1(_ node: JSONNode) -> Bool {
    let isThere = { (field: PostbackField) in node.member(field.rawValue).map { !$0.isNull } ?? false }
    let own = PostbackVersion.v1.signedFields
    return own.allSatisfy(isThere)
      && !PostbackField.allCases.contains { field in
        !own.contains(field) && field != .signature && isThere(field)
      }
  }
}

extension PostbackVersion {
  /// Accepts a version that became a number in transit.
  fileprivate init?(_ content: JSONNode.Content) {
    switch content {
    case .string(let text): self.init(rawValue: text)
    case .double, .integer: self.init(rawValue: JSONWriter.text(content.value))
    default: return nil
    }
  }
}

/// Separates the keys of a received postback into the fields of its version and all others.
struct PostbackKeys {
  private let version: PostbackVersion
  /// The fields of this version that are present and not null.
  private(set) var fields: [PostbackField: JSONNode] = [:]
  private var others: OtherKeys

  init(_ version: PostbackVersion) {
    self.version = version
    others = OtherKeys(than: version.fields.map(\.rawValue))
  }

  mutating func add(_ member: JSONMember) {
    guard let field = PostbackField(rawValue: member.key) else { return others.add(member) }
    guard version.fields.contains(field) else {
      return others.find(
        .otherVersion, "A postback of version \(version.rawValue) has no key \"\(field.rawValue)\".", member)
    }
    guard !member.value.isNull else { return others.addNull(member) }
    fields[field] = member.value
  }

  /// The oddities of the keys.
  func findings(in postback: JSONNode) -> [PostbackFinding] { others.findings(in: postback) }

  /// The oddities of the fields: missing fields, invalid forms, and combinations that Apple's tables rule out.
  func oddities(in postback: JSONNode) -> [PostbackFinding] {
    var check = PostbackFieldCheck(fields.mapValues { PostbackFieldCheck.Entry(value: $0.value, range: $0.range) })
    let optional = version.optionalFields + [.signature]
    let missing = check.checkForms(of: version.fields, isOptional: optional.contains)
    if check.isThere(.sourceAppID), check.isThere(.sourceDomain) {
      check.find(.bothSources, "A postback has \"source-app-id\" or \"source-domain\", not both.", .sourceDomain)
    }
    if check.isThere(.sourceDomain), check.value(.fidelityType) == .integer(0) {
      check.find(.domainOfView, "A web ad has fidelity type 1: 0 does not go with \"source-domain\".", .fidelityType)
    }
    check.checkTogether(hasNonWinners: version.hasNonWinners)
    let ofMissing = missing.map { field in
      PostbackFinding(
        .fieldMissing, "A postback of version \(version.rawValue) needs the key \"\(field.rawValue)\".",
        at: postback.range)
    }
    return ofMissing + check.findings
  }
}

/// The keys of a received postback that say nothing of it: keys that Apple's postbacks do not have, and keys with null.
struct OtherKeys {
  private let known: [String]
  private var findings: [PostbackFinding] = []
  private var added: (names: [String], count: Int, range: Range<Int>?) = ([], 0, nil)
  private var compared = 0

  /// The number of added keys that a message names.
  private static let mostNames = 20
  /// The number of keys that are compared with the known ones, and the length up to which they are.
  private static let mostCompared = 50
  private static let longestCompared = 32

  /// - Parameter known: the keys that a postback of this kind can have.
  init(than known: [String]) { self.known = known }

  /// Adds a key that is not a known one.
  mutating func add(_ member: JSONMember) {
    if compared < Self.mostCompared, member.key.utf8.count <= Self.longestCompared {
      compared += 1
      if let near = nearestName(to: member.key, in: known) {
        find(.mistypedKey, "No key is called \(JSONWriter.quoted(member.key)); did you mean \"\(near)\"?", member)
        return
      }
    }
    added.count += 1
    if added.names.count < Self.mostNames { added.names.append(JSONWriter.quoted(member.key)) }
    added.range = added.range ?? member.keyRange
  }

  /// Adds a known key whose value is null.
  mutating func addNull(_ member: JSONMember) {
    find(.nullField, "\"\(member.key)\" is null; Apple leaves out a field that has no value.", member)
  }

  mutating func find(_ code: PostbackFinding.Code, _ message: String, _ member: JSONMember) {
    findings.append(PostbackFinding(code, message, at: member.keyRange))
  }

  func findings(in postback: JSONNode) -> [PostbackFinding] {
    guard added.count > 0 else { return findings }
    let rest = added.count - added.names.count
    let names = added.names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    let text = added.count == 1 ? "A key was added that Apple's postbacks do not have" : "Keys were added"
    return findings + [
      PostbackFinding(
        .addedKeys, added.count == 1 ? "\(text): \(names)." : "\(text) that Apple's postbacks do not have: \(names).",
        at: added.range ?? postback.range)
    ]
  }
}
