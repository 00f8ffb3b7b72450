import SKANBase
import SKANReceive
import SKANServe
import SKANSigning

/// How `skan serve --postbacks` handles the postbacks that it is sent.
final class PostbackReceiver {
  /// The options of `serve` that are about postbacks.
  struct Options: CommandOptions {
    private static let postbacks = Option<String?>(
      "postbacks", "FILE", .addedFile, "take postbacks, and add each to this file, as 'skan receive' does")

    /// The file that they are added to; nil where none are taken.
    let file: String?
    let testKey: NamedKey?
    let campaigns: String?
    let lockSeconds: Double
    let targets: [ForwardTarget]
    let speed: Int64

    init(_ reader: OptionReader) throws(CommandError) {
      file = try reader[Self.postbacks]
      let taken = OptionReader.Condition(file != nil, "belongs to \(Self.postbacks.flag)")
      testKey = try reader[ReceiveCommand.key, taken]
      campaigns = try reader[DecodingOptions.campaigns, taken]
      lockSeconds = try reader[ReceiveCommand.lockTimeout, taken]
      let targets = try reader.depending(on: taken) { () throws(CommandError) in
        try reader.targets(ForwardTarget.option)
      }
      self.targets = targets
      speed = try reader.depending(on: taken) { () throws(CommandError) in
        try reader[
          ForwardTarget.speed,
          OptionReader.Condition(!targets.isEmpty, "belongs to \(ForwardTarget.option.flag)")]
      }
    }
  }

  private let options: Options
  private let models: [ModelArgument]
  private let store: ReceivedStore
  private let forwards: Forwards
  private let environment: Environment
  /// The problem that was reported last, so that it is reported once and not for every postback.
  private var reported: String?
  /// Which commit comes next, and why the last one did not keep what it should.
  private var commits = 0
  private var failure: (commit: Int, cause: String)?

  /// - Parameter models: decode the postbacks.
  /// - Returns: nil where no postbacks are taken.
  init?(_ options: Options, models: [ModelArgument], _ invocation: Invocation) throws(CommandError) {
    guard let path = options.file else { return nil }
    self.options = options
    self.models = models
    environment = invocation.environment
    let store = try ReceivedStore.open(
      path, testKey: options.testKey?.key,
      context: try invocation.postbackContext(models, campaigns: options.campaigns),
      waiting: options.lockSeconds, environment)
    do throws(CommandError) {
      forwards = try Forwards(
        options.targets, path, size: store.size, speed: Double(options.speed), environment)
    } catch {
      store.release()
      throw error
    }
    self.store = store
  }

  /// Reads again what is known beside the postbacks.
  func readAgain(_ invocation: Invocation) throws(CommandError) {
    store.use(try invocation.postbackContext(models, campaigns: options.campaigns))
  }

  /// Begins to pass on what was received.
  func start() throws(CommandError) { try forwards.start() }

  /// Passes on what is accepted at once, and lets others write to the file.
  func close() {
    forwards.end()
    store.release()
  }

  var keeper: PostbackKeeper { PostbackKeeper(receive: receive, commit: commit) }

  /// Takes a postback that was posted.
  private func receive(_ body: [UInt8], from address: String) -> () -> PostbackReceipt {
    guard body.count <= PostbackIntake.longestBody else {
      return { .refused(413, reason: "a postback has at most \(PostbackIntake.longestBody >> 10) KiB") }
    }
    let document: PostbackDocument
    do throws(SourceNotes) { document = try PostbackDocument(body) } catch {
      let reason = "the body: \(error.notes.first?.message ?? "not JSON")"
      return { .refused(400, reason: reason) }
    }
    guard document.isObject else { return { .refused(400, reason: "the body is not a JSON object") } }
    return keep(document, from: address)
  }

  private func keep(_ document: PostbackDocument, from address: String) -> () -> PostbackReceipt {
    let verdict: Result<PostbackVerdict, SigningError>
    do throws(SigningError) { verdict = .success(try store.verdict(on: document)) } catch {
      // Its sender sends it again, to a server that is not about to stop.
      if error == .interrupted { return { .notKept(cause: error.message) } }
      verdict = .failure(error)
      report("signatures are not checked: \(error.message)")
    }
    let record = store.add(document, verdict, from: address)
    let parts = [record.signature.verdict.rawValue, record.signature.key?.rawValue, record.repetition.rawValue]
    let receipt = PostbackReceipt.kept(verdict: parts.compactMap(\.self).joined(separator: ", "))
    let commit = commits
    return { [self] in
      if let failure, failure.commit == commit { return .notKept(cause: failure.cause) }
      return receipt
    }
  }

  private func commit() {
    do throws(CommandError) {
      try store.commit()
      forwards.grow(to: store.size)
    } catch {
      let cause = error.statement ?? ""
      report("a postback is not kept, and answered with 503: \(cause)")
      failure = (commits, cause)
    }
    commits += 1
  }

  private func report(_ problem: String) {
    if problem != reported { environment.printError(.remark(problem)) }
    reported = problem
  }
}
