import SKANBase

/// A received postback of AdAttributionKit, Apple's successor of SKAdNetwork: a compact JWS, alone or in a JSON object
/// with members beside it. See the article "Postbacks".
///
/// Its signature is checked over the text as it was received, never over an encoding of what was read.
package struct AdAttributionKitPostback: Sendable {
  /// The object of the JWS header; null if it cannot be read.
  private let header: JSON
  /// The object of the JWS payload; null if it cannot be read.
  private let payload: JSON
  /// The members beside the JWS that are present and not null.
  private let members: [AdAttributionKitField: JSON]
  /// The text that is signed: header and payload as they were received, with the dot between them.
  package let signedText: String
  /// The numbers r and s of the signature, 64 bytes; empty if there is a ``fault``.
  package let signature: [UInt8]
  /// Why no key of Apple's can have signed it in the form of a JWS, as the end of a sentence; nil if one can.
  package let fault: String?
  /// Whether the JWS is that of an impression, which a network signs for an ad, and not of a postback.
  package let isImpression: Bool
  /// The oddities in the order of their locations.
  package let findings: [PostbackFinding]

  /// Nil if the value is not a postback of AdAttributionKit: a string in the form of a JWS, or an object with
  /// `jws-string`.
  package init?(_ node: JSONNode) {
    let jws: JSONNode
    switch node.content {
    case .string(let text) where Self.looksLikeJWS(text.utf8): jws = node
    case .object:
      guard let member = node.member(AdAttributionKitField.jws), Self.isOurs(member, of: node) else { return nil }
      jws = member
    default: return nil
    }
    let parts = CompactJWS(jws.content.text ?? "")
    (header, payload, signature) = (parts.header, parts.payload, parts.signature)
    signedText = parts.signedText
    fault =
      jws.content.text == nil ? "\"\(AdAttributionKitField.jws)\" must be a string, this is \(jws.kind)" : parts.fault
    isImpression = payload["impression-identifier"] != nil && payload["postback-identifier"] == nil
    var reading = AdAttributionKitReading(node, jws)
    reading.checkMembers()
    if !isImpression { reading.check(header: parts.header, payload: parts.payload) }
    members = reading.members
    findings = reading.sortedFindings
  }

  /// A postback of SKAdNetwork can have a `jws-string` that is null, if its sender writes every key.
  private static func isOurs(_ jws: JSONNode, of postback: JSONNode) -> Bool {
    jws.content.text != nil || !jws.isNull && postback.member(PostbackField.version.rawValue) == nil
  }

  /// The value of a member; nil if it is absent or null.
  package subscript(field: AdAttributionKitField) -> JSON? {
    let value = field.isSigned ? payload[field.rawValue] : members[field]
    return value == .null ? nil : value
  }

  /// The value of a member as text; nil if it is absent or null.
  package func text(of field: AdAttributionKitField) -> String? {
    self[field].map { $0.text ?? JSONWriter.text($0) }
  }

  /// The identifier of the key that it names as its signer's; nil if it names none.
  package var keyID: String? { header["kid"]?.text }

  /// The `typ` of the header, which Apple's postbacks do not have; nil without one.
  package var headerType: String? { header["typ"].map { $0.text ?? JSONWriter.text($0) } }

  /// The identifier of the impression; nil for a postback.
  package var impressionIdentifier: String? { isImpression ? payload["impression-identifier"]?.text : nil }

  /// Nil if it names none, or one that Apple does not list.
  package var conversionType: AdAttribution.ConversionType? {
    self[.conversionType]?.text.flatMap(AdAttribution.ConversionType.init)
  }

  /// The members beside the JWS, which its signature does not cover.
  package var unsignedValues: [(field: AdAttributionKitField, value: JSON)] {
    AdAttributionKitField.unsigned.compactMap { field in members[field].map { (field, $0) } }
  }

  /// Everything it says except for the signature, which differs each time, and for members added in transit.
  package var statement: [String] {
    var claims: [(key: String, value: JSON)] = []
    if case .object(let all) = payload { claims = all.sorted { $0.key.literallyPrecedes($1.key) } }
    let signed = claims.flatMap { claim in
      let text = JSONWriter.text(claim.value)
      return [claim.key, claim.key == AdAttributionKitField.postbackIdentifier.rawValue ? text.lowercased() : text]
    }
    return signed + unsignedValues.flatMap { [$0.field.rawValue, JSONWriter.text($0.value)] }
  }

  /// Whether a text is meant as a compact JWS: it begins like the base64 of an object (a brace, and a quotation mark or
  /// white space), and has dots and characters of base64 only. Whether it is one, ``fault`` tells.
  package static func looksLikeJWS(_ text: some Collection<UInt8>) -> Bool {
    beginnings.contains { text.starts(with: $0.utf8) } && text.contains(UInt8(ascii: "."))
      && text.allSatisfy { $0.isASCIILetterOrDigit || "-_+/=.".utf8.contains($0) }
  }

  /// `{"` with any third byte of ASCII, and a brace followed by a blank or a line end.
  private static let beginnings = [
    "eyI", "eyJ", "eyA", "eyB", "ewo", "ewp", "ewk", "ewl", "ew0", "ew1",
  ]
}

/// The parts of a compact JWS that is signed with ES256, and what contradicts RFC 7515 and RFC 7518.
private struct CompactJWS {
  private(set) var header = JSON.null
  private(set) var payload = JSON.null
  private(set) var signature: [UInt8] = []
  /// The parts that are signed, as they stand.
  private(set) var signedText = ""
  /// Why it is not a JWS with ES256; nil if it is.
  private(set) var fault: String?

  private static let names = ["header", "payload", "signature"]

  init(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    signedText = parts.prefix(2).joined(separator: ".")
    let bytes = parts.prefix(3).map { Base64URL.decode($0.utf8) }
    header = bytes.first.flatMap(\.self).map(Self.object) ?? .null
    payload = bytes.dropFirst().first.flatMap(\.self).map(Self.object) ?? .null
    guard parts.count == 3 else {
      fault = "a compact JWS has three parts, and this has \(parts.count)"
      return
    }
    for (index, part) in bytes.enumerated() where part == nil {
      fault = "its \(Self.names[index]) \(Self.encodingFault(parts[index]))"
      return
    }
    for (name, part) in [("header", header), ("payload", payload)] where part == .null {
      fault = "its \(name) is not a JSON object"
      return
    }
    guard header["alg"] == .string("ES256") else {
      let given = header["alg"].map { "\"alg\" is \(JSONWriter.text($0))" } ?? "it has no \"alg\""
      fault = "its header must name the algorithm ES256: \(given)"
      return
    }
    if header["crit"] != nil {
      fault = "its header demands an extension (\"crit\"), and Apple's has none"
      return
    }
    let last = bytes[2] ?? []
    guard last.count == 64 else {
      fault = Self.lengthFault(last)
      return
    }
    signature = last
  }

  private static func object(_ bytes: [UInt8]) -> JSON {
    guard let value = try? JSONReader.read(bytes).value, case .object = value else { return .null }
    return value
  }

  private static func encodingFault(_ part: Substring) -> String {
    if part.contains("=") { return "is padded with \"=\", and a JWS has no padding" }
    if part.contains(where: { $0 == "+" || $0 == "/" }) {
      return "is in the standard alphabet of base64, and a JWS has that of base64url"
    }
    return "is not base64url"
  }

  private static func lengthFault(_ signature: [UInt8]) -> String {
    if signature.count > 2, signature[0] == 0x30, Int(signature[1]) == signature.count - 2 {
      return "its signature is in DER, and that of a JWS is the 64 bytes of r and s"
    }
    return "its signature has \(signature.count.counted("byte")), and one of ES256 has 64"
  }
}

/// Collects the members of a postback and its oddities.
private struct AdAttributionKitReading {
  private let postback: JSONNode
  private let jws: JSONNode
  private(set) var members: [AdAttributionKitField: JSON] = [:]
  private var ranges: [AdAttributionKitField: Range<Int>] = [:]
  private var findings: [PostbackFinding] = []

  init(_ postback: JSONNode, _ jws: JSONNode) { (self.postback, self.jws) = (postback, jws) }

  var sortedFindings: [PostbackFinding] { findings.inOrder }

  /// Reads the members beside the JWS. A JWS alone has none, and none are missing.
  mutating func checkMembers() {
    guard case .object(let all) = postback.content else { return }
    var keys = OtherKeys(than: AdAttributionKitField.unsigned.map(\.rawValue) + [AdAttributionKitField.jws])
    for member in all where member.key != AdAttributionKitField.jws {
      guard let field = AdAttributionKitField(rawValue: member.key), !field.isSigned else {
        keys.add(member)
        continue
      }
      guard !member.value.isNull else {
        keys.addNull(member)
        continue
      }
      (members[field], ranges[field]) = (member.value.value, member.value.range)
    }
    findings += keys.findings(in: postback)
  }

  mutating func check(header: JSON, payload: JSON) {
    checkNames(of: header, known: ["alg", "kid", "typ"], "header")
    guard case .object = payload else { return }
    checkNames(of: payload, known: AdAttributionKitField.signed.map(\.rawValue), "payload")
    let isAlone = !postback.isObject
    let fields = AdAttributionKitField.allCases.filter { $0.isSigned || !isAlone }
    var entries: [AdAttributionKitField: PostbackFieldCheck<AdAttributionKitField>.Entry] = [:]
    for field in fields {
      guard let value = field.isSigned ? payload[field.rawValue] : members[field], value != .null else { continue }
      entries[field] = PostbackFieldCheck.Entry(value: value, range: ranges[field] ?? jws.range)
    }
    var check = PostbackFieldCheck(entries)
    let missing = check.checkForms(of: fields) { $0.row.isOptional }
    check.checkTogether()
    checkReEngagement(&check)
    checkNetwork(&check, keyID: header["kid"]?.text)
    findings += check.findings
    if missing.isEmpty { return }
    let keys = "the key\(missing.count > 1 ? "s" : "") \(missing.map { "\"\($0.rawValue)\"" }.listed())"
    findings.append(
      PostbackFinding(.fieldMissing, "A postback of AdAttributionKit needs \(keys).", at: jws.range))
  }

  private mutating func checkNames(of part: JSON, known: [String], _ name: String) {
    guard case .object(let members) = part else { return }
    let unknown = members.map(\.key).filter { !known.contains($0) }
    if unknown.isEmpty { return }
    let names = unknown.prefix(20).map(JSONWriter.quoted).joined(separator: ", ")
    let rest = unknown.count > 20 ? " and \(unknown.count - 20) more" : ""
    findings.append(
      PostbackFinding(
        .unknownClaims, "The \(name) of the JWS has members that Apple's page does not list: \(names)\(rest).",
        at: jws.range))
  }

  private func checkReEngagement(_ check: inout PostbackFieldCheck<AdAttributionKitField>) {
    let reEngagement = AdAttribution.ConversionType.reEngagement.rawValue
    guard check.value(.conversionType) == .string(reEngagement) else { return }
    if check.value(.interactionType) == .string("view") {
      check.find(
        .notOfReEngagement, "A re-engagement comes from a click, but \"ad-interaction-type\" is \"view\".",
        .interactionType)
    }
    if check.value(.didWin) == .bool(false) {
      check.find(
        .notOfReEngagement, "A re-engagement has no postbacks for ads that did not win, but \"did-win\" is false.",
        .didWin)
    }
  }

  /// The postbacks of the tool in a phone's settings have a network and a key of their own.
  private func checkNetwork(_ check: inout PostbackFieldCheck<AdAttributionKitField>, keyID: String?) {
    guard let keyID, let network = check.value(.adNetworkIdentifier)?.text else { return }
    let (tool, own) = (AppleKeyID.developmentTool.rawValue, AppleKeyID.networkOfTool)
    if network == own, keyID != tool {
      check.find(
        .networkOfOtherKey,
        "\"\(own)\" is the network of Apple's tool for development, whose key is \(tool); this names the key "
          + "\(JSONWriter.quoted(keyID)).", .adNetworkIdentifier)
    } else if network != own, keyID == tool {
      check.find(
        .networkOfOtherKey,
        "The key \(tool) is of Apple's tool for development, whose network is \"\(own)\"; this names "
          + "\(JSONWriter.quoted(network)).", .adNetworkIdentifier)
    }
  }
}
