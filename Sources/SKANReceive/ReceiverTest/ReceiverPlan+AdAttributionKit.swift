import SKANBase
import SKANDevice
import SKANSigning

/// A postback of AdAttributionKit that a receiver is tested with.
private struct TestJWS {
  var header: [(key: String, value: JSON)]
  var claims: [(key: String, value: JSON)]
  var members: [(key: String, value: JSON)]
  /// Whether a slash of the header is escaped, as in Apple's example; without a slash the first character of the key's name.
  var hasEscape = false

  /// A winning install with everything that Apple's postbacks have at the highest tier.
  init(app: String, identifier: String, value: Int64, keyID: String) {
    header = [("kid", .string(keyID)), ("alg", .string("ES256"))]
    claims = [
      (AdAttributionKitField.postbackIdentifier, JSON.string(identifier)),
      (.adNetworkIdentifier, .string("example123.adattributionkit")), (.sourceIdentifier, .string("5239")),
      (.advertisedItemIdentifier, Int64(app).map(JSON.integer) ?? .string(app)),
      (.publisherItemIdentifier, .integer(1_234_567_891)), (.marketplaceIdentifier, .string("com.apple.AppStore")),
      (.impressionType, .string("app-impression")), (.conversionType, .string("download")), (.didWin, .bool(true)),
      (.sequenceIndex, .integer(0)),
    ].map { ($0.0.rawValue, $0.1) }
    members = [
      (AdAttributionKitField.interactionType.rawValue, .string("click")),
      (AdAttributionKitField.conversionValue.rawValue, .integer(value)),
      (AdAttributionKitField.countryCode.rawValue, .string("US")),
    ]
  }

  /// Returns the postback without these members.
  func without(_ fields: AdAttributionKitField...) -> TestJWS {
    var copy = self
    for field in fields { copy[field] = nil }
    return copy
  }

  /// The properties shared with other deliveries that must be accepted.
  var traits: Set<ReceiverTrait> {
    var traits: Set<ReceiverTrait> = [.postback, .adAttributionKit]
    let missing: [(AdAttributionKitField, ReceiverTrait)] = [
      (.publisherItemIdentifier, .withoutPublisher), (.countryCode, .withoutCountry),
      (.marketplaceIdentifier, .withoutMarketplace), (.conversionValue, .withoutFineValue),
    ]
    for (field, trait) in missing where self[field] == nil { traits.insert(trait) }
    if self[.coarseConversionValue] != nil { traits.insert(.coarseValue) }
    if case .integer(1...)? = self[.sequenceIndex] { traits.insert(.laterWindow) }
    if let digits = self[.sourceIdentifier]?.text, digits.utf8.count < 4 { traits.insert(.shortIdentifier) }
    if self[.didWin] == .bool(false) { traits.insert(.notWon) }
    return traits
  }

  subscript(field: AdAttributionKitField) -> JSON? {
    get { (field.isSigned ? claims : members).first { $0.key == field.rawValue }?.value }
    set {
      var all = field.isSigned ? claims : members
      let index = all.firstIndex { $0.key == field.rawValue } ?? all.count
      all.replaceSubrange(index..<min(index + 1, all.count), with: newValue.map { [(field.rawValue, $0)] } ?? [])
      if field.isSigned { claims = all } else { members = all }
    }
  }

  /// The text that is signed.
  var signedText: String {
    let parts = [hasEscape ? escapedHeader : JSONWriter.text(.object(header)), JSONWriter.text(.object(claims))]
    return parts.map { Base64URL.encode($0.utf8) }.joined(separator: ".")
  }

  private var escapedHeader: String {
    let text = JSONWriter.text(.object(header))
    if text.contains("/") { return text.replacing("/", with: "\\/") }
    guard let first = header.first?.value.text?.utf8.first else { return text }
    let digits = String(first, radix: 16).leftPadded(to: 4, with: "0")
    return text.replacing("\"kid\":\"\(Character(Unicode.Scalar(first)))", with: "\"kid\":\"\\u\(digits)")
  }

  /// The body with a JWS.
  func body(_ jws: String) -> [UInt8] {
    Array(JSONWriter.text(.object([(AdAttributionKitField.jws, .string(jws))] + members)).utf8)
  }
}

/// The deliveries of AdAttributionKit, which go to a path of their own.
extension ReceiverPlan {
  /// Adds the deliveries of AdAttributionKit.
  ///
  /// - Parameters:
  ///   - keyID: the name of the key in the header, under which the receiver has its public half.
  ///   - sign: returns the numbers r and s of a signature of a text; nil without a key.
  package mutating func addAdAttributionKit(
    keyID: String = AdAttributionKitKeys.simulatedKeyID, sign: (String) throws(SigningError) -> [UInt8]?
  ) throws(SigningError) {
    let start = deliveries.count
    self.keyID = keyID
    try addConversions(sign)
    try addCopies(sign)
    try addForgeries(sign)
    try addForms(sign)
    setFramework(.adAttributionKit, from: start)
  }

  /// Apple names 500 alone as an answer after which a phone sends a postback of AdAttributionKit again.
  private static let lost =
    "a phone sends it again after 500 only, up to nine times in nine days; after any other answer but 200 it is lost"

  private typealias Sign = (String) throws(SigningError) -> [UInt8]?

  private mutating func install() -> TestJWS {
    TestJWS(app: app, identifier: transaction().uppercased(), value: values.first, keyID: keyID)
  }

  /// An install of tier 2 with these digits, which shows neither publisher nor country.
  private mutating func lowTier(_ digits: String) -> TestJWS {
    var postback = install().without(.publisherItemIdentifier, .countryCode)
    postback[.sourceIdentifier] = .string(digits)
    return postback
  }

  /// Adds a POST of a postback that is signed; without a key it has a signature of nothing.
  private mutating func add(
    _ id: String, _ request: String, _ postback: TestJWS, _ sign: Sign, level: ReceiverDelivery.Level = .must,
    traits: Set<ReceiverTrait> = [], signature: ReceivedSignature? = nil, why: String = ReceiverPlan.lost
  ) throws(SigningError) {
    let (jws, made) = try signed(postback, sign)
    add(
      id, request, body: postback.body(jws), signature ?? made, level: level,
      traits: traits.union(postback.traits), why: why)
  }

  private func signed(_ postback: TestJWS, _ sign: Sign) throws(SigningError) -> (jws: String, ReceivedSignature) {
    let text = postback.signedText
    let numbers = try sign(text)
    let jws = "\(text).\(Base64URL.encode(numbers ?? [UInt8](repeating: 1, count: 64)))"
    return (
      jws,
      numbers == nil
        ? ReceivedSignature(.notChecked, why: "it has no signature") : ReceivedSignature(.valid, key: .simulated)
    )
  }

  private mutating func addConversions(_ sign: Sign) throws(SigningError) {
    try add("aak-tier-3", "AdAttributionKit, tier 3: four digits, a fine value, publisher, country", install(), sign)
    try add("aak-no-country", "tier 3 without the country", install().without(.countryCode), sign)
    try add("aak-no-value", "tier 3 without a value", install().without(.conversionValue), sign)
    try add(
      "aak-no-publisher", "tier 2 with four digits: no publisher, no country",
      install().without(.countryCode, .publisherItemIdentifier), sign)
    try add("aak-tier-2", "tier 2 with three digits", lowTier("239"), sign)
    try add("aak-tier-2-no-value", "tier 2 without a value", lowTier("239").without(.conversionValue), sign)
    try add(
      "aak-tier-0", "tier 0: two digits, no value, no marketplace",
      lowTier("39").without(.conversionValue, .marketplaceIdentifier), sign)
    try add(
      "aak-no-marketplace", "tier 3 without marketplace-identifier", install().without(.marketplaceIdentifier), sign,
      level: .should, why: "Apple lists the claim as optional, and names no tier but 0 that omits it")

    var postback = lowTier("39").without(.conversionValue)
    postback[.coarseConversionValue] = .string("high")
    try add("aak-tier-1", "tier 1: two digits, a coarse value", postback, sign)

    postback = lowTier("39").without(.conversionValue)
    postback[.sequenceIndex] = .integer(1)
    postback[.coarseConversionValue] = .string("low")
    try add("aak-second-window", "the second postback of an install", postback, sign)

    postback = install()
    postback[.interactionType] = .string("view")
    try add("aak-view-through", "an ad that was viewed", postback, sign)

    postback = install()
    postback[.conversionType] = .string("redownload")
    try add("aak-redownload", "an app that was installed before", postback, sign)

    postback = install()
    postback[.conversionType] = .string("re-engagement")
    try add("aak-re-engagement", "a re-engagement, which is no install", postback, sign)

    postback = lowTier("39").without(.conversionValue)
    postback[.didWin] = .bool(false)
    try add("aak-not-won", "an ad that did not win", postback, sign)

    postback = install()
    postback[.advertisedItemIdentifier] = .integer(9_007_199_254_740_993)
    try add(
      "aak-large-id", "an app id beyond 2^53, which a double does not hold", postback, sign,
      why: "identifiers have 64 bits; Apple's example has one above 2^32")

    postback = install()
    postback.hasEscape = true
    try add(
      "aak-escaped-slash",
      keyID.contains("/")
        ? "a header whose kid has an escaped slash, as in Apple's example"
        : "a header whose kid has an escaped character, as that of Apple's example has an escaped slash", postback,
      sign,
      why: "the signature covers the text as it came: a receiver that encodes the header again refuses Apple's own")
  }

  private mutating func addCopies(_ sign: Sign) throws(SigningError) {
    let first = install()
    let (jws, made) = try signed(first, sign)
    let known = "after an answer of 500 the phone sends it once more; it counts once"
    let traits = first.traits
    add(
      "aak-original", "a postback of AdAttributionKit that is sent again later", body: first.body(jws), made,
      traits: traits, why: Self.lost)
    add(
      "aak-duplicate", "it again, the same bytes", body: first.body(jws), made,
      traits: traits.union([.knownTransaction]), why: known)

    var other = first
    other[.postbackIdentifier] = other[.postbackIdentifier]?.text.map { .string($0.lowercased()) }
    try add(
      "aak-duplicate-other-case",
      "the same postback again, its postback-identifier in the other case", other, sign, level: .should,
      traits: [.knownTransaction], why: "a UUID may be written in either case: it counts once")

    let verifies = "it verifies, so its sender must not learn anything; the first copy counts, and this is a conflict"
    var forged = first
    forged[.conversionValue] = .integer(values.second)
    add(
      "aak-member-altered",
      "the same postback again with another conversion value, which is beside the JWS", body: forged.body(jws),
      made, level: .should, traits: traits.union([.knownTransaction]), why: verifies)

    other = first
    other[.sourceIdentifier] = .string("4711")
    try add(
      "aak-conflict", "its postback-identifier again with another source identifier, signed", other, sign,
      level: .should, traits: [.knownTransaction], why: verifies)
  }

  private mutating func addForgeries(_ sign: Sign) throws(SigningError) {
    let noFailure = "no phone sends it: keep it apart or refuse it, but do not fail"
    let postback = install()
    let parts = try signed(postback, sign).jws.split(separator: ".").map(String.init)
    let signature = Base64URL.decode(parts[2].utf8) ?? []
    var header = postback
    header.hasEscape = true
    var claims = postback
    claims[.sourceIdentifier] = .string("1111")
    let altered = { (text: String) in String(text.split(separator: ".")[0]) }
    let forgeries: [(id: String, request: String, jws: String)] = [
      (
        "aak-header-altered",
        "a header that is encoded again, with an escaped \(keyID.contains("/") ? "slash" : "character"), under the same "
          + "signature",
        "\(altered(header.signedText)).\(parts[1]).\(parts[2])"
      ),
      (
        "aak-payload-altered", "a payload with an altered claim, under the same signature",
        "\(parts[0]).\(claims.signedText.split(separator: ".")[1]).\(parts[2])"
      ),
      (
        "aak-signature-altered", "a signature with an altered byte",
        "\(parts[0]).\(parts[1]).\(Base64URL.encode([signature[0] ^ 1] + signature.dropFirst()))"
      ),
      (
        "aak-der", "a signature in DER instead of r and s",
        "\(parts[0]).\(parts[1]).\(Base64URL.encode(SignatureForm.der(ofNumbers: signature)))"
      ),
      ("aak-padding", "a JWS with padding", "\(parts.joined(separator: "."))=="),
    ]
    for forgery in forgeries {
      add(
        forgery.id, forgery.request, body: postback.body(forgery.jws),
        ReceivedSignature(.invalid, why: "it does not fit"), right: .okOrRefused, level: .should, traits: [.forgery],
        why: noFailure)
    }
    add(
      "aak-genuine-after", "the genuine postback with the identifier of those",
      body: postback.body(parts.joined(separator: ".")),
      try signed(postback, sign).1, traits: postback.traits.union([.knownTransaction]),
      why: "a forgery must not take its place: it is lost unless it is answered with 200")

    var unknown = install()
    unknown.header[0].value = .string(keyID == "unknown-key/7" ? "unknown-key/8" : "unknown-key/7")
    try add(
      "aak-unknown-kid", "a kid that names no known key", unknown, sign, level: .should,
      signature: ReceivedSignature(.notChecked, why: "its key is not known"),
      why: "Apple can add a key before receivers know it: what is not kept is lost")
    add(
      "aak-development-key", "Apple's example, which a development key signed", body: Array(Self.applesExample.utf8),
      ReceivedSignature(.valid, key: .development), level: .should, traits: [.postback, .adAttributionKit],
      why: "any phone in Developer Mode can have one sent, for every app: keep it, and never count it with Apple's")
  }

  private mutating func addForms(_ sign: Sign) throws(SigningError) {
    var postback = install()
    postback.claims.append(("new-claim", .array([.integer(1)])))
    postback.members.append(("ip", .string("192.0.2.1")))
    try add(
      "aak-unknown-members", "members that are not known, in the JWS and beside it", postback, sign, level: .should,
      why: "networks and Apple add members; the signature covers the text as it came")

    let whole = install()
    let body = whole.body(try signed(whole, sign).jws)
    add(
      "aak-truncated", "the first half of a postback", body: Array(body.prefix(body.count / 2)), nil, right: .refused,
      traits: [.notWhole], why: "a part of a postback must not pass for one: 200 says that it has arrived")
    let filler = [UInt8](repeating: UInt8(ascii: "A"), count: 4 << 20)
    add(
      "aak-huge", "a body of 4 MiB", body: Array("{\"jws-string\":\"".utf8) + filler + Array("\"}".utf8), nil,
      right: .refusedOrClosed, level: .should,
      why: "postbacks have less than 2 KiB: a receiver that accepts any size lets anyone fill the disk")

    let other = install()
    let (jws, made) = try signed(other, sign)
    add(
      lacksSlash ? "aak-with-slash" : "aak-without-slash",
      "Apple's path of AdAttributionKit \(lacksSlash ? "with" : "without") its last slash", body: other.body(jws), made,
      hasOtherEnd: true, level: lacksSlash ? .must : .should, traits: [.postback, .adAttributionKit],
      why: lacksSlash
        ? "phones post to the path with its last slash, and this is not the named address"
        : "senders and proxies leave the slash out, and a redirect is not followed")
  }

  /// Apple's example of a postback on its page "Identifying the parameters in a postback".
  private static let applesExample =
    #"{"jws-string":"eyJraWQiOiJhcHBsZS1kZXZlbG9wbWVudC1pZGVudGlmaWVyXC8xIiwiYWxnIjoiRVMyNTYifQ"#
    + ".eyJwb3N0YmFjay1pZGVudGlmaWVyIjoiODU1NDZFQjctRkQzOS00NEJDLTg5OTAtQzk4QTRBQzM2QTQ5IiwicHVibGlzaGVyLWl0ZW0taWRl"
    + "bnRpZmllciI6MCwibWFya2V0cGxhY2UtaWRlbnRpZmllciI6ImNvbS5hcHBsZS5BcHBTdG9yZSIsImltcHJlc3Npb24tdHlwZSI6ImFwcC1p"
    + "bXByZXNzaW9uIiwiYWQtbmV0d29yay1pZGVudGlmaWVyIjoiZGV2ZWxvcG1lbnQuYWRhdHRyaWJ1dGlvbmtpdCIsImRpZC13aW4iOnRydWUs"
    + "InBvc3RiYWNrLXNlcXVlbmNlLWluZGV4IjowLCJjb252ZXJzaW9uLXR5cGUiOiJyZS1lbmdhZ2VtZW50Iiwic291cmNlLWlkZW50aWZpZXIi"
    + "OiIxMjM0IiwiYWR2ZXJ0aXNlZC1pdGVtLWlkZW50aWZpZXIiOjEwNzM4MDI3NzU2fQ"
    + ".bAdNwKd6OfHK9tofvjjua4X_JPcFTxXPQSspD9gZkinw97pY7R1aI-LSjl-oxZZF3_K2H5JK5TSEBee4_1U4oQ"
    + #"","conversion-value":24,"ad-interaction-type":"click","country-code":"US"}"#
}
