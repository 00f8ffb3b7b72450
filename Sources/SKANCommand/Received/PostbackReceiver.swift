import SKANBase
import SKANCommandLine
import SKANReceive
import SKANServe
import SKANSigning

/// Receives the postbacks sent to `skan serve --postbacks`.
final class PostbackReceiver {
  /// The options of `serve` for postbacks.
  struct Options: CommandOptions {
    static let title: OptionTitle? = .postbacks

    private static let postbacks = Option<String?>(
      "postbacks", "FILE", .addedFile, "take postbacks, and add each to this file, as 'skan receive' does")

    /// The file that postbacks are added to; nil if none are received.
    let file: String?
    let keys: TrustedKeys
    let campaigns: String?
    let lockSeconds: Double
    let targets: [ForwardTarget]
    let allowsDevelopment: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      file = try reader[Self.postbacks]
      let taken = OptionReader.Condition(file != nil, "belongs to \(Self.postbacks.flag)")
      keys = try TrustedKeys(reader, ReceiveCommand.key, taken)
      campaigns = try reader[DecodingOptions.campaigns, taken]
      lockSeconds = try reader[ReceiveCommand.lockTimeout, taken]
      let targets = try reader.depending(on: taken) { () throws(CommandError) in
        try reader.targets(ForwardTarget.option)
      }
      self.targets = targets
      allowsDevelopment = try reader.depending(on: taken) { () throws(CommandError) in
        try reader.allowsDevelopment(targets)
      }
    }
  }

  private let options: Options
  private let models: [ModelArgument]
  private let store: ReceivedStore
  private let forwards: Forwards
  private let environment: Environment
  private let page: PagePostbacks
  /// The last reported problem. It is reported once, rather than for every postback.
  private var reported: String?
  /// The number of the next commit, and the cause of the last one that failed.
  private var commits = 0
  private var failure: (commit: Int, cause: String)?
  /// Whether a postback of AdAttributionKit, whose path has another status, waits for the next commit.
  private var adAttributionKitIsPending = false

  /// - Parameter models: the models that decode the postbacks.
  /// - Returns: nil if no postbacks are received.
  init?(_ options: Options, models: [ModelArgument], _ invocation: Invocation) throws(CommandError) {
    guard let path = options.file else { return nil }
    self.options = options
    self.models = models
    environment = invocation.environment
    page = PagePostbacks(allowsDevelopment: options.allowsDevelopment)
    let store = try ReceivedStore.open(
      path, keys: options.keys,
      context: try invocation.postbackContext(models, campaigns: options.campaigns),
      waiting: options.lockSeconds, environment)
    do throws(CommandError) {
      forwards = try Forwards(
        options.targets, path, size: store.size, allowsDevelopment: options.allowsDevelopment, environment)
    } catch {
      store.release()
      throw error
    }
    self.store = store
  }

  /// Reads the files of models and campaigns again.
  func readAgain(_ invocation: Invocation) throws(CommandError) {
    store.use(try invocation.postbackContext(models, campaigns: options.campaigns))
  }

  /// Starts to forward the received postbacks.
  func start() throws(CommandError) { try forwards.start() }

  /// Forwards the postbacks that are accepted at once, and releases the lock.
  func close() {
    forwards.end()
    store.release()
  }

  var keeper: PostbackKeeper { PostbackKeeper(receive: receive, commit: commit, page: page) }

  /// Checks and records a posted postback. The returned function gives its receipt once the record is committed.
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
      // The sender repeats it later, to a server that is not about to stop.
      if error == .interrupted { return { .notKept(cause: error.message) } }
      verdict = .failure(error)
      report("signatures are not checked: \(error.message)")
    }
    let record = store.add(document, verdict, from: address)
    page.add(record, document)
    if document.adAttributionKit != nil { adAttributionKitIsPending = true }
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
      page.settle(isKept: true)
      forwards.grow(to: store.size)
    } catch {
      let cause = error.statement ?? ""
      report("a postback is not kept, and answered with \(adAttributionKitIsPending ? "500 or 503" : "503"): \(cause)")
      failure = (commits, cause)
      page.settle(isKept: false)
    }
    adAttributionKitIsPending = false
    commits += 1
  }

  private func report(_ problem: String) {
    if problem != reported { environment.printError([.remark(problem)]) }
    reported = problem
  }
}
