import SKANBase
import SKANCommandLine
import SKANDevice
import SKANReceive
import SKANSigning

/// The output of `skan verify`.
struct VerifyReport {
  /// The number of files. The name of a single file is not shown with each verdict.
  let files: Int
  /// The number of postbacks. A single one is shown without its line number.
  let count: Int
  let output: Output
  let isJSON: Bool
  /// The models that decode values.
  let models: DecodingModels
  /// The number of problems so far, printed or not.
  private(set) var problems = 0
  /// The first verdict other than valid, or finding beside a valid signature.
  private(set) var firstCode: (any ExplainedCode)?

  /// - Parameters:
  ///   - seen: the comparison with the postbacks of `--seen`.
  ///   - decoded: the decoded value; nil if there is no model for the app.
  mutating func show(
    _ verdict: PostbackVerdict, of entry: PostbackFiles.Entry, _ seen: SeenPostbacks.Comparison?,
    _ decoded: DecodedValue?
  ) throws(CommandError) {
    if isJSON {
      try output.result(
        Self.fields.text(Shown(report: self, verdict: verdict, entry: entry, seen: seen, decoded: decoded)))
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
    if verdict.postback == nil, verdict.adAttributionKit == nil { return }
    if !models.isEmpty { try output.line("  \(decoded?.line ?? models.line(without: entry.document))") }
    for finding in verdict.findings {
      try output.line(.finding(finding.note.message.oneLine, code: finding.code.rawValue))
    }
    if verdict.outcome == .valid {
      if let postback = verdict.postback {
        let fields =
          postback.version == .v1 ? "Fields other than network, campaign, app and transaction" : "Conversion values"
        try note("\(fields) are not covered by the signature: \(postback.unsignedText)", .valuesNotSigned)
      } else if let postback = verdict.adAttributionKit {
        try note("Members beside the JWS are not covered by its signature: \(postback.unsignedText)", .membersNotSigned)
      }
    }
    if let type = verdict.adAttributionKit?.headerType {
      try note("The header of the JWS has \"typ\" \(JSONWriter.quoted(type)), which Apple's does not.", .headerType)
    }
    if let earlier = verdict.repeated {
      let place = "\(earlier.file.map { "\($0.oneLine):" } ?? "Line ")\(earlier.line)"
      let name = verdict.postback == nil ? "postback identifier" : "transaction id"
      try note("\(place) has this \(name) already: a receiver drops this postback.", .transactionRepeated)
    }
  }

  private func note(_ message: String, _ code: VerifyNote) throws(CommandError) {
    try output.line("  \("note:", .dim) \(message) \("[\(code.rawValue)]", .dim)")
  }

  func end(valid: Int) throws(CommandError) {
    if problems > CommandError.mostNotes { output.error([CommandError.more(problems - CommandError.mostNotes)]) }
    if count > 1, !isJSON {
      try output.line("\(count) postbacks\(files > 1 ? " in \(files) files" : ""), \(valid) valid")
    }
    if let firstCode { output.note(ExplanationHint.line(firstCode)) }
  }

  /// A verdict, with everything that the report shows beside it.
  fileprivate struct Shown {
    let report: VerifyReport
    let verdict: PostbackVerdict
    let entry: PostbackFiles.Entry
    let seen: SeenPostbacks.Comparison?
    let decoded: DecodedValue?
  }

  private static let fields = JSONFields<Shown> {
    JSONField("file") { $0.entry.file }
    JSONField("line", as: lineForm) { $0.entry.document.line }
    JSONField("outcome") { $0.verdict.outcome }
    JSONField("explanation") { $0.verdict.explanation }
    JSONField("version") { $0.verdict.postback?.version }
    JSONField("transaction_id") { $0.verdict.postback?.text(of: .transactionID) }
    JSONField("simulated") { $0.verdict.isSimulated }
    JSONField("problems", list: noteFields) { $0.verdict.problems }
    JSONField("findings", list: findingFields) { $0.verdict.findings }
    JSONField(
      "not_signed", as: JSONForm.each(of: notSignedNames, .anyOf([.text, .number, .bool]), isComplete: false).orNull
    ) { $0.verdict.notSigned }
    JSONField("repeats_line", as: lineForm.orNull) { $0.verdict.repeated?.line }
    JSONField(optional: "repeats_file") { $0.report.files > 1 ? .some($0.verdict.repeated?.file) : nil }
    JSONField(optional: "repetition") { $0.seen?.repetition }
    JSONField(optional: "seen_line", as: lineForm.orNull) { $0.seen.map(\.line) }
    JSONField(optional: "decoded") { $0.report.models.isEmpty ? nil : .some($0.decoded) }
    // Of AdAttributionKit's postbacks alone.
    JSONField(optional: "protocol") { $0.verdict.adAttributionKit == nil ? nil : PostbackProtocol.adAttributionKit }
    JSONField(optional: "key") { shown in
      shown.verdict.adAttributionKit.map { _ in ReceivedSignature(shown.verdict).key }
    }
    JSONField(optional: "kid") { $0.verdict.adAttributionKit.map(\.keyID) }
    JSONField(optional: "typ") { $0.verdict.adAttributionKit?.headerType }
    JSONField(optional: "postback_identifier") { $0.verdict.adAttributionKit.map { $0.text(of: .postbackIdentifier) } }
    JSONField(optional: "conversion_type") { $0.verdict.adAttributionKit.map { $0.text(of: .conversionType) } }
  }

  private static var notSignedNames: [String] {
    let names = PostbackField.allCases.map(\.rawValue)
    return names + AdAttributionKitField.unsigned.map(\.rawValue).filter { !names.contains($0) }
  }

  static var form: JSONForm { fields.form }

  private static let lineForm = JSONForm.integer(1 ... .max)

  private static let noteFields = JSONFields<SourceNote> {
    JSONField("line", as: lineForm) { $0.location.line }
    JSONField("column", as: lineForm) { $0.location.column }
    JSONField("message") { $0.message }
  }

  private static let findingFields = JSONFields<PostbackVerdict.Finding> {
    JSONField("code") { $0.code }
    noteFields.rows.map { $0.of { $0.note } }
  }
}

extension PostbackFinding.Code: JSONWritable {}

extension PostbackVerdict.Outcome: JSONWritable {}

extension PostbackVersion: JSONWritable {}

extension PostbackVerdict {
  /// The values that the signature does not cover, by their keys; nil if it is not known which these are.
  fileprivate var notSigned: [String: JSON]? {
    if let postback { return Dictionary(postback.unsignedValues.map { ($0.field.rawValue, $0.value) }) { $1 } }
    return adAttributionKit.map { Dictionary($0.unsignedValues.map { ($0.field.rawValue, $0.value) }) { $1 } }
  }
}

extension AdAttributionKitPostback {
  /// A sentence about the members that could have been altered in transit.
  fileprivate var unsignedText: String {
    if unsignedValues.isEmpty { return "here there is none, and one could have been taken out." }
    let values = unsignedValues.map { "\($0.field.rawValue) \(JSONWriter.text($0.value))" }
    return "\(values.listed()) could have been altered."
  }
}

extension ReceivedPostback {
  /// A sentence about the values that could have been altered in transit.
  fileprivate var unsignedText: String {
    if unsignedValues.isEmpty { return "here there is none, and one could have been taken out." }
    let values = unsignedValues.map { "\($0.field.rawValue) \(JSONWriter.text($0.value))" }
    return "\(values.joined(separator: " and ")) could have been altered."
  }
}

/// A remark of `skan verify` beside its verdict that is not a finding.
enum VerifyNote: String, CaseIterable, Sendable {
  case valuesNotSigned = "values-not-signed"
  case membersNotSigned = "members-not-signed"
  case transactionRepeated = "transaction-repeated"
  case receivedBefore = "received-before"
  case headerType = "header-typ"

  var explanation: CodeExplanation {
    switch self {
    case .valuesNotSigned:
      CodeExplanation(
        "Conversion values are not part of what Apple signs, so they could have been altered on the way.",
        cause: "The signed text has no field for them, in any version.",
        example: .shell("skan verify \(Reproduction.applesPostback)"),
        remedy: "Take the values of the first copy, preferably from Apple's copy to the developer.",
        articles: ["Postbacks"], documents: ["Apple, Verifying an install-validation postback"])
    case .membersNotSigned:
      CodeExplanation(
        "Apple signs the JWS of an AdAttributionKit postback. Its members beside the JWS (conversion values, "
          + "interaction type and country) are not signed, so they could have been altered on the way.",
        cause: "The JWS contains the claims of the ad and the conversion; the values are outside it.",
        example: .shell("skan verify \(Reproduction.adAttributionKitPostback)"),
        remedy: "Take the values of the first copy, preferably from Apple's copy to the developer.",
        articles: ["Postbacks"], documents: ["Apple, Verifying a postback"])
    case .transactionRepeated:
      CodeExplanation(
        "An earlier valid postback of this file has the same transaction id: a receiver drops this one.",
        cause: "Apple sends again until it is answered with 200, and networks forward what Apple sends to the "
          + "developer, too.",
        example: .shell("cat \(Reproduction.applesPostback) \(Reproduction.applesPostback) | skan verify -"),
        remedy: "Keep the transaction ids that were counted, for longer than Apple repeats (nine days).",
        articles: ["Postbacks"])
    case .receivedBefore:
      CodeExplanation(
        "The file of --seen has this postback already, with the same content: a receiver drops this one.",
        cause: "It was received before, from Apple or from a network.",
        example: .shell(
          "skan receive -q \(Reproduction.applesPostback) && skan verify \(Reproduction.applesPostback) --seen "
            + "received.jsonl"),
        remedy: "Nothing is wrong; do not count it again.", articles: ["Postbacks"])
    case .headerType:
      CodeExplanation(
        "The header of its JWS has typ, which RFC 7515 defines and Apple's postbacks do not have. The signature covers it, "
          + "and nothing depends on it.",
        cause: "A library for JSON Web Tokens made the postback, not Apple.",
        example: .shell("echo eyJhbGciOiJFUzI1NiIsInR5cCI6IkpXVCJ9.eyJhIjoxfQ.c2ln | skan verify -"),
        remedy: "Nothing is wrong with a simulated postback.", articles: ["PostbackFields"],
        documents: ["Apple, Verifying a postback"])
    }
  }
}

extension PostbackVerdict {
  /// The reason in one sentence. It names the option that checks a simulated postback.
  var explanation: String {
    let name = postback?.name ?? ""
    return switch reason {
    case .signed(isApples: true): "\(name): the signature is Apple's."
    case .signed(isApples: false):
      "\(name): the signature is that of the given key, not Apple's; the postback is simulated."
    case .refused(let fault, isApples: true):
      "\(name): \(fault.message) (checked by Apple's \(usesEarlierKey ? "earlier " : "")key; --key checks a simulated "
        + "one)."
    case .refused(let fault, isApples: false): "\(name): \(fault.message) (checked by the given key)."
    case .notSigned: "\(name): it has no signature (\"attribution-signature\")."
    case .signedByEarlierKey where postback?.version == .v1:
      "\(name): Apple signed versions 1.0 and 2.0 with another key (P-192), which needs OpenSSL, and there is none "
        + "that supports it; --key checks a simulated one."
    case .signedByEarlierKey:
      "\(name): Apple signed versions 1.0 and 2.0 with another key (P-192), which is not checked here; --key checks "
        + "a simulated one."
    case .adAttributionKit(let postback, let check): "\(postback.name): \(check.explanation(ofKey: postback.keyID))"
    case .otherForm(let form): "\(form.prefix(1).uppercased())\(form.dropFirst()). The signature was not checked."
    case .unknownVersion: "Nothing tells which fields are signed; the signature was not checked."
    }
  }
}

extension PostbackVerdict {
  fileprivate var usesEarlierKey: Bool { postback?.version.hasEarlierKey ?? false }
}

extension ReceivedPostback {
  /// The description of the postback that begins a sentence.
  fileprivate var name: String {
    let index = text(of: .sequenceIndex).map { " \($0)" } ?? ""
    let network = text(of: .adNetworkID).map { " of \($0)" } ?? ""
    let app = version == .v1 ? text(of: .appID).map { ", app \($0)" } ?? "" : ""
    let transaction = text(of: .transactionID).map { ", transaction \($0)" } ?? ""
    return "Version \(version.rawValue), postback\(index)\(network)\(app)\(transaction)"
  }
}

extension AdAttributionKitPostback {
  /// The description of the postback that begins a sentence.
  fileprivate var name: String {
    let index = text(of: .sequenceIndex).map { " \($0)" } ?? ""
    let network = text(of: .adNetworkIdentifier).map { " of \($0)" } ?? ""
    let type = text(of: .conversionType).map { ", \($0)" } ?? ""
    let identifier = text(of: .postbackIdentifier).map { ", identifier \($0)" } ?? ""
    let key = keyID.map { ", key \($0)" } ?? ""
    if let impressionIdentifier {
      return "AdAttributionKit impression\(network), identifier \(impressionIdentifier)\(key)"
    }
    return "AdAttributionKit postback\(index)\(network)\(type)\(identifier)\(key)"
  }
}

extension AdAttributionKitKeys.Check {
  /// The reason in one sentence, after the name of the postback.
  fileprivate func explanation(ofKey id: String?) -> String {
    switch self {
    case .signed(.apple): "the signature is Apple's."
    case .signed(.development):
      "the signature is that of a development key of Apple's; any phone in Developer Mode can have such a postback "
        + "sent."
    case .signed(.own): "the signature is that of the given key, not Apple's; the postback is simulated."
    case .refused(let why, nil): "\(why)."
    case .refused(let why, .apple): "\(why) (checked by Apple's key)."
    case .refused(let why, .development): "\(why) (checked by a development key of Apple's)."
    case .refused(let why, .own): "\(why) (checked by the given key)."
    case .impression:
      "this is what a network signs for an ad, and not a postback; its key is the network's, so the signature was not "
        + "checked."
    case .unknownKey:
      id.map { "no key is known by this name, so the signature was not checked; --key \($0)=PUBLIC checks it." }
        ?? "its header names no key (kid), so the signature was not checked."
    }
  }
}
