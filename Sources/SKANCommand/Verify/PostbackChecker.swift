import SKANDevice
import SKANSigning

/// Checks postbacks: the signature over the fields of their version as they stand, and what is odd beside it.
struct PostbackChecker {
  let key: PublicKey
  /// Where the key came from, for a message.
  let keyName: String
  let tool: SignatureTool

  func verdict(
    on document: PostbackDocument, isInterrupted: () -> Bool
  ) throws(CommandError) -> PostbackVerdict {
    if isInterrupted() { throw .interrupted }
    if let other = AdAttributionKitPostback(document.node) {
      return PostbackVerdict(
        .notChecked,
        "\(other.name): a JWS, whose signature is not checked yet; those of SKAdNetwork 2.1 to 4.0 are.")
    }
    let postback: ReceivedPostback
    switch ReceivedPostback.read(document.node) {
    case .success(let read): postback = read
    case .failure(let problems):
      var verdict = PostbackVerdict(
        .malformed, "Nothing tells which fields are signed; the signature was not checked.")
      verdict.notes = document.notes(problems)
      return verdict
    }
    var verdict: PostbackVerdict
    do throws(CommandError) {
      verdict = try self.verdict(on: postback, in: document)
    } catch {
      // A Ctrl-C reaches openssl, too.
      throw isInterrupted() ? .interrupted : error
    }
    verdict.postback = postback
    verdict.findings = postback.findings.map { document.finding($0) } + verdict.findings
    return verdict
  }

  private func verdict(
    on postback: ReceivedPostback, in document: PostbackDocument
  ) throws(CommandError) -> PostbackVerdict {
    let isApples = key == .apple
    let name = postback.name
    guard postback.version != .v2_0 || !isApples else {
      return PostbackVerdict(
        .notChecked,
        "\(name): Apple signed versions 1.0 and 2.0 with another key (P-192), which is not checked here; --key checks "
          + "a simulated one.")
    }
    guard postback.signature != nil else {
      return PostbackVerdict(.notChecked, "\(name): it has no signature (\"attribution-signature\").")
    }
    let signature: SignatureVerdict
    let isWithoutSource: Bool
    do throws(SigningError) {
      (signature, isWithoutSource) = try postback.verdict(by: key, tool)
    } catch {
      throw CommandError(error, keyFile: keyName)
    }
    switch signature {
    case .valid:
      var verdict = PostbackVerdict(
        .valid,
        isApples
          ? "\(name): the signature is Apple's."
          : "\(name): the signature is of the given key and not Apple's; the postback is simulated.")
      verdict.isSimulated = !isApples
      if isWithoutSource { verdict.findings = [document.finding(document.filledInSource)] }
      return verdict
    case .invalid(let fault):
      let hint = isApples ? " (checked by Apple's key; --key checks a simulated one)" : " (checked by the given key)"
      return PostbackVerdict(.invalid, "\(name): \(fault.words)\(hint).")
    }
  }
}

extension ReceivedPostback {
  /// Which postback it is, to begin a sentence.
  fileprivate var name: String {
    let index = text(of: .sequenceIndex).map { " \($0)" } ?? ""
    let network = text(of: .adNetworkID).map { " of \($0)" } ?? ""
    let transaction = text(of: .transactionID).map { ", transaction \($0)" } ?? ""
    return "Version \(version.rawValue), postback\(index)\(network)\(transaction)"
  }
}

extension PostbackDocument {
  /// The source that stands for none and was not signed.
  fileprivate var filledInSource: PostbackFinding {
    let field = [PostbackField.sourceAppID, .sourceDomain].first { node.member($0.rawValue) != nil } ?? .sourceAppID
    return PostbackFinding(
      .sourceFilledIn,
      "\"\(field.rawValue)\" was filled in on the way: the signature is of a postback without a source.",
      at: node.member(field.rawValue)?.range ?? node.range)
  }
}
