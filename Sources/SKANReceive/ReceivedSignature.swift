import SKANDevice
import SKANSigning

/// What is known of a received postback's signature.
package struct ReceivedSignature: Sendable, Equatable {
  package var verdict: Verdict
  /// Whose key signed it; nil when that is not known.
  package var key: Key?
  /// Why it is invalid or was not checked, to end a sentence; nil when it is valid.
  package var why: String?

  package enum Verdict: String, CaseIterable, Sendable {
    case valid
    case invalid
    case notChecked = "not-checked"
  }

  /// Postbacks of different keys are never added up.
  package enum Key: String, CaseIterable, Sendable {
    case apple
    /// A key for impressions of a developer's own: any phone in Developer Mode gets such postbacks, for every app.
    case development
    /// The tester's own.
    case simulated

    package var explanation: CodeExplanation {
      switch self {
      case .apple:
        CodeExplanation(
          "Apple's key signed it. It is of a real install.",
          cause: "The App Store's device attribution sent it, or a network passed it on unaltered.",
          example: .shell("skan receive --json \(Reproduction.applesPostback)"),
          remedy: "Count it, the first of its transaction id only.", articles: ["Postbacks", "PostbackReports"])
      case .development:
        CodeExplanation(
          "A key for impressions of a developer's own signed it. Any phone in Developer Mode gets such postbacks.",
          cause: "The source app id is 0, or the JWS names a development key.",
          example: .shell(
            #"echo '{"jws-string":"eyJraWQiOiJhcHBsZS1kZXZlbG9wbWVudC1pZGVudGlmaWVyLzEifQ.eyJwb3N0YmFjay1pZGVudGlmaWVyIjoiYSJ9"#
              + #".c2ln"}' | skan receive - --json"#),
          remedy: "Never add it to Apple's.", articles: ["Postbacks", "AppleFramework"])
      case .simulated:
        CodeExplanation(
          "The tester's own key signed it. It is not of a real install.",
          cause: "skan or another tool made it, and --key names its public key.",
          example: .shell("skan receive --json \(Reproduction.simulatedPostback) \(Reproduction.simulatedKey)"),
          remedy: "Never add it to Apple's.", articles: ["Postbacks", "TestingReceivers"])
      }
    }
  }

  package init(_ verdict: Verdict, key: Key? = nil, why: String? = nil) {
    self.verdict = verdict
    self.key = key
    self.why = why
  }

  /// - Parameter verdict: by Apple's key, or by the tester's where that one fits.
  package init(_ verdict: PostbackVerdict) {
    switch verdict.reason {
    case .signed(isApples: false): self.init(.valid, key: .simulated)
    case .signed(isApples: true): self.init(.valid, key: verdict.isOfDevelopment ? .development : .apple)
    case .refused(let fault, _): self.init(.invalid, why: fault.message)
    case .notSigned: self.init(.notChecked, why: "it has no signature")
    case .signedByEarlierKey:
      self.init(.notChecked, why: "Apple signed versions 1.0 and 2.0 with another key, which is not checked here")
    case .adAttributionKit(let other):
      let isOfDevelopment = other.keyID?.hasPrefix("apple-development-identifier/") ?? false
      self.init(
        .notChecked, key: isOfDevelopment ? .development : nil,
        why: "it is of AdAttributionKit, a JWS, which is not checked yet")
    case .unknownVersion:
      self.init(.notChecked, why: "nothing tells which fields are signed: \(verdict.problems.first?.message ?? "")")
    }
  }
}

extension PostbackVerdict {
  /// A development impression has the source app 0 (the article "Apple's framework"); where a network filled it in, Apple
  /// did not sign it.
  fileprivate var isOfDevelopment: Bool {
    postback?.text(of: .sourceAppID) == "0" && !findings.contains { $0.code == .sourceFilledIn }
  }
}
