import SKANDevice
import SKANBase

/// The result of checking a received postback.
package struct PostbackVerdict: Sendable {
  package let reason: Reason
  /// Nil when its version is not known.
  package let postback: ReceivedPostback?
  /// Why it cannot be read.
  package let problems: [SourceNote]
  /// What is odd about it, beside the outcome.
  package internal(set) var findings: [Finding]
  /// Where an earlier valid postback has the same transaction id: a receiver drops this one.
  package internal(set) var repeated: Location?

  /// The line of a postback, and its file when there are several.
  package struct Location: Sendable, Equatable {
    package let file: String?
    package let line: Int
  }

  /// The verdict in one word.
  package enum Outcome: String, CaseIterable, Sendable {
    case valid
    case invalid
    case malformed
    case notChecked = "not-checked"
  }

  /// Why the outcome is what it is.
  package enum Reason: Sendable {
    /// The signature is of the fields and the key.
    case signed(isApples: Bool)
    /// The signature is not of the fields, or not by the key.
    case refused(SignatureVerdict.Fault, isApples: Bool)
    case notSigned
    /// Apple signed versions 1.0 and 2.0 with a key that is not checked here.
    case signedByEarlierKey
    case adAttributionKit(AdAttributionKitPostback)
    /// It states no version, so that the signed fields are not known.
    case unknownVersion
  }

  /// A finding with its location in the text.
  package struct Finding: Sendable {
    package let code: PostbackFinding.Code
    package let note: SourceNote
  }

  init(
    _ reason: Reason, postback: ReceivedPostback? = nil, problems: [SourceNote] = [], findings: [Finding] = []
  ) {
    self.reason = reason
    self.postback = postback
    self.problems = problems
    self.findings = findings
  }

  /// Adds what a comparison with others has found.
  package mutating func append(_ finding: Finding) { findings.append(finding) }

  package var outcome: Outcome {
    switch reason {
    case .signed: .valid
    case .refused: .invalid
    case .notSigned, .signedByEarlierKey, .adAttributionKit: .notChecked
    case .unknownVersion: .malformed
    }
  }

  /// Whether another key than Apple's signed it; nil when that is not known.
  package var isSimulated: Bool? {
    if case .signed(let isApples) = reason { !isApples } else { nil }
  }
}
