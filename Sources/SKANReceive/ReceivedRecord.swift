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
    package var code: String
    package var message: String

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
    JSONField(required: "received_at", at: \.time)
    JSONField("source_address", at: \.sourceAddress)
    JSONField(required: "signature", at: \.signature.verdict)
    JSONField("key", at: \.signature.key)
    JSONField("why", at: \.signature.why)
    JSONField(required: "repetition", at: \.repetition)
    JSONField("findings", at: \.findings)
    JSONField("decoded", at: \.decoded)
    JSONField("campaign", at: \.campaign)
    // A line without the first is of SKAdNetwork.
    JSONField(optional: "protocol") { $0.framework == .adAttributionKit ? $0.framework : nil }
    JSONField(optional: "conversion_type") { $0.framework == .adAttributionKit ? .some($0.conversionType) : nil }
    JSONField(required: "body", at: \.body)
  }

  package static let keys = JSONKeys(fields.names)
}

/// The code may be from an earlier version of the program.
extension ReceivedRecord.Finding: JSONItemReadable, JSONObjectWritable {
  package static let fields = JSONFields<ReceivedRecord.Finding> {
    JSONField(required: "code", at: \.code)
    JSONField(required: "message", at: \.message)
  }

  package init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    self.init(node, what: "a finding", usual: Self(code: "", message: ""), in: &outer)
  }
}

extension ReceivedSignature.Verdict: JSONReadable {}

extension ReceivedSignature.Key: JSONReadable {}

extension Repetition: JSONReadable {}

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
    self = Self(
      receivedAt: Instant(microseconds: 0), sourceAddress: nil, signature: ReceivedSignature(.valid),
      repetition: .first, findings: [], body: "")
    Self.fields.read(into: &self, from: &reader)
    if !reader.isNull("protocol") { framework = reader.choice("protocol") ?? .skAdNetwork }
    conversionType = reader.isNull("conversion_type") ? nil : reader.string("conversion_type")
    guard reader.problems.isEmpty else { throw SourceProblems(reader.problems) }
  }

  /// The receiver's time, as it is written.
  private var time: ISOTime {
    get { ISOTime(instant: receivedAt) }
    set { receivedAt = newValue.instant }
  }
}

/// A moment that is written as an ISO 8601 instant.
private struct ISOTime: JSONReadable {
  let instant: Instant

  static var jsonForm: JSONForm { .string(pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T") }

  func write(to writer: inout JSONWriter) { writer.append("\(instant)") }

  static func read(_ key: JSONKey, as form: JSONForm?, from reader: inout JSONObjectReader) -> ISOTime? {
    reader.read(key, "an ISO 8601 instant") { $0.text.flatMap(Instant.init(iso8601:)).map(ISOTime.init) }
  }
}
