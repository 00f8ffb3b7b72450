import SKANJSON
import SKANReceive
import SKANServe
import SKANSigning
import SKANText

/// What `skan serve --postbacks` does with the postbacks that it is sent.
final class PostbackInbox {
  private static let postbacks = Option<String?>(
    "postbacks", "FILE", .namedFile, "take postbacks, and add each to this file, as 'skan receive' does")

  /// Those of `serve` that are about postbacks.
  static let options: [OptionRow] = [postbacks, ReceiveCommand.key, ReceiveCommand.lockTimeout]

  private let store: ReceivedStore
  private let environment: Environment
  /// The problem that was reported last, so that it is reported once and not for every postback.
  private var reported: String?

  /// - Returns: nil without `--postbacks`.
  init?(_ invocation: Invocation) throws(CommandError) {
    guard let path = try invocation[Self.postbacks] else {
      for option in [ReceiveCommand.key, ReceiveCommand.lockTimeout] as [OptionRow] where invocation.isGiven(option) {
        throw invocation.usage("\(invocation.name(of: option)) belongs to \(Self.postbacks.flag)")
      }
      return nil
    }
    environment = invocation.environment
    store = try ReceivedStore.open(
      path, testKey: try invocation[ReceiveCommand.key]?.key, waiting: try invocation[ReceiveCommand.lockTimeout],
      environment)
  }

  /// Lets others write to the file.
  func close() { store.release() }

  /// Keeps a postback that was posted.
  func receive(_ body: [UInt8], from address: String) -> PostbackReceipt {
    guard body.count <= PostbackIntake.longestBody else {
      return .refused(413, reason: "a postback has at most \(PostbackIntake.longestBody >> 10) KiB")
    }
    let document: PostbackDocument
    do throws(SourceNotes) { document = try PostbackDocument(body) } catch {
      return .refused(400, reason: "the body: \(error.notes.first?.message ?? "not JSON")")
    }
    guard document.isObject else { return .refused(400, reason: "the body is not a JSON object") }
    return keep(document, from: address)
  }

  private func keep(_ document: PostbackDocument, from address: String) -> PostbackReceipt {
    let verdict: Result<PostbackVerdict, SigningError>
    do throws(SigningError) { verdict = .success(try store.verdict(on: document)) } catch {
      // Its sender sends it again, to a server that is not about to stop.
      if error == .interrupted { return .notKept(cause: error.message) }
      verdict = .failure(error)
      report("signatures are not checked: \(error.message)")
    }
    do throws(CommandError) {
      let record = try store.keep(document, verdict, from: address)
      let parts = [record.signature.verdict.rawValue, record.signature.key?.rawValue, record.repetition.rawValue]
      return .kept(verdict: parts.compactMap(\.self).joined(separator: ", "))
    } catch {
      let cause = (error.message ?? "").trimmingPrefix("skan: ")
      report("a postback is not kept, and answered with 503: \(cause)")
      return .notKept(cause: String(cause))
    }
  }

  private func report(_ problem: String) {
    if problem != reported { environment.writeError("skan: \(problem)\n") }
    reported = problem
  }
}
