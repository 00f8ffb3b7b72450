import SKANDevice
import SKANJSON
import SKANSigning

/// `skan verify`: checks postbacks that were received, Apple's or simulated ones.
enum VerifyCommand {
  private static let key = Option(
    "key", value: "PUBLIC", "a public key, as PEM file or base64, instead of Apple's: for simulated postbacks")
  private static let showsSignedText = Option(
    "show-signed-string", "show the text that is signed, each separator as <U+2063>")

  static let spec = CommandSpec(
    "verify", "check the fields and the signature of postbacks, by Apple's key or another", arguments: ["FILE"],
    options: [key, showsSignedText, .json, .quiet],
    examples: [
      "skan verify postback.json", "skan verify received.jsonl --json",
      "skan verify - --key public.pem < simulated.json",
    ]
  ) { (invocation) throws(CommandError) in
    let arguments = invocation.arguments
    let (key, keyName) = try publicKey(invocation)
    let checker = PostbackChecker(key: key, keyName: keyName, tool: invocation.environment.signatures)
    let path = arguments.positional[0]
    let files = invocation.environment.files
    let bytes =
      path == "-"
      ? try files.readInput()
      : try invocation.environment.readRequired(path, hint: "name a file with postbacks, or - for standard input")
    let documents = try PostbackDocument.all(in: bytes, file: path)
    let report = VerifyReport(
      file: path, count: documents.count,
      output: Output(invocation.environment, isQuiet: arguments.has(.quiet), redactor: Redactor(key: nil)),
      isJSON: arguments.has(.json), showsSignedText: arguments.has(showsSignedText))
    var valid = 0
    // A UUID may be written in capitals or not.
    var lines: [String: Int] = [:]
    for document in documents {
      var verdict = try checker.verdict(on: document, isInterrupted: invocation.environment.isInterrupted)
      if verdict.outcome == .valid, let id = verdict.content?.transactionID.lowercased() {
        valid += 1
        verdict.repeatedLine = lines[id]
        lines[id] = lines[id] ?? document.line
      }
      try report.show(verdict, of: document)
    }
    try report.end(valid: valid)
    return valid == documents.count ? .ok : .expectationFailed
  }

  /// The key of `--key`, or Apple's, and where it came from.
  private static func publicKey(_ invocation: Invocation) throws(CommandError) -> (key: PublicKey, name: String) {
    guard let given = invocation.arguments.value(key) else { return (.apple, "Apple's key") }
    let option = invocation.arguments.name(of: key)
    do throws(KeyProblem) {
      if given.looksLikeKey { return (try PublicKey(given), option) }
    } catch {
      throw invocation.usage("\(option): \(error.words)")
    }
    let bytes = try invocation.environment.readRequired(given, hint: "it should hold a public key (\(option))")
    do throws(KeyProblem) {
      return (try PublicKey(String(decoding: bytes, as: UTF8.self)), given)
    } catch {
      throw .badKey(file: given, reason: error.words)
    }
  }
}

extension String {
  /// The base64 of a DER sequence that is long enough for a key, rather than a path.
  fileprivate var looksLikeKey: Bool {
    hasPrefix("M") && utf8.count >= 48 && utf8.allSatisfy { "+/=".utf8.contains($0) || $0.isLetterOrDigit }
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
