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
      guard case .object(let members) = record.json else { return }
      let origin: [(key: String, value: JSON)] = [
        ("file", .string(entry.file)), ("line", .integer(Int64(entry.document.line))),
      ]
      try output.result(JSONWriter.text(.object(origin + members)))
      return
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
    var parts: [(key: String, name: String, count: Int)] = [
      ("valid", "valid", signatures[.valid, default: 0]), ("invalid", "invalid", signatures[.invalid, default: 0]),
      ("not_checked", "not checked", signatures[.notChecked, default: 0]),
      ("first", "first", repetitions[.first, default: 0]),
      ("duplicates", "duplicate", repetitions[.duplicate, default: 0]),
      ("conflicts", "in conflict", repetitions[.conflict, default: 0]),
    ]
    if !models.isEmpty { parts += meanings.parts }
    if isJSON {
      try output.result(
        JSONWriter.text(
          .object([("received", .integer(Int64(count)))] + parts.map { ($0.key, .integer(Int64($0.count))) })))
      return
    }
    let counts = parts.map { "\($0.count) \($0.name)" }
    let decoded = !models.isEmpty ? "; \(counts[6...].joined(separator: ", "))" : ""
    try output.line(
      "\(count.counted("postback")) kept in \(file.oneLine): \(counts[..<3].joined(separator: ", ")); \(counts[3..<6].joined(separator: ", "))\(decoded)"
    )
    if let firstCode { output.note(ExplanationHint.line(firstCode)) }
  }
}

extension ReceiveReport {
  /// How many each receiver of `--forward` accepted.
  func show(_ forwarded: [Forwarder.Outcome]) throws(CommandError) {
    for outcome in forwarded {
      if isJSON {
        try output.result(
          JSONWriter.text(
            .object([
              ("forward", .string(outcome.target.name)), ("accepted", .integer(Int64(outcome.count))),
              ("is_complete", .bool(outcome.ending == .accepted)),
            ])))
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
