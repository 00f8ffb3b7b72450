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
    "when they were received, by which --model is chosen (default now)")
  private static let showsSignedText = Option<Bool>(
    flag: "show-signed-string", "show the text that is signed, each separator as <U+2063>")
  private static let strict = OptionRow.strict.described("exit 1 also when a finding stands beside a valid signature")

  static let spec = CommandSpec(
    "verify", "check the signature and the fields of postbacks, by Apple's key or another", arguments: ["FILE"],
    isLastRepeatable: true,
    options: [key, seen, DecodingOptions.model, receivedAt, showsSignedText, strict, .json, .quiet],
    examples: [
      "skan verify postback.json", "skan verify bodies/ more.jsonl --json",
      "skan verify - --key public.pem < simulated.json", "skan verify postback.json --seen received.jsonl",
      "skan verify postback.json --model fixtures/models/mixed.json",
    ]
  ) { (invocation) throws(CommandError) in
    let key = try invocation[key] ?? .apple
    let checker = PostbackChecker(key: key.key, tool: invocation.environment.signatures)
    let isInterrupted = invocation.environment.isInterrupted
    let models = try invocation.decodingModels(DecodingOptions.model)
    if models.isEmpty, invocation.has(receivedAt) {
      throw invocation.usage("\(invocation.name(of: receivedAt)) belongs to --model")
    }
    let time = try invocation[receivedAt] ?? invocation.environment.now()
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
    let received = try invocation[seen].map { (path) throws(CommandError) in
      SeenPostbacks(file: path, try invocation.environment.receivedFile(path))
    }
    var report = VerifyReport(
      files: paths.count, count: entries.count,
      output: Output(invocation.environment, isQuiet: invocation[.quiet], redactor: Redactor(key: nil)),
      isJSON: invocation[.json], showsSignedText: invocation[showsSignedText], models: models)
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
    return valid < entries.count || invocation[strict] && found > 0 ? .expectationFailed : .ok
  }
}
