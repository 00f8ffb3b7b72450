import SKANDevice

/// Checks received postbacks: the signature over the fields of their version as they stand, and what is odd beside it; see
/// the article "Postbacks".
package struct PostbackChecker: Sendable {
  private let key: PublicKey
  private let tool: SignatureTool

  /// - Parameter key: the key that should have signed; Apple's, or that of simulated postbacks.
  package init(key: PublicKey = .apple, tool: SignatureTool) {
    self.key = key
    self.tool = tool
  }

  /// The verdict on a postback.
  ///
  /// - Throws: when no signature can be checked; a signature that does not fit is a verdict.
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
  /// The source that was added where the signed postback has none.
  fileprivate var filledInSource: PostbackFinding {
    let field = [PostbackField.sourceAppID, .sourceDomain].first { node.member($0.rawValue) != nil } ?? .sourceAppID
    return PostbackFinding(
      .sourceFilledIn,
      "\"\(field.rawValue)\" was filled in on the way: the signature is of a postback without a source.",
      at: node.member(field.rawValue)?.range ?? node.range)
  }
}
