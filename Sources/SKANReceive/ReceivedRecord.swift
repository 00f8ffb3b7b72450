import SKANDevice
import SKANBase

/// A postback that was received: a line of the file of received postbacks.
package struct ReceivedRecord: Sendable, Equatable {
  /// By the receiver's clock.
  package var receivedAt: Instant
  /// Who sent it; nil for one from a file.
  package var sourceAddress: String?
  package var signature: ReceivedSignature
  package var repetition: Repetition
  /// What is odd about it.
  package var findings: [Finding]
  /// What its value means; nil without a model for its app.
  package var decoded: DecodedValue?
  /// The campaign that it is of; nil when none is known.
  package var campaign: CampaignMatch?
  /// As it came.
  package var body: String

  package struct Finding: Sendable, Equatable {
    /// Of ``PostbackFinding``.
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

  /// Its members, in the order in which they stand in the file.
  package var json: JSON {
    .object([
      ("received_at", .string("\(receivedAt)")), ("source_address", .optional(sourceAddress)),
      ("signature", .string(signature.verdict.rawValue)), ("key", .optional(signature.key?.rawValue)),
      ("why", .optional(signature.why)), ("repetition", .string(repetition.rawValue)),
      (
        "findings",
        .array(findings.map { .object([("code", .string($0.code)), ("message", .string($0.message))]) })
      ), ("decoded", decoded?.json ?? .null), ("campaign", campaign?.json ?? .null), ("body", .string(body)),
    ])
  }

  /// With its end.
  package var line: [UInt8] {
    var bytes: [UInt8] = []
    JSONWriter.write(json, layout: .line, into: &bytes)
    return bytes + [UInt8(ascii: "\n")]
  }
}
