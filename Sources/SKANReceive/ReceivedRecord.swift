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

  /// With its end.
  package var line: [UInt8] {
    var bytes: [UInt8] = []
    JSONWriter.write(self, layout: .line, into: &bytes)
    return bytes + [UInt8(ascii: "\n")]
  }
}

/// A line of the file, its keys in this order.
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
    JSONField("body") { $0.body }
  }

  package static let keys = JSONKeys(fields.names)
}

/// The code can be one of an earlier version.
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
