import SKANBase
import SKANCommandLine
import SKANDevice
import SKANModel
import SKANReceive
import SKANSigning
import SKANTraffic

/// Every code that can be explained.
enum CodeCatalog {
  /// The codes in the order of their kinds, and within a kind in the order of its enumeration.
  static let all: [any ExplainedCode] =
    Outcome.allCases + WarningCode.allCases + FrameworkSetting.allCases + ExitCode.allCases + TrafficRule.allCases
    + PostbackVerdict.Outcome.allCases + VerifyNote.allCases + ReceivedSignature.Key.allCases + Repetition.allCases
    + PostbackFinding.Code.allCases + Postback.State.allCases + SKANErrorCode.allCases + PlistKey.allCases
    + ModelWarning.allCases

  /// The codes that a text stands for. There are several if two kinds share a code.
  ///
  /// It ignores case, and accepts `_` for `-`, the brackets used in outputs, a kind and a dot in front, and a setting
  /// with its value.
  static func codes(named text: String) throws(CommandError) -> [any ExplainedCode] {
    var name = text.lowercased().replacing("_", with: "-")
    if name.hasPrefix("["), name.hasSuffix("]") { name = String(name.dropFirst().dropLast()) }
    var kinds = CodeKind.allCases
    if let dot = name.firstIndex(of: ".") {
      let prefix = String(name[..<dot])
      let named = kinds.filter { $0.rawValue == prefix || $0.aliases.contains(prefix) }
      if !named.isEmpty { (kinds, name) = (named, String(name[name.index(after: dot)...])) }
    }
    let candidates = all.filter { kinds.contains($0.kind) }
    let found = candidates.filter { $0.code.lowercased() == name || $0.spellings.contains(name) }
    if !found.isEmpty { return found }
    if let equals = name.firstIndex(of: "=") {
      let settings = candidates.filter { $0.kind == .setting && $0.code == name[..<equals] }
      if !settings.isEmpty { return settings }
    }
    // If the code belongs to another kind than the one asked for, the hint names it.
    let other = all.first { $0.code.lowercased() == name }.map { "\($0.kind.rawValue).\($0.code)" }
    let near = other ?? meantName(by: name, in: candidates.map(\.code))
    let hint = numbers(like: name) ?? near.map { "did you mean \($0)? " } ?? ""
    throw .usage(
      "there is no code \(JSONWriter.quoted(text)); \(hint)'skan explain' lists them all", command: "explain")
  }

  /// Lists the codes of a numeric kind. No nearest code is suggested for a wrong number.
  private static func numbers(like name: String) -> String? {
    let kinds: [(kind: CodeKind, text: String)] = [(.exit, "exit codes"), (.error, "errors of Apple's framework")]
    let letters = name.prefix { !$0.isNumber && $0 != "-" }
    // The text is the name of the kind alone, or followed by what looks like a number.
    guard !name.isEmpty, name[letters.endIndex...].allSatisfy({ $0.isNumber || $0 == "-" }) else { return nil }
    let lists = kinds.compactMap { kind, text -> String? in
      let codes = all.filter { $0.kind == kind }.map { $0.code.lowercased() }
      guard let prefix = codes.first?.prefix(while: { $0 != "-" }), letters.isEmpty || letters == prefix else {
        return nil
      }
      let numbers = codes.map { String($0.dropFirst(prefix.count + 1)) }
      return "the \(text) are \(numbers.listed())"
    }
    return lists.isEmpty ? nil : lists.joined(separator: ", ") + "; "
  }
}

/// The line below the findings of a run that tells how to read more about the first of them.
enum ExplanationHint {
  static func line(_ code: String) -> StyledText { "Try 'skan explain \(code)'." }

  /// The line for a code. The kind stands in front if another kind has the same code.
  static func line(_ code: any ExplainedCode) -> StyledText {
    let isShared = CodeCatalog.all.contains { $0.code == code.code && $0.kind != code.kind }
    return line(isShared ? "\(code.kind.rawValue).\(code.code)" : code.code)
  }
}

/// The kind of a code. The raw value is its name in `skan explain --json`, and a prefix, as in `check.idfv-missing`,
/// for a code that two kinds share.
enum CodeKind: String, CaseIterable, Sendable {
  case outcome, warning, setting, exit, check, postback, error, plist, model

  /// The heading of the kind in the list of all codes.
  var heading: String {
    switch self {
    case .outcome: "Outcomes of a step"
    case .warning: "Findings and notes of a step"
    case .setting: "Settings of Apple's framework"
    case .exit: "Exit codes"
    case .check: "Rules of skan check"
    case .postback: "Postbacks: verdicts, findings and states"
    case .error: "Errors of Apple's framework"
    case .plist: "Keys of an app's Info.plist that skan doctor checks"
    case .model: "Warnings of skan model check"
    }
  }

  /// The heading of the first part of an explanation, depending on what the code describes.
  var firstHeading: String {
    switch self {
    case .outcome, .warning, .error, .plist: "What the phone does"
    case .setting: "What it decides"
    case .exit: "What happened"
    case .check: "What was seen"
    case .postback: "What it says"
    case .model: "What the model cannot say"
    }
  }

  /// Other prefixes that stand for the kind.
  var aliases: [String] {
    switch self {
    case .warning: ["finding", "note"]
    case .check: ["s2s", "rule"]
    default: []
    }
  }
}

/// A code that `skan explain` knows: every case of the enumerations behind results, checks and verdicts.
///
/// ``explanation`` comes from the row of the code, in one switch over all cases beside the enumeration, so that a new code
/// does not compile without its texts.
protocol ExplainedCode: Sendable {
  static var kind: CodeKind { get }
  /// The code as it appears in outputs.
  var code: String { get }
  /// The noun phrase shown beside the code.
  var roleText: String { get }
  var explanation: CodeExplanation { get }
  /// The form in which the code appears in the output of its command.
  var trace: String { get }
  /// Other accepted spellings, in lower case.
  var spellings: [String] { get }
}

extension ExplainedCode {
  var kind: CodeKind { Self.kind }
  var trace: String { code }
  var spellings: [String] { [] }
}

extension ExplainedCode where Self: RawRepresentable, RawValue == String {
  var code: String { rawValue }
}

extension Outcome: ExplainedCode {
  static var kind: CodeKind { .outcome }
  var code: String { name }
  var roleText: String { "outcome of a step" }
}

extension WarningCode: ExplainedCode {
  static var kind: CodeKind { .warning }
  var code: String { name }
  var roleText: String { "\(level.rawValue) of a step" }
}

extension FrameworkSetting: ExplainedCode {
  static var kind: CodeKind { .setting }
  var code: String { name }
  var roleText: String { "setting of Apple's framework" }
}

extension ExitCode: ExplainedCode {
  static var kind: CodeKind { .exit }
  var code: String { "exit-\(rawValue)" }
  var roleText: String { "exit code, \(name)" }
  /// The bare number, and the name used in `skan help --json`.
  var spellings: [String] { [String(rawValue), name] }
}

extension TrafficRule: ExplainedCode {
  static var kind: CodeKind { .check }
  var roleText: String { "rule of skan check, \(level.rawValue), rests on: \(basis.rawValue)" }
}

extension SKANErrorCode: ExplainedCode {
  static var kind: CodeKind { .error }
  var code: String { "SKANErrorDomain-\(rawValue)" }
  var roleText: String { "error of Apple's framework, \(name)" }
  var trace: String { "SKANErrorDomain error \(rawValue)" }
  /// Apple's name, the bare number, and the spellings in Apple's own messages.
  var spellings: [String] {
    let text = "skanerrordomain error \(rawValue)"
    return [name.lowercased(), "\(rawValue)", "\(text).", text, "skanerrordomain\(rawValue)", "skanerror-\(rawValue)"]
  }
}

extension PlistKey: ExplainedCode {
  static var kind: CodeKind { .plist }
  var roleText: String { "key of an Info.plist" }
}

extension ModelWarning: ExplainedCode {
  static var kind: CodeKind { .model }
  var roleText: String { "warning of skan model check" }
}

extension PostbackVerdict.Outcome: ExplainedCode {
  static var kind: CodeKind { .postback }
  var roleText: String { "verdict on a postback's signature" }
}

extension VerifyNote: ExplainedCode {
  static var kind: CodeKind { .postback }
  var roleText: String { "note of skan verify" }
}

extension ReceivedSignature.Key: ExplainedCode {
  static var kind: CodeKind { .postback }
  var roleText: String { "whose key signed a received postback" }
  var trace: String { "\"key\":\"\(rawValue)\"" }
}

extension Repetition: ExplainedCode {
  static var kind: CodeKind { .postback }
  var roleText: String { "how a received postback compares with those before" }
}

extension PostbackFinding.Code: ExplainedCode {
  static var kind: CodeKind { .postback }
  var roleText: String { "finding about a received postback" }
}

extension Postback.State: ExplainedCode {
  static var kind: CodeKind { .postback }
  var roleText: String { "state of a simulated postback" }
  var trace: String { "\"state\":\"\(rawValue)\"" }
}
