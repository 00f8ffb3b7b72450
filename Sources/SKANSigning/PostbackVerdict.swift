import SKANBase
import SKANDevice

/// Checks received postbacks: the signature over the fields of their version, and oddities; see the article
/// "Postbacks".
package struct PostbackChecker: Sendable {
  private let key: PublicKey
  private let keys: AdAttributionKitKeys
  private let tool: SignatureTool

  /// - Parameters:
  ///   - key: the expected signer's key of SKAdNetwork's postbacks: Apple's, or that of simulated postbacks.
  ///   - keys: the keys of AdAttributionKit's postbacks, which name theirs.
  package init(
    key: PublicKey = .apple, keys: AdAttributionKitKeys = AdAttributionKitKeys(), tool: SignatureTool
  ) {
    self.key = key
    self.keys = keys
    self.tool = tool
  }

  /// The verdict on a postback.
  ///
  /// - Throws: if no signature can be checked; a signature that does not match is a verdict.
  package func verdict(on document: PostbackDocument) throws(SigningError) -> PostbackVerdict {
    if let postback = document.adAttributionKit {
      return PostbackVerdict(
        .adAttributionKit(postback, try keys.check(postback, tool)),
        findings: postback.findings.map { document.finding($0) })
    }
    let postback: ReceivedPostback
    switch document.reading {
    case .success(let read): postback = read
    case .failure(let problems):
      let form = OtherForm(document.node)?.text
      return PostbackVerdict(form.map { .otherForm($0) } ?? .unknownVersion, problems: document.notes(problems))
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
    if isApples, postback.version.hasEarlierKey { return try checkByEarlierKey(postback) }
    if postback.signature == nil { return (.notSigned, false) }
    let (verdict, isWithoutSource) = try postback.verdict(by: key, tool)
    return switch verdict {
    case .valid: (.signed(isApples: isApples), isWithoutSource)
    case .invalid(let fault): (.refused(fault, isApples: isApples), false)
    }
  }
}

extension PostbackChecker {
  /// Checks a postback by Apple's key of versions 1.0 and 2.0. Where no OpenSSL has its curve, it is not checked.
  ///
  /// No genuine postback of 2.0 that verifies is published, so the signed text of Apple's page could not be tried: one that
  /// does not fit it is not called invalid.
  private func checkByEarlierKey(
    _ postback: ReceivedPostback
  ) throws(SigningError) -> (PostbackVerdict.Reason, isWithoutSource: Bool) {
    if postback.signature == nil { return (.notSigned, false) }
    do throws(SigningError) {
      let (verdict, isWithoutSource) = try postback.verdict(by: .appleEarlier, tool)
      return switch verdict {
      case .valid: (.signed(isApples: true), isWithoutSource)
      case .invalid(let fault) where postback.version == .v1: (.refused(fault, isApples: true), false)
      case .invalid: (.signedByEarlierKey, false)
      }
    } catch {
      if error == .interrupted { throw error }
      return (.signedByEarlierKey, false)
    }
  }
}

extension PostbackDocument {
  /// The finding about a source that was added although the signed postback has none.
  fileprivate var filledInSource: PostbackFinding {
    let field = [PostbackField.sourceAppID, .sourceDomain].first { node.member($0.rawValue) != nil } ?? .sourceAppID
    return PostbackFinding(
      .sourceFilledIn,
      "\"\(field.rawValue)\" was added on the way: the signature is that of a postback without a source.",
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
  }

  /// The reason of the outcome.
  package enum Reason: Sendable {
    /// The signature matches the fields and the key.
    case signed(isApples: Bool)
    /// The signature does not match the fields or the key.
    case refused(SignatureVerdict.Fault, isApples: Bool)
    case notSigned
    /// Apple signed versions 1.0 and 2.0 with a key on P-192, by which it could not be checked.
    case signedByEarlierKey
    case adAttributionKit(AdAttributionKitPostback, AdAttributionKitKeys.Check)
    /// It states no version that is known, so the signed fields are unknown.
    case unknownVersion
    /// It has another form than Apple's, in these words.
    case otherForm(String)
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
    case .signed, .adAttributionKit(_, .signed): .valid
    case .refused, .adAttributionKit(_, .refused): .invalid
    case .notSigned, .signedByEarlierKey, .adAttributionKit(_, .unknownKey), .adAttributionKit(_, .impression):
      .notChecked
    case .unknownVersion, .otherForm: .malformed
    }
  }

  /// Whether a key other than Apple's signed it; nil if unknown.
  package var isSimulated: Bool? {
    switch reason {
    case .signed(let isApples): !isApples
    case .adAttributionKit(_, .signed(let signer)): signer == .own
    default: nil
    }
  }

  /// Nil for a postback of SKAdNetwork.
  package var adAttributionKit: AdAttributionKitPostback? {
    if case .adAttributionKit(let postback, _) = reason { postback } else { nil }
  }
}

/// The transaction IDs of the valid postbacks so far, which AdAttributionKit calls postback identifiers: a receiver counts
/// each once.
package struct VerifiedTransactions: Sendable {
  /// AdAttributionKit's postbacks of different kinds of keys are separate.
  private struct ID: Hashable {
    let signer: AdAttributionKitKeys.Signer?
    /// In lower case, because the case of a UUID is not significant.
    let text: String
  }

  private enum Statement {
    case skAdNetwork(ReceivedPostback)
    case adAttributionKit([String])

    func isSame(as other: Statement) -> Bool {
      switch (self, other) {
      case (.skAdNetwork(let postback), .skAdNetwork(let other)): postback.saysTheSame(as: other)
      case (.adAttributionKit(let statement), .adAttributionKit(let other)): statement == other
      default: false
      }
    }
  }

  private var first: [ID: (file: String?, line: Int, statement: Statement)] = [:]

  package init() {}

  /// Adds to the verdict on a valid postback an earlier one with its ID, and whether the two differ.
  ///
  /// - Parameter file: the file of the postback if there are several; nil if there is one.
  package mutating func compare(
    _ verdict: inout PostbackVerdict, of document: PostbackDocument, in file: String? = nil
  ) {
    guard verdict.outcome == .valid, let (id, statement) = Self.identity(verdict) else { return }
    guard let earlier = first[id] else {
      first[id] = (file, document.line, statement)
      return
    }
    verdict.repeated = PostbackVerdict.Location(file: earlier.file, line: earlier.line)
    guard !statement.isSame(as: earlier.statement) else { return }
    let place = "\(earlier.file.map { "\($0):" } ?? "Line ")\(earlier.line)"
    let (name, values) =
      id.signer == nil
      ? ("transaction id", "conversion values") : ("postback identifier", "the members beside the JWS")
    verdict.findings.append(
      document.finding(
        PostbackFinding(
          .transactionConflict,
          "\(place) has this \(name) but different content: \(values) are not signed, so the first counts.",
          at: document.node.range)))
  }

  private static func identity(_ verdict: PostbackVerdict) -> (ID, Statement)? {
    if case .adAttributionKit(let postback, .signed(let signer)) = verdict.reason {
      return postback.text(of: .postbackIdentifier).map {
        (ID(signer: signer, text: $0.lowercased()), .adAttributionKit(postback.statement))
      }
    }
    guard let postback = verdict.postback, let id = postback.text(of: .transactionID) else { return nil }
    return (ID(signer: nil, text: id.lowercased()), .skAdNetwork(postback))
  }
}
