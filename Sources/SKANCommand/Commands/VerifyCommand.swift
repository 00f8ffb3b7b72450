import SKANDevice
import SKANSigning
import SKANText

/// `skan verify`: checks postbacks that were received, Apple's or simulated ones.
enum VerifyCommand {
  private static let key = Option<NamedKey?>(
    "key", "PUBLIC", .publicKey, "a public key, as PEM file or base64, instead of Apple's: for simulated postbacks")
  private static let showsSignedText = Option<Bool>(
    flag: "show-signed-string", "show the text that is signed, each separator as <U+2063>")
  private static let strict = OptionRow.strict.described("exit 1 also when a finding stands beside a valid signature")

  static let spec = CommandSpec(
    "verify", "check the signature and the fields of postbacks, by Apple's key or another", arguments: ["FILE"],
    options: [key, showsSignedText, strict, .json, .quiet],
    examples: [
      "skan verify postback.json", "skan verify received.jsonl --json",
      "skan verify - --key public.pem < simulated.json",
    ]
  ) { (invocation) throws(CommandError) in
    let key = try invocation[key] ?? .apple
    let checker = PostbackChecker(key: key.key, tool: invocation.environment.signatures)
    let isInterrupted = invocation.environment.isInterrupted
    let path = invocation.positional[0]
    let files = invocation.environment.files
    let bytes =
      path == "-"
      ? try files.readInput()
      : try invocation.environment.readRequired(
        path, hint: "name a file with postbacks, or - for standard input", most: .max)
    try ContentKind.check(bytes, of: path)
    let documents: [PostbackDocument]
    do throws(SourceNotes) { documents = try PostbackDocument.all(in: bytes) } catch {
      throw .content(file: path, error.notes)
    }
    var report = VerifyReport(
      file: path, count: documents.count,
      output: Output(invocation.environment, isQuiet: invocation[.quiet], redactor: Redactor(key: nil)),
      isJSON: invocation[.json], showsSignedText: invocation[showsSignedText])
    var transactions = VerifiedTransactions()
    var (valid, found) = (0, 0)
    for document in documents {
      if isInterrupted() { throw .interrupted }
      var verdict: PostbackVerdict
      do throws(SigningError) { verdict = try checker.verdict(on: document) } catch {
        // A Ctrl-C reaches openssl, too.
        throw isInterrupted() ? .interrupted : CommandError(error, keyFile: key.name)
      }
      transactions.compare(&verdict, of: document)
      if verdict.outcome == .valid { valid += 1 }
      found += verdict.findings.count
      try report.show(verdict, of: document)
    }
    try report.end(valid: valid)
    return valid < documents.count || invocation[strict] && found > 0 ? .expectationFailed : .ok
  }
}

/// A public key, and what a message calls it.
private struct NamedKey: Sendable {
  let key: PublicKey
  let name: String

  static let apple = NamedKey(key: .apple, name: "Apple's key")
}

extension ValueParser<NamedKey> {
  /// A key in base64, or its file.
  fileprivate static var publicKey: Self {
    Self(.file) { (given) throws(CommandError) in
      let text = given.text
      do throws(KeyProblem) {
        if text.looksLikeKey { return NamedKey(key: try PublicKey(text), name: given.name) }
      } catch {
        throw given.problem(error.message)
      }
      let bytes = try given.invocation.environment.readRequired(
        text, hint: "it should hold a public key (\(given.name))")
      do throws(KeyProblem) {
        return NamedKey(key: try PublicKey(String(decoding: bytes, as: UTF8.self)), name: text)
      } catch {
        throw .badKey(file: text, reason: error.message)
      }
    }
  }
}

extension String {
  /// The base64 of a DER sequence that is long enough for a key, rather than a path.
  fileprivate var looksLikeKey: Bool {
    hasPrefix("M") && utf8.count >= 48 && utf8.allSatisfy { "+/=".utf8.contains($0) || $0.isASCIILetterOrDigit }
  }
}
