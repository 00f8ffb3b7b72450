import SKANDevice
import SKANSigning

/// What the check of a postback came to.
struct PostbackVerdict {
  let outcome: Outcome
  /// In one sentence.
  let explanation: String
  /// Nil when its fields are not in order.
  var content: PostbackContent?
  var notes: [CommandError.SourceNote] = []
  /// Whether another key than Apple's signed it; nil when nobody did, or it cannot be told.
  var isSimulated: Bool?
  /// The line of an earlier valid postback with the same transaction id: a receiver drops this one.
  var repeatedLine: Int?

  enum Outcome: String {
    case valid
    case invalid
    case malformed
    case notChecked = "not-checked"
  }

  init(_ outcome: Outcome, _ explanation: String) {
    self.outcome = outcome
    self.explanation = explanation
  }
}

/// Checks postbacks: the fields of their version first, then the signature.
struct PostbackChecker {
  let key: PublicKey
  /// Where the key came from, for a message.
  let keyName: String
  let tool: SignatureTool

  func verdict(
    on document: PostbackDocument, isInterrupted: () -> Bool
  ) throws(CommandError) -> PostbackVerdict {
    if isInterrupted() { throw .interrupted }
    let content: PostbackContent
    switch PostbackContent.read(document.node) {
    case .success(let read): content = read
    case .failure(let problems):
      let notes = document.notes(problems)
      let count = notes.count == 1 ? "1 problem" : "\(notes.count) problems"
      var verdict = PostbackVerdict(.malformed, "\(count) with the fields; the signature was not checked.")
      verdict.notes = notes
      return verdict
    }
    var verdict: PostbackVerdict
    do throws(CommandError) {
      verdict = try self.verdict(on: content)
    } catch {
      // A Ctrl-C reaches openssl, too.
      throw isInterrupted() ? .interrupted : error
    }
    verdict.content = content
    return verdict
  }

  private func verdict(on content: PostbackContent) throws(CommandError) -> PostbackVerdict {
    let isApples = key == .apple
    let name = content.name
    guard content.version != .v2_0 || !isApples else {
      return PostbackVerdict(
        .notChecked,
        "\(name): Apple signed versions 1.0 and 2.0 with another key (P-192), which is not checked here; --key checks "
          + "a simulated one.")
    }
    let signature: SignatureVerdict
    do throws(SigningError) {
      signature = try content.verdict(by: key, tool)
    } catch {
      if case .key(let problem) = error { throw .badKey(file: keyName, reason: problem.words) }
      throw .noSignatures(error.words)
    }
    switch signature {
    case .valid:
      var verdict = PostbackVerdict(
        .valid,
        isApples
          ? "\(name): the signature is Apple's."
          : "\(name): the signature is of the given key and not Apple's; the postback is simulated.")
      verdict.isSimulated = !isApples
      return verdict
    case .invalid(let fault):
      let hint = isApples ? " (checked by Apple's key; --key checks a simulated one)" : " (checked by the given key)"
      return PostbackVerdict(.invalid, "\(name): \(fault.words)\(hint).")
    }
  }
}

extension PostbackContent {
  /// Which postback it is, to begin a sentence.
  fileprivate var name: String {
    let index = sequenceIndex.map { " \($0)" } ?? ""
    return "Version \(version.rawValue), postback\(index) of \(adNetworkID), transaction \(transactionID)"
  }
}
