import SKANBase
import SKANCommandLine
import SKANDevice
import SKANReceive
import SKANSigning

/// `skan verify`: checks received postbacks, Apple's or simulated ones.
enum VerifyCommand {
  static let key = Option<[NamedKey]>(
    "key", "[KID=]PUBLIC", each: .publicKey,
    "a public key, as PEM file or base64, instead of Apple's: for simulated postbacks; with KID for those whose JWS "
      + "names it (repeatable)")
  private static let seen = Option<String?>(
    "seen", "FILE", .namedFile, "say which postbacks are in FILE, the received postbacks of 'receive' or 'serve'")
  private static let receivedAt = DecodingOptions.receivedAt.described(
    "when the postbacks were received, which selects the --model")
  private static let strict = OptionRow.strict.described(
    "exit 1 also if a postback with a valid signature has a finding")

  struct Options: CommandOptions {
    let keys: TrustedKeys
    let seen: String?
    let models: [ModelArgument]
    let time: Instant?
    let isStrict: Bool
    let isJSON: Bool
    let isQuiet: Bool

    init(_ reader: OptionReader) throws(CommandError) {
      reader.declare(strict, under: .expectations)
      reader.declare(.json, .quiet, under: .output)
      keys = try TrustedKeys(reader, VerifyCommand.key)
      seen = try reader[VerifyCommand.seen]
      models = try reader[DecodingOptions.model]
      time = try reader[receivedAt]
      if models.isEmpty, reader.has(receivedAt) { throw reader.refused(receivedAt, "belongs to --model") }
      isStrict = try reader[strict]
      isJSON = try reader[.json]
      isQuiet = try reader[.quiet]
    }
  }

  static let spec = CommandSpec(
    "verify", "Check the signatures and the fields of postbacks", arguments: ["FILE"],
    isLastRepeatable: true,
    examples: [
      "skan verify postback.json", "skan verify bodies/ more.jsonl --json",
      "skan verify - --key public.pem < simulated.json", "skan verify postback.json --seen received.jsonl",
      "skan verify postback.json --model fixtures/models/mixed.json",
    ]
  ) { (options: Options, invocation) throws(CommandError) in
    let keys = options.keys
    let checker = PostbackChecker(
      key: keys.simulated?.key ?? .apple, keys: keys.adAttributionKit, tool: invocation.environment.signatures)
    let isInterrupted = invocation.environment.isInterrupted
    let models = try invocation.decodingModels(options.models)
    let time = options.time ?? invocation.environment.now()
    let files = PostbackFiles(invocation)
    let paths = try files.paths()
    // A file named twice would repeat all of its postbacks.
    try invocation.checkNamedOnce(paths, hint: "a file with postbacks")
    var entries: [PostbackFiles.Entry] = []
    for path in paths {
      let new = try files.read(path)
      // For an empty array nothing would be checked, which is no success.
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
      output: Output(invocation.environment, isQuiet: options.isQuiet),
      isJSON: options.isJSON, models: models)
    var transactions = VerifiedTransactions()
    var (valid, found) = (0, 0)
    for entry in entries {
      let document = entry.document
      if isInterrupted() { throw .interrupted }
      var verdict: PostbackVerdict
      do throws(SigningError) { verdict = try checker.verdict(on: document) } catch {
        // Ctrl-C also reaches openssl.
        throw isInterrupted() ? .interrupted : CommandError(error, keyFile: keys.names)
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

/// A public key, and its name in messages.
struct NamedKey: Sendable {
  let key: PublicKey
  let name: String
  /// The key ID by which a JWS names it; nil for a key that is given without one.
  var id: String?
}

/// The public keys of a command line that are trusted beside Apple's or instead of it.
struct TrustedKeys: Sendable {
  /// The key that is given without a key ID.
  private(set) var simulated: NamedKey?
  /// Apple's keys and the given ones, by key ID. One without a key ID has that of simulated postbacks.
  private(set) var adAttributionKit = AdAttributionKitKeys()
  /// The names of all keys in an error about one of them.
  private(set) var names = "Apple's key"

  init(
    _ reader: OptionReader, _ option: Option<[NamedKey]>,
    _ condition: OptionReader.Condition = OptionReader.Condition(true, "")
  ) throws(CommandError) {
    let keys = try reader[option, condition]
    // As of an option that is not repeatable, the last key without an ID counts.
    simulated = keys.last { $0.id == nil }
    if let simulated { _ = adAttributionKit.add(simulated.key, as: AdAttributionKitKeys.simulatedKeyID) }
    var ids: Set<String> = []
    for key in keys {
      guard let id = key.id else { continue }
      if !ids.insert(id).inserted { throw reader.refused(option, "is given twice for \(JSONWriter.quoted(id))") }
      guard adAttributionKit.add(key.key, as: id) else {
        throw reader.refused(option, "names \(id), which is Apple's key: give a key of your own another KID")
      }
    }
    if !keys.isEmpty { names = keys.map(\.name).joined(separator: ", ") }
  }
}

extension ValueParser<NamedKey> {
  /// A public key in base64 or in a file, with a key ID in front or without. A text that begins with `/` or `.` is a
  /// path as a whole.
  static var publicKey: Self {
    let file = FileUse(kind: .input) { given in
      let text = keyText(given).text
      return text.looksLikeKey ? nil : given.path(text)
    }
    return Self(.file, file: file) { (given) throws(CommandError) in
      let (id, text) = keyText(given)
      if let id, id.isEmpty || text.isEmpty { throw given.mustBe("[KID=]PUBLIC") }
      do throws(KeyProblem) {
        if text.looksLikeKey { return NamedKey(key: try PublicKey(text), name: given.name, id: id) }
      } catch {
        throw given.problem(error.message)
      }
      let path = given.path(text)
      let bytes = try given.invocation.environment.readRequired(
        path, as: [.publicKey, .privateKey], hint: "it should hold a public key (\(given.name))")
      do throws(KeyProblem) {
        return NamedKey(key: try PublicKey(String(decoding: bytes, as: UTF8.self)), name: path, id: id)
      } catch {
        throw .badKey(file: path, reason: error.message)
      }
    }
  }

  private static func keyText(_ given: GivenText) -> (id: String?, text: String) {
    if given.text.looksLikeKey || given.text.hasPrefix("/") || given.text.hasPrefix(".") { return (nil, given.text) }
    return given.pair.map { ($0.name, $0.value) } ?? (nil, given.text)
  }
}

extension String {
  /// Whether the string is base64 of a DER sequence that is long enough for a key, rather than a path.
  fileprivate var looksLikeKey: Bool {
    hasPrefix("M") && utf8.count >= 48 && utf8.allSatisfy { "+/=".utf8.contains($0) || $0.isASCIILetterOrDigit }
  }
}

/// The postbacks of a file of received postbacks, which others are compared with.
struct SeenPostbacks {
  let file: String
  private let memory: PostbackMemory

  init(file: String, _ received: ReceivedFile) {
    self.file = file
    memory = received.memory
  }

  /// The relation of a postback to the received ones.
  struct Comparison {
    let repetition: Repetition
    let file: String
    /// The line of the copy that the postback repeats or contradicts.
    let line: Int?
  }

  /// Compares a postback with the received ones. A conflict is added to the verdict as a finding.
  func compare(_ verdict: inout PostbackVerdict, of document: PostbackDocument) -> Comparison {
    let (repetition, line) = memory.repetition(of: document, ReceivedSignature(verdict))
    if repetition == .conflict, let line {
      verdict.append(
        document.finding(
          PostbackFinding(
            .transactionConflict, "\(file):\(line) is this postback with different content: the first counts.",
            at: document.range)))
    }
    return Comparison(repetition: repetition, file: file, line: line)
  }
}
