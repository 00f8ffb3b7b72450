import SKANDevice
import SKANBase
import SKANReceive
import SKANSigning

/// What `skan receive` prints.
struct ReceiveReport {
  /// The file of received postbacks.
  let file: String
  let output: Output
  let isJSON: Bool
  /// By which the postbacks are decoded.
  let models: DecodingModels
  private var count = 0
  private var signatures: [ReceivedSignature.Verdict: Int] = [:]
  private var repetitions: [Repetition: Int] = [:]
  private var meanings = DecodedCounts()
  private(set) var hasFindings = false
  /// The first verdict that is not valid, or else conflict or finding.
  private var firstCode: (any ExplainedCode)?

  init(file: String, output: Output, isJSON: Bool, models: DecodingModels) {
    self.file = file
    self.output = output
    self.isJSON = isJSON
    self.models = models
  }

  var allAreValid: Bool { signatures[.valid, default: 0] == count }

  /// Counts and prints one that is kept.
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
    if !models.isEmpty, let postback = entry.document.postback {
      try output.line("  \(record.decoded?.line ?? models.line(without: postback))")
    }
    if let campaign = record.campaign { try output.line("  \(campaign.line)") }
    for finding in record.findings {
      try output.line(.finding(finding.message.oneLine, code: finding.code.oneLine))
    }
  }

  /// The last line.
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

  /// A postback that is kept.
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

  /// An object a postback, one of the counts, and one a receiver of `--forward`.
  static var form: JSONForm { .anyOf([recordFields.form, countFields.form, forwardFields.form]) }

  /// How many each receiver of `--forward` accepted.
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
  /// What stands beside its signature and can be explained.
  fileprivate var firstCode: (any ExplainedCode)? {
    if repetition == .conflict { return repetition }
    return findings.lazy.compactMap { PostbackFinding.Code(rawValue: $0.code) }.first
  }
}
