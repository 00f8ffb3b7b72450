import SKANBase
import SKANDevice
import SKANSigning

/// A received postback: a line of the file of received postbacks.
package struct ReceivedRecord: Sendable, Equatable {
  /// The receiver's time.
  package var receivedAt: Instant
  /// The sender; nil for a postback from a file.
  package var sourceAddress: String?
  package var signature: ReceivedSignature
  package var repetition: Repetition
  /// The findings in the postback.
  package var findings: [Finding]
  /// The decoded value; nil without a model for its app.
  package var decoded: DecodedValue?
  /// The campaign; nil when it is unknown.
  package var campaign: CampaignMatch?
  package var framework = PostbackProtocol.skAdNetwork
  /// Of AdAttributionKit alone, as the postback states it.
  package var conversionType: String?
  /// The body as received.
  package var body: String

  package struct Finding: Sendable, Equatable {
    /// A code of ``PostbackFinding``.
    package let code: String
    package let message: String

    package init(code: String, message: String) {
      self.code = code
      self.message = message
    }
  }

  package init(
    receivedAt: Instant, sourceAddress: String?, signature: ReceivedSignature, repetition: Repetition,
    findings: [Finding], body: String
  ) {
    self.receivedAt = receivedAt
    self.sourceAddress = sourceAddress
    self.signature = signature
    self.repetition = repetition
    self.findings = findings
    self.body = body
  }

  /// The line with its line end.
  package var line: [UInt8] {
    var bytes: [UInt8] = []
    JSONWriter.write(self, layout: .line, into: &bytes)
    return bytes + [UInt8(ascii: "\n")]
  }
}

/// A line of the file, with its keys in this order.
extension ReceivedRecord: JSONObjectWritable {
  package static let fields = JSONFields<ReceivedRecord> {
    JSONField("received_at", as: .string(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T")) { "\($0.receivedAt)" }
    JSONField("source_address") { $0.sourceAddress }
    JSONField("signature") { $0.signature.verdict }
    JSONField("key") { $0.signature.key }
    JSONField("why") { $0.signature.why }
    JSONField("repetition") { $0.repetition }
    JSONField("findings") { $0.findings }
    JSONField("decoded") { $0.decoded }
    JSONField("campaign") { $0.campaign }
    // A line without the first is of SKAdNetwork.
    JSONField(optional: "protocol") { $0.framework == .adAttributionKit ? $0.framework : nil }
    JSONField(optional: "conversion_type") { $0.framework == .adAttributionKit ? .some($0.conversionType) : nil }
    JSONField("body") { $0.body }
  }

  package static let keys = JSONKeys(fields.names)
}

/// The code may be from an earlier version of the program.
extension ReceivedRecord.Finding: JSONObjectWritable {
  package static let fields = JSONFields<ReceivedRecord.Finding> {
    JSONField("code") { $0.code }
    JSONField("message") { $0.message }
  }

  package static let keys = JSONKeys(fields.names)
}

extension ReceivedSignature.Verdict: JSONWritable {}

extension ReceivedSignature.Key: JSONWritable {}

extension Repetition: JSONWritable {}

/// The result of checking a received postback's signature.
package struct ReceivedSignature: Sendable, Equatable {
  package var verdict: Verdict
  /// The key that signed the postback; nil when it is unknown.
  package var key: Key?
  /// Why it is invalid or was not checked, to end a sentence; nil when it is valid.
  package var why: String?

  package enum Verdict: String, CaseIterable, Sendable {
    case valid
    case invalid
    case notChecked = "not-checked"
  }

  /// The kind of key that signed a postback. Postbacks of different kinds are never added up.
  package enum Key: String, CaseIterable, Sendable {
    case apple
    /// A key for development impressions: any phone in Developer Mode gets such postbacks, for every app.
    case development
    /// The tester's key.
    case simulated
  }

  package init(_ verdict: Verdict, key: Key? = nil, why: String? = nil) {
    self.verdict = verdict
    self.key = key
    self.why = why
  }

  /// - Parameter verdict: by the tester's key if that verifies the postback, otherwise by Apple's.
  package init(_ verdict: PostbackVerdict) {
    switch verdict.reason {
    case .signed(isApples: false): self.init(.valid, key: .simulated)
    case .signed(isApples: true): self.init(.valid, key: verdict.isOfDevelopment ? .development : .apple)
    case .refused(let fault, _): self.init(.invalid, why: fault.message)
    case .notSigned: self.init(.notChecked, why: "it has no signature")
    case .signedByEarlierKey:
      self.init(.notChecked, why: "Apple signed versions 1.0 and 2.0 with another key, which is not checked here")
    case .adAttributionKit(_, .signed(let signer)): self.init(.valid, key: Key(signer))
    case .adAttributionKit(_, .refused(let why, _)): self.init(.invalid, why: why)
    case .adAttributionKit(let postback, .unknownKey):
      self.init(.notChecked, why: postback.keyID.map { "no key is known as \($0)" } ?? "its JWS names no key (kid)")
    case .adAttributionKit(_, .impression):
      self.init(.notChecked, why: "it is the JWS of an impression, not of a postback")
    case .otherForm(let form): self.init(.notChecked, why: form)
    case .unknownVersion:
      self.init(.notChecked, why: "nothing tells which fields are signed: \(verdict.problems.first?.message ?? "")")
    }
  }
}

extension ReceivedSignature.Key {
  fileprivate init(_ signer: AdAttributionKitKeys.Signer) {
    switch signer {
    case .apple: self = .apple
    case .development: self = .development
    case .own: self = .simulated
    }
  }
}

extension PostbackVerdict {
  /// Whether Apple signed source app 0, as for a development impression (the article "Apple's framework"). If a network
  /// filled it in, Apple did not sign it.
  fileprivate var isOfDevelopment: Bool {
    postback?.text(of: .sourceAppID) == "0" && !findings.contains { $0.code == .sourceFilledIn }
  }
}

extension ReceivedRecord {
  /// Reads a line of the file, without its line end.
  ///
  /// - Throws: all problems of the line.
  package init(_ line: [UInt8]) throws(SourceProblems) {
    var reader = JSONObjectReader(
      try JSONReader.readSource(line), what: "a received postback", known: Self.keys)
    let time = reader.require(
      "received_at", reader.read("received_at", "an ISO 8601 instant") { $0.text.flatMap(Instant.init(iso8601:)) })
    let verdict = reader.require("signature", reader.choice("signature", ReceivedSignature.Verdict.self))
    let key = reader.isNull("key") ? nil : reader.choice("key", ReceivedSignature.Key.self)
    let why = reader.isNull("why") ? nil : reader.string("why")
    let address = reader.isNull("source_address") ? nil : reader.string("source_address")
    let repetition = reader.require("repetition", reader.choice("repetition", Repetition.self))
    let findings = reader.items("findings") { node, reader -> Finding? in
      var item = JSONObjectReader(node, what: "a finding", known: Finding.keys)
      let (code, message) = (item.require("code", item.string("code")), item.require("message", item.string("message")))
      reader.add(item.problems)
      return code.flatMap { code in message.map { Finding(code: code, message: $0) } }
    }
    let framework =
      reader.isNull("protocol") ? .skAdNetwork : reader.choice("protocol", PostbackProtocol.self) ?? .skAdNetwork
    let conversionType = reader.isNull("conversion_type") ? nil : reader.string("conversion_type")
    let body = reader.require("body", reader.string("body"))
    let decoded =
      reader.isNull("decoded") ? nil : reader.node("decoded").flatMap { DecodedValue($0, in: &reader) }
    let campaign =
      reader.isNull("campaign") ? nil : reader.node("campaign").flatMap { CampaignMatch($0, in: &reader) }
    guard reader.problems.isEmpty, let time, let verdict, let repetition, let body else {
      throw SourceProblems(reader.problems)
    }
    self.init(
      receivedAt: time, sourceAddress: address, signature: ReceivedSignature(verdict, key: key, why: why),
      repetition: repetition, findings: findings, body: body)
    self.decoded = decoded
    self.campaign = campaign
    self.framework = framework
    self.conversionType = conversionType
  }
}

extension JSONObjectReader {
  /// Reads a case of an enumeration by its name.
  fileprivate mutating func choice<Value: CaseIterable & RawRepresentable<String>>(
    _ key: JSONKey, _ type: Value.Type
  ) -> Value? {
    let names = Value.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
    return read(key, "one of \(names)") { $0.text.flatMap(Value.init(rawValue:)) }
  }
}
