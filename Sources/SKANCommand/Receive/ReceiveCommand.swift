import SKANReceive
import SKANSigning

/// `skan receive`: postbacks from files, kept as `skan serve` keeps those that are sent.
enum ReceiveCommand {
  static let into = Option<String>(
    "into", "FILE", .namedFile, default: "received.jsonl",
    "the file of received postbacks, which is made or added to (default received.jsonl)")
  static let key = VerifyCommand.key.described(
    "a public key of simulated postbacks, beside Apple's: PEM file or base64")
  private static let strict = OptionRow.strict.described(
    "exit 1 also when a finding or a conflict stands beside a valid signature")
  static let lockTimeout = OptionRow.lockTimeout.described(
    "how long to wait for another run on the same file (default 30s)")

  static let spec = CommandSpec(
    "receive", "keep postbacks from files: verified, each compared with those before", arguments: ["FILE"],
    isLastRepeatable: true, options: [into, key, strict, lockTimeout, .json, .quiet],
    examples: [
      "skan receive postback.json", "skan receive --into received.jsonl bodies/ more.jsonl",
      "skan receive - --key public.pem --json < simulated.jsonl",
    ]
  ) { (invocation) throws(CommandError) in
    let environment = invocation.environment
    let path = try invocation[into]
    let key = try invocation[key]
    let entries = try PostbackFiles(invocation).read(into: path)
    let store = try ReceivedStore.open(
      path, testKey: key?.key, waiting: try invocation[lockTimeout], environment)
    defer { store.release() }
    var report = ReceiveReport(
      file: path, output: Output(environment, isQuiet: invocation[.quiet], redactor: Redactor(key: nil)),
      isJSON: invocation[.json])
    for entry in entries {
      if environment.isInterrupted() { throw .interrupted }
      let verdict: PostbackVerdict
      do throws(SigningError) { verdict = try store.verdict(on: entry.document) } catch {
        // A Ctrl-C reaches openssl, too.
        throw environment.isInterrupted() ? .interrupted : CommandError(error, keyFile: key?.name ?? "Apple's key")
      }
      try report.show(try store.keep(entry.document, .success(verdict)), verdict, entry)
    }
    try report.end()
    return report.allAreValid && !(invocation[strict] && report.hasFindings) ? .ok : .expectationFailed
  }
}
