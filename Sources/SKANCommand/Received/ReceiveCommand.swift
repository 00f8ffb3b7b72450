import SKANBase
import SKANCommandLine
import SKANDevice
import SKANReceive
import SKANSigning

/// `skan receive`: keeps postbacks from files as `skan serve` keeps those that are sent to it.
enum ReceiveCommand {
  static let into = Option<String>(
    "into", "FILE", .addedFile, default: "received.jsonl",
    "the file of received postbacks, which is created or added to")
  static let key = VerifyCommand.key.described(
    "a public key of simulated postbacks, beside Apple's: PEM file or base64; with KID for those whose JWS names it "
      + "(repeatable)")
  private static let strict = OptionRow.strict.described(
    "exit 1 also if a postback with a valid signature has a finding or a conflict")
  private static let forward = ForwardTarget.option.described(
    "pass each genuine postback on as JSON, in order; the rest with the next run (repeatable)")
  static let lockTimeout = OptionRow.lockTimeout.described(
    "how long to wait for another run on the same file")

  /// The number of postbacks that are written to the disk together, before their lines are shown.
  private static let batch = 256

  struct Options: CommandOptions {
    let file: String
    let keys: TrustedKeys
    let models: [ModelArgument]
    let campaigns: String?
    let time: Instant?
    let isStrict: Bool
    let lockSeconds: Double
    let targets: [ForwardTarget]
    let allowsDevelopment: Bool
    let isJSON: Bool
    let isQuiet: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      reader.declare(strict, under: .expectations)
      reader.declare(.json, .quiet, under: .output)
      file = try reader[into]
      keys = try TrustedKeys(reader, ReceiveCommand.key)
      models = try reader[DecodingOptions.model]
      campaigns = try reader[DecodingOptions.campaigns]
      time = try reader[DecodingOptions.receivedAt]
      isStrict = try reader[strict]
      lockSeconds = try reader[lockTimeout]
      targets = try reader.targets(forward)
      allowsDevelopment = try reader.allowsDevelopment(targets)
      isJSON = try reader[.json]
      isQuiet = try reader[.quiet]
    }
  }

  static let spec = CommandSpec(
    "receive", "Verify postbacks in files and keep them; over HTTP: serve --postbacks", arguments: ["FILE"],
    isLastRepeatable: true,
    examples: [
      "skan receive postback.json", "skan receive --into received.jsonl bodies/ more.jsonl",
      "skan receive - --key public.pem --json < simulated.jsonl",
      "skan receive bodies/ --model 525463029=old.json --model 525463029=from=2026-05-01:new.json",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let environment = invocation.environment
    let (path, keys) = (options.file, options.keys)
    let context = try invocation.postbackContext(options.models, campaigns: options.campaigns)
    let entries = try PostbackFiles(invocation).read(into: path)
    let store = try ReceivedStore.open(
      path, keys: keys, context: context, waiting: options.lockSeconds, environment)
    defer { store.release() }
    // A problem with an offset file is reported before anything is kept.
    let forwards = try Forwards(
      options.targets, path, size: store.size, allowsDevelopment: options.allowsDevelopment, environment)
    var report = ReceiveReport(
      file: path, output: Output(environment, isQuiet: options.isQuiet),
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
            // Ctrl-C also reaches openssl.
            failure =
              environment.isInterrupted() ? .interrupted : CommandError(error, keyFile: keys.names)
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

/// The output of `skan receive`.
struct ReceiveReport {
  /// The file of received postbacks.
  let file: String
  let output: Output
  let isJSON: Bool
  /// The models that decode the postbacks.
  let models: DecodingModels
  private var count = 0
  private var signatures: [ReceivedSignature.Verdict: Int] = [:]
  private var repetitions: [Repetition: Int] = [:]
  private var meanings = DecodedCounts()
  private(set) var hasFindings = false
  /// The first verdict other than valid, or else the first conflict or finding.
  private var firstCode: (any ExplainedCode)?

  init(file: String, output: Output, isJSON: Bool, models: DecodingModels) {
    self.file = file
    self.output = output
    self.isJSON = isJSON
    self.models = models
  }

  var allAreValid: Bool { signatures[.valid, default: 0] == count }

  /// Counts and prints a postback that was kept.
  mutating func show(
    _ record: ReceivedRecord, _ verdict: PostbackVerdict, _ entry: PostbackFiles.Entry
  ) throws(CommandError) {
    count += 1
    signatures[record.signature.verdict, default: 0] += 1
    repetitions[record.repetition, default: 0] += 1
    meanings.count(record.decoded)
    if !record.findings.isEmpty || record.repetition == .conflict { hasFindings = true }
    if isJSON {
      return try output.result(Self.recordFields.text((record, entry)))
    }
    if firstCode == nil { firstCode = verdict.outcome == .valid ? record.firstCode : verdict.outcome }
    let signature = record.signature.verdict
    let role: TextRole? = signature == .valid ? .success : signature == .invalid ? .failure : nil
    let repetition = record.repetition.rawValue.padded(to: 12, atLeast: 1)
    try output.line(
      "\(repetition)\(signature.rawValue.padded(to: 12, atLeast: 1), role)\(entry.location.oneLine): \(verdict.explanation.oneLine)"
    )
    if !models.isEmpty, PostbackFacts(entry.document) != nil {
      try output.line("  \(record.decoded?.line ?? models.line(without: entry.document))")
    }
    if let campaign = record.campaign { try output.line("  \(campaign.line)") }
    for finding in record.findings {
      try output.line(.finding(finding.message.oneLine, code: finding.code.oneLine))
    }
  }

  /// Prints the last line.
  func end() throws(CommandError) {
    if isJSON { return try output.result(Self.countFields.text(self)) }
    var parts: [(name: String, count: Int)] = [
      ("valid", number(of: .valid)), ("invalid", number(of: .invalid)), ("not checked", number(of: .notChecked)),
      ("first", number(of: .first)), ("duplicate", number(of: .duplicate)), ("in conflict", number(of: .conflict)),
    ]
    if !models.isEmpty { parts += meanings.parts.map { ($0.name, $0.count) } }
    let counts = parts.map { "\($0.count) \($0.name)" }
    let decoded = !models.isEmpty ? "; \(counts[6...].joined(separator: ", "))" : ""
    try output.line(
      "\(count.counted("postback")) kept in \(file.oneLine): \(counts[..<3].joined(separator: ", ")); \(counts[3..<6].joined(separator: ", "))\(decoded)"
    )
    if let firstCode { output.note(ExplanationHint.line(firstCode)) }
  }
}

extension ReceiveReport {
  private func number(of verdict: ReceivedSignature.Verdict) -> Int { signatures[verdict, default: 0] }

  private func number(of repetition: Repetition) -> Int { repetitions[repetition, default: 0] }

  /// The entry of a postback that was kept.
  private static let recordFields = JSONFields<(record: ReceivedRecord, entry: PostbackFiles.Entry)> {
    JSONField("file") { $0.entry.file }
    JSONField("line", as: .integer(1 ... .max)) { $0.entry.document.line }
    ReceivedRecord.fields.rows.map { $0.of { $0.record } }
  }

  private static let countFields = JSONFields<ReceiveReport> {
    JSONField("received") { $0.count }
    JSONField("valid") { $0.number(of: .valid) }
    JSONField("invalid") { $0.number(of: .invalid) }
    JSONField("not_checked") { $0.number(of: .notChecked) }
    JSONField("first") { $0.number(of: .first) }
    JSONField("duplicates") { $0.number(of: .duplicate) }
    JSONField("conflicts") { $0.number(of: .conflict) }
    DecodedCounts().parts.indices.map { index in
      JSONField<ReceiveReport>(optional: DecodedCounts().parts[index].key) {
        $0.models.isEmpty ? nil : $0.meanings.parts[index].count
      }
    }
  }

  private static let forwardFields = JSONFields<Forwarder.Outcome> {
    JSONField("forward") { $0.target.name }
    JSONField("accepted") { $0.count }
    JSONField("is_complete") { $0.ending == .accepted }
  }

  /// One object for each postback, one for the counts, and one for each receiver of `--forward`.
  static var form: JSONForm { .anyOf([recordFields.form, countFields.form, forwardFields.form]) }

  /// Prints the number of postbacks that each receiver of `--forward` accepted.
  func show(_ forwarded: [Forwarder.Outcome]) throws(CommandError) {
    for outcome in forwarded {
      if isJSON {
        try output.result(Self.forwardFields.text(outcome))
      } else {
        let rest = outcome.ending == .accepted ? "" : ", and not all"
        try output.line("\(outcome.count.counted("postback")) passed on to \(outcome.target.displayText)\(rest)")
      }
    }
  }
}

extension ReceivedRecord {
  /// The first code that can be explained: a conflict, or else a finding.
  fileprivate var firstCode: (any ExplainedCode)? {
    if repetition == .conflict { return repetition }
    return findings.lazy.compactMap { PostbackFinding.Code(rawValue: $0.code) }.first
  }
}
