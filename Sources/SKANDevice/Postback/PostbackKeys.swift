import SKANBase

/// Takes the keys of a postback that was received apart: the fields of its version, and all others.
struct PostbackKeys {
  private let version: AdVersion
  /// The fields of this version that are there and not null.
  private(set) var fields: [PostbackField: JSONNode] = [:]
  private var findings: [PostbackFinding] = []
  private var added: (names: [String], count: Int, range: Range<Int>?) = ([], 0, nil)
  private var compared = 0

  /// How many names of added keys a message lists.
  private static let mostNames = 20
  /// How many keys are compared with the known ones; longer keys are not.
  private static let mostCompared = 50
  private static let longestCompared = 32

  init(_ version: AdVersion) { self.version = version }

  mutating func add(_ member: JSONMember) {
    if let field = PostbackField(rawValue: member.key) {
      add(field, member)
      return
    }
    if compared < Self.mostCompared, member.key.utf8.count <= Self.longestCompared {
      compared += 1
      if let near = nearestName(to: member.key, in: version.fields.map(\.rawValue)) {
        find(.mistypedKey, "No key is called \(JSONWriter.quoted(member.key)); did you mean \"\(near)\"?", member)
        return
      }
    }
    added.count += 1
    if added.names.count < Self.mostNames { added.names.append(JSONWriter.quoted(member.key)) }
    added.range = added.range ?? member.keyRange
  }

  private mutating func add(_ field: PostbackField, _ member: JSONMember) {
    guard version.fields.contains(field) else {
      find(
        .otherVersion, "A postback of version \(version.rawValue) has no key \"\(field.rawValue)\".", member)
      return
    }
    guard !member.value.isNull else {
      find(.nullField, "\"\(field.rawValue)\" is null; Apple leaves a field out that has no value.", member)
      return
    }
    fields[field] = member.value
  }

  private mutating func find(_ code: PostbackFinding.Code, _ message: String, _ member: JSONMember) {
    findings.append(PostbackFinding(code, message, at: member.keyRange))
  }

  /// What is odd about the keys.
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
