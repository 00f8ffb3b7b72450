import SKANDevice
import SKANBase
import SKANReceive
import SKANSigning

/// What `skan verify` prints.
struct VerifyReport {
  /// How many files there are; the only one is not named beside each verdict.
  let files: Int
  /// How many postbacks there are; of one alone no line number is shown.
  let count: Int
  let output: Output
  let isJSON: Bool
  let showsSignedText: Bool
  /// By which values are decoded.
  let models: DecodingModels
  /// The problems so far, printed or not.
  private(set) var problems = 0
  /// The first verdict that is not valid, or finding beside a valid signature.
  private(set) var firstCode: (any ExplainedCode)?

  /// - Parameters:
  ///   - seen: how it compares with the postbacks of `--seen`.
  ///   - decoded: what its value means; nil where no model is for its app.
  mutating func show(
    _ verdict: PostbackVerdict, of entry: PostbackFiles.Entry, _ seen: SeenPostbacks.Comparison?,
    _ decoded: DecodedValue?
  ) throws(CommandError) {
    if isJSON {
      try output.result(JSONWriter.text(json(verdict, of: entry, seen, decoded)))
      return
    }
    if firstCode == nil { firstCode = verdict.outcome == .valid ? verdict.findings.first?.code : verdict.outcome }
    for note in verdict.problems {
      problems += 1
      if problems <= CommandError.mostNotes { output.error(note.lines(file: entry.file)) }
    }
    let isAlone = files == 1
    var line = StyledText(
      isAlone && count > 1 ? "line \(entry.document.line)".padded(to: 10, atLeast: 1) : "", .dim)
    line.append(
      verdict.outcome.rawValue.padded(to: 19, atLeast: 1), verdict.outcome == .valid ? .success : .failure)
    line.indent = line.text.columns
    line.append((isAlone ? "" : "\(entry.location): ") + verdict.explanation.oneLine)
    try output.line(line)
    if let seen, seen.repetition == .duplicate, let line = seen.line {
      try note("\(seen.file.oneLine):\(line) is this postback: a receiver drops it.", .receivedBefore)
    }
    guard let postback = verdict.postback else { return }
    if !models.isEmpty { try output.line("  \(decoded?.line ?? models.line(without: postback))") }
    for finding in verdict.findings {
      try output.line(.finding(finding.note.message.oneLine, code: finding.code.rawValue))
    }
    if verdict.outcome == .valid {
      try note("Conversion values are not covered by the signature: \(postback.unsignedText)", .valuesNotSigned)
    }
    if let earlier = verdict.repeated {
      let place = "\(earlier.file.map { "\($0.oneLine):" } ?? "Line ")\(earlier.line)"
      try note("\(place) has this transaction id already: a receiver drops this postback.", .transactionRepeated)
    }
    if showsSignedText {
      try output.result("  signed string: \(postback.signedValues.joined(separator: "<U+2063>").oneLine)")
    }
  }

  private func note(_ message: String, _ code: VerifyNote) throws(CommandError) {
    try output.line("  \("note:", .dim) \(message) \("[\(code.rawValue)]", .dim)")
  }

  func end(valid: Int) throws(CommandError) {
    if problems > CommandError.mostNotes { output.error(CommandError.more(problems - CommandError.mostNotes)) }
    if count > 1, !isJSON {
      try output.line("\(count) postbacks\(files > 1 ? " in \(files) files" : ""), \(valid) valid")
    }
    if let firstCode { output.note(ExplanationHint.line(firstCode)) }
  }

  private func json(
    _ verdict: PostbackVerdict, of entry: PostbackFiles.Entry, _ seen: SeenPostbacks.Comparison?,
    _ decoded: DecodedValue?
  ) -> JSON {
    let problems = verdict.problems.map { JSON.object($0.members) }
    let findings = verdict.findings.map { JSON.object([("code", .string($0.code.rawValue))] + $0.note.members) }
    let postback = verdict.postback
    let unsigned = postback?.unsignedValues.map { (key: $0.field.rawValue, value: $0.value) }
    let signed: [(key: String, value: JSON)] =
      showsSignedText ? [("signed_string", .optional(postback?.signedText))] : []
    return .object(
      [
        ("file", .string(entry.file)), ("line", .integer(Int64(entry.document.line))),
        ("outcome", .string(verdict.outcome.rawValue)),
        ("explanation", .string(verdict.explanation)), ("version", .optional(postback?.version.rawValue)),
        ("transaction_id", .optional(postback?.text(of: .transactionID))),
        ("simulated", verdict.isSimulated.map(JSON.bool) ?? .null), ("problems", .array(problems)),
        ("findings", .array(findings)),
        ("not_signed", unsigned.map(JSON.object) ?? .null),
        ("repeats_line", verdict.repeated.map { .integer(Int64($0.line)) } ?? .null),
      ] + (files > 1 ? [("repeats_file", .optional(verdict.repeated?.file))] : []) + signed + (seen?.members ?? [])
        + (!models.isEmpty ? [("decoded", decoded?.json ?? .null)] : []))
  }
}

extension SourceNote {
  fileprivate var members: [(key: String, value: JSON)] {
    [
      ("line", .integer(Int64(location.line))), ("column", .integer(Int64(location.column))),
      ("message", .string(message)),
    ]
  }
}

extension ReceivedPostback {
  /// What could have been altered on the way.
  fileprivate var unsignedText: String {
    if unsignedValues.isEmpty { return "here there is none, and one could have been taken out." }
    let values = unsignedValues.map { "\($0.field.rawValue) \(JSONWriter.text($0.value))" }
    return "\(values.joined(separator: " and ")) could have been altered."
  }
}

extension SeenPostbacks.Comparison {
  fileprivate var members: [(key: String, value: JSON)] {
    [
      ("repetition", .string(repetition.rawValue)), ("seen_line", line.map { .integer(Int64($0)) } ?? .null),
    ]
  }
}
