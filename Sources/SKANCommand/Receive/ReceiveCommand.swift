import SKANDevice
import SKANBase
import SKANReceive
import SKANSigning

/// `skan receive`: postbacks from files, kept as `skan serve` keeps those that are sent.
enum ReceiveCommand {
  static let into = Option<String>(
    "into", "FILE", .addedFile, default: "received.jsonl",
    "the file of received postbacks, which is made or added to")
  static let key = VerifyCommand.key.described(
    "a public key of simulated postbacks, beside Apple's: PEM file or base64")
  private static let strict = OptionRow.strict.described(
    "exit 1 also when a finding or a conflict stands beside a valid signature")
  private static let forward = ForwardTarget.option.described(
    "pass each genuine postback on as JSON, in order; the rest with the next run (repeatable)",
    hasVariable: false)
  static let lockTimeout = OptionRow.lockTimeout.described(
    "how long to wait for another run on the same file")

  /// How many postbacks go to the disk together, before their lines are shown.
  private static let batch = 256

  struct Options: CommandOptions {
    let file: String
    let key: NamedKey?
    let models: [ModelArgument]
    let campaigns: String?
    let time: Instant?
    let isStrict: Bool
    let lockSeconds: Double
    let targets: [ForwardTarget]
    let isJSON: Bool
    let isQuiet: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      file = try reader[into]
      key = try reader[ReceiveCommand.key]
      models = try reader[DecodingOptions.model]
      campaigns = try reader[DecodingOptions.campaigns]
      time = try reader[DecodingOptions.receivedAt]
      isStrict = try reader[strict]
      lockSeconds = try reader[lockTimeout]
      targets = try reader.targets(forward)
      isJSON = try reader[.json]
      isQuiet = try reader[.quiet]
    }
  }

  static let spec = CommandSpec(
    .receive, "Verify postbacks and keep them in a file", arguments: ["FILE"],
    isLastRepeatable: true,
    examples: [
      "skan receive postback.json", "skan receive --into received.jsonl bodies/ more.jsonl",
      "skan receive - --key public.pem --json < simulated.jsonl",
      "skan receive bodies/ --model 525463029=old.json --model 525463029=from=2026-05-01:new.json",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let environment = invocation.environment
    let (path, key) = (options.file, options.key)
    let context = try invocation.postbackContext(options.models, campaigns: options.campaigns)
    let entries = try PostbackFiles(invocation).read(into: path)
    let store = try ReceivedStore.open(
      path, testKey: key?.key, context: context, waiting: options.lockSeconds, environment)
    defer { store.release() }
    // What is wrong with an offset file is said before anything is kept.
    let forwards = try Forwards(options.targets, path, size: store.size, environment)
    var report = ReceiveReport(
      file: path, output: Output(environment, isQuiet: options.isQuiet, redactor: Redactor(key: nil)),
      isJSON: options.isJSON, models: context.models)
    var kept = 0
    do throws(CommandError) {
      for start in stride(from: 0, to: entries.count, by: batch) {
        if environment.isInterrupted() { throw .interrupted }
        var added: [(ReceivedRecord, PostbackVerdict, PostbackFiles.Entry)] = []
        var failure: CommandError?
        for entry in entries[start..<min(start + batch, entries.count)] {
          do throws(SigningError) {
            let verdict = try store.verdict(on: entry.document)
            added.append((store.add(entry.document, .success(verdict), at: options.time), verdict, entry))
          } catch {
            // A Ctrl-C reaches openssl, too.
            failure =
              environment.isInterrupted() ? .interrupted : CommandError(error, keyFile: key?.name ?? "Apple's key")
            break
          }
        }
        try store.commit()
        kept += added.count
        for (record, verdict, entry) in added { try report.show(record, verdict, entry) }
        if let failure { throw failure }
      }
      try report.end()
      forwards.grow(to: store.size)
      let forwarded = forwards.runOnce()
      try report.show(forwarded)
      let ending = try forwarded.map(\.ending).first { $0 != .accepted }?.code ?? .ok
      let allAreSound = report.allAreValid && !(options.isStrict && report.hasFindings)
      return allAreSound ? ending : .expectationFailed
    } catch {
      throw error.adding(
        done: "\(kept) of \(entries.count.counted("postback")) kept in \(path.oneLine): they would be duplicates if "
          + "they were received again")
    }
  }
}
