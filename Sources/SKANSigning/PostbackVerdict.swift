import SKANBase
import SKANDevice

/// Checks received postbacks: the signature over the fields of their version, and oddities; see the article
/// "Postbacks".
package struct PostbackChecker: Sendable {
  private let key: PublicKey
  private let tool: SignatureTool

  /// - Parameter key: the expected signer's key: Apple's, or that of simulated postbacks.
  package init(key: PublicKey = .apple, tool: SignatureTool) {
    self.key = key
    self.tool = tool
  }

  /// The verdict on a postback.
  ///
  /// - Throws: if no signature can be checked; a signature that does not match is a verdict.
  package func verdict(on document: PostbackDocument) throws(SigningError) -> PostbackVerdict {
    if let other = document.adAttributionKit { return PostbackVerdict(.adAttributionKit(other)) }
    let postback: ReceivedPostback
    switch document.reading {
    case .success(let read): postback = read
    case .failure(let problems): return PostbackVerdict(.unknownVersion, problems: document.notes(problems))
    }
    let findings = postback.findings.map { document.finding($0) }
    let (reason, isWithoutSource) = try check(postback)
    return PostbackVerdict(
      reason, postback: postback,
      findings: findings + (isWithoutSource ? [document.finding(document.filledInSource)] : []))
  }

  private func check(
    _ postback: ReceivedPostback
  ) throws(SigningError) -> (PostbackVerdict.Reason, isWithoutSource: Bool) {
    let isApples = key == .apple
    if postback.version == .v2_0, isApples { return (.signedByEarlierKey, false) }
    if postback.signature == nil { return (.notSigned, false) }
    let (verdict, isWithoutSource) = try postback.verdict(by: key, tool)
    return switch verdict {
    case .valid: (.signed(isApples: isApples), isWithoutSource)
    case .invalid(let fault): (.refused(fault, isApples: isApples), false)
    }
  }
}

extension PostbackDocument {
  /// The finding about a source that was added although the signed postback has none.
  fileprivate var filledInSource: PostbackFinding {
    let field = [PostbackField.sourceAppID, .sourceDomain].first { node.member($0.rawValue) != nil } ?? .sourceAppID
    return PostbackFinding(
      .sourceFilledIn,
      "\"\(field.rawValue)\" was filled in on the way: the signature is of a postback without a source.",
      at: node.member(field.rawValue)?.range ?? node.range)
  }
}

/// The result of checking a received postback.
package struct PostbackVerdict: Sendable {
  package let reason: Reason
  /// Nil if its version is unknown.
  package let postback: ReceivedPostback?
  /// Why it cannot be read.
  package let problems: [SourceNote]
  /// The oddities of the postback, in addition to the outcome.
  package internal(set) var findings: [Finding]
  /// The location of an earlier valid postback with the same transaction ID, if any; a receiver drops the later one.
  package internal(set) var repeated: Location?

  /// The line of a postback, and its file if there are several.
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

    package var explanation: CodeExplanation {
      switch self {
      case .valid:
        CodeExplanation(
          "The signature is of the fields of its version and of the key that was asked for. Values are not signed: a "
            + "genuine postback can arrive with a forged conversion value.",
          cause: "Apple, or the holder of the given key, signed it, and no signed field was altered.",
          example: .shell("skan verify \(Reproduction.applesPostback)"),
          remedy: "Take the first valid copy of a transaction id and drop later ones.", articles: ["Postbacks"],
          documents: ["Apple, Verifying an install-validation postback"])
      case .invalid:
        CodeExplanation(
          "The signature does not fit the fields and the key. The postback says nothing that can be trusted.",
          cause: "A signed field was altered on its way, another key signed it, or the signature itself is damaged. "
            + "A simulated postback is invalid by Apple's key.",
          example: .shell("skan verify \(Reproduction.simulatedPostback)"),
          remedy: "Drop it. For simulated postbacks give --key with their public key.",
          articles: ["Postbacks", "TestingReceivers"])
      case .malformed:
        CodeExplanation(
          "Which fields are signed is not known, so nothing was checked. The postback states no version that is "
            + "known.",
          cause: "The key version is missing or is not one of 2.0 to 4.0.",
          example: .shell(#"echo '{"ad-network-id":"com.example"}' | skan verify -"#),
          remedy: "Pass postbacks on as they came, with all of Apple's keys.", articles: ["Postbacks"])
      case .notChecked:
        CodeExplanation(
          "The signature was not checked, which is neither valid nor invalid. The reason stands beside it.",
          cause: "There is no signature, it is of version 2.0 by Apple's earlier key, or it is a JWS of "
            + "AdAttributionKit.",
          example: .shell("skan verify \(Reproduction.postbacks)/simulated-2.0.json"),
          remedy: "Do not count it among valid ones.", articles: ["Postbacks"])
      }
    }
  }

  /// The reason of the outcome.
  package enum Reason: Sendable {
    /// The signature matches the fields and the key.
    case signed(isApples: Bool)
    /// The signature does not match the fields or the key.
    case refused(SignatureVerdict.Fault, isApples: Bool)
    case notSigned
    /// Apple signed versions 1.0 and 2.0 with a key that is not checked here.
    case signedByEarlierKey
    case adAttributionKit(AdAttributionKitPostback)
    /// It states no version, so the signed fields are unknown.
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

  /// Adds the finding of a comparison with other postbacks.
  package mutating func append(_ finding: Finding) { findings.append(finding) }

  package var outcome: Outcome {
    switch reason {
    case .signed: .valid
    case .refused: .invalid
    case .notSigned, .signedByEarlierKey, .adAttributionKit: .notChecked
    case .unknownVersion: .malformed
    }
  }

  /// Whether a key other than Apple's signed it; nil if unknown.
  package var isSimulated: Bool? {
    if case .signed(let isApples) = reason { !isApples } else { nil }
  }
}

/// The transaction IDs of the valid postbacks so far: a receiver counts each once.
package struct VerifiedTransactions: Sendable {
  /// The first postback by ID in lower case, because the case of a UUID is not significant.
  private var first: [String: (file: String?, line: Int, postback: ReceivedPostback)] = [:]

  package init() {}

  /// Adds to the verdict on a valid postback an earlier one with its ID, and whether the two differ.
  ///
  /// - Parameter file: the file of the postback if there are several; nil if there is one.
  package mutating func compare(
    _ verdict: inout PostbackVerdict, of document: PostbackDocument, in file: String? = nil
  ) {
    guard verdict.outcome == .valid, let postback = verdict.postback,
      let id = postback.text(of: .transactionID)?.lowercased()
    else { return }
    guard let earlier = first[id] else {
      first[id] = (file, document.line, postback)
      return
    }
    verdict.repeated = PostbackVerdict.Location(file: earlier.file, line: earlier.line)
    guard !postback.saysTheSame(as: earlier.postback) else { return }
    verdict.findings.append(
      document.finding(
        PostbackFinding(
          .transactionConflict,
          "\(earlier.file.map { "\($0):" } ?? "Line ")\(earlier.line) has this transaction id and says something else: conversion "
            + "values are not signed, so the first counts.", at: document.node.range)))
  }
}
