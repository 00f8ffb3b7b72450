import SKANDevice
import SKANReceive
import SKANSigning
import SKANBase

/// `skan verify`: checks postbacks that were received, Apple's or simulated ones.
enum VerifyCommand {
  static let key = Option<NamedKey?>(
    "key", "PUBLIC", .publicKey, "a public key, as PEM file or base64, instead of Apple's: for simulated postbacks")
  private static let seen = Option<String?>(
    "seen", "FILE", .namedFile, "say which of them FILE has, the received postbacks of 'receive' or 'serve'")
  private static let receivedAt = DecodingOptions.receivedAt.described(
    "when they were received, by which --model is chosen")
  private static let showsSignedText = Option<Bool>(
    flag: "show-signed-string", "show the text that is signed, each separator as <U+2063>")
  private static let strict = OptionRow.strict.described("exit 1 also when a finding stands beside a valid signature")

  struct Options: CommandOptions {
    let key: NamedKey
    let seen: String?
    let models: [ModelArgument]
    let time: Instant?
    let showsSignedText: Bool
    let isStrict: Bool
    let isJSON: Bool
    let isQuiet: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      key = try reader[VerifyCommand.key] ?? .apple
      seen = try reader[VerifyCommand.seen]
      models = try reader[DecodingOptions.model]
      time = try reader[receivedAt]
      if models.isEmpty, reader.has(receivedAt) { throw reader.refused(receivedAt, "belongs to --model") }
      showsSignedText = try reader[VerifyCommand.showsSignedText]
      isStrict = try reader[strict]
      isJSON = try reader[.json]
      isQuiet = try reader[.quiet]
    }
  }

  static let spec = CommandSpec(
    .verify, "Check the signatures and the fields of postbacks", arguments: ["FILE"],
    isLastRepeatable: true,
    examples: [
      "skan verify postback.json", "skan verify bodies/ more.jsonl --json",
      "skan verify - --key public.pem < simulated.json", "skan verify postback.json --seen received.jsonl",
      "skan verify postback.json --model fixtures/models/mixed.json",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let key = options.key
    let checker = PostbackChecker(key: key.key, tool: invocation.environment.signatures)
    let isInterrupted = invocation.environment.isInterrupted
    let models = try invocation.decodingModels(options.models)
    let time = options.time ?? invocation.environment.now()
    let files = PostbackFiles(invocation)
    let paths = try files.paths()
    // All of a file that is named twice would repeat itself.
    try invocation.checkNamedOnce(paths, hint: "a file with postbacks")
    var entries: [PostbackFiles.Entry] = []
    for path in paths {
      let new = try files.read(path)
      // An array of none: nothing would be checked, and that is no success.
      if new.isEmpty {
        let note = SourceNote(location: TextLocation(of: 0..<0, in: []), message: "there is no postback in it")
        throw .content(file: path, [note], more: 0)
      }
      entries += new
    }
    let received = try options.seen.map { (path) throws(CommandError) in
      SeenPostbacks(file: path, try invocation.environment.receivedFile(path))
    }
    var report = VerifyReport(
      files: paths.count, count: entries.count,
      output: Output(invocation.environment, isQuiet: options.isQuiet, redactor: Redactor(key: nil)),
      isJSON: options.isJSON, showsSignedText: options.showsSignedText, models: models)
    var transactions = VerifiedTransactions()
    var (valid, found) = (0, 0)
    for entry in entries {
      let document = entry.document
      if isInterrupted() { throw .interrupted }
      var verdict: PostbackVerdict
      do throws(SigningError) { verdict = try checker.verdict(on: document) } catch {
        // A Ctrl-C reaches openssl, too.
        throw isInterrupted() ? .interrupted : CommandError(error, keyFile: key.name)
      }
      transactions.compare(&verdict, of: document, in: paths.count > 1 ? entry.file : nil)
      let repetition = received?.compare(&verdict, of: document)
      if verdict.outcome == .valid { valid += 1 }
      found += verdict.findings.count
      let signature = ReceivedSignature(verdict)
      let decoded = models.decode(document, receivedAt: time, isDevelopment: signature.key == .development)
      try report.show(verdict, of: entry, repetition, decoded)
    }
    try report.end(valid: valid)
    return valid < entries.count || options.isStrict && found > 0 ? .expectationFailed : .ok
  }
}
