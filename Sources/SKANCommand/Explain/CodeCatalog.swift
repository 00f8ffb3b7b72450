import SKANDevice
import SKANBase
import SKANReceive
import SKANSigning
import SKANTraffic

/// Every code that can be explained.
enum CodeCatalog {
  /// In the order of the kinds; of each kind in the order of its enumeration.
  static let all: [any ExplainedCode] =
    Outcome.allCases + WarningCode.allCases + SettingName.allCases + ExitCode.allCases + TrafficRule.allCases
    + PostbackVerdict.Outcome.allCases + VerifyNote.allCases + ReceivedSignature.Key.allCases + Repetition.allCases
    + PostbackFinding.Code.allCases + Postback.State.allCases + SKANErrorCode.allCases + PlistKey.allCases

  /// The codes that a text stands for: several where two kinds have the same.
  ///
  /// Taken as well: other case, `_` for `-`, the brackets of outputs, a kind and a dot in front, a setting with its value.
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
    // Of another kind than was asked for, the code itself.
    let other = all.first { $0.code.lowercased() == name }.map { "\($0.kind.rawValue).\($0.code)" }
    let near = other ?? meantName(by: name, in: candidates.map(\.code))
    let hint = numbers(like: name) ?? near.map { "did you mean \($0)? " } ?? ""
    throw .usage(
      "there is no code \(JSONWriter.quoted(text)); \(hint)'skan explain' lists them all", command: "explain")
  }

  /// The codes of a kind whose codes are numbers: of a wrong number no other one is meant.
  private static func numbers(like name: String) -> String? {
    let kinds: [(kind: CodeKind, text: String)] = [(.exit, "exit codes"), (.error, "errors of Apple's framework")]
    let letters = name.prefix { !$0.isNumber && $0 != "-" }
    // The kind alone, or with something of a number.
    guard !name.isEmpty, name[letters.endIndex...].allSatisfy({ $0.isNumber || $0 == "-" }) else { return nil }
    let lists = kinds.compactMap { kind, text -> String? in
      let codes = all.filter { $0.kind == kind }.map { $0.code.lowercased() }
      guard let prefix = codes.first?.prefix(while: { $0 != "-" }), letters.isEmpty || letters == prefix else {
        return nil
      }
      let numbers = codes.map { String($0.dropFirst(prefix.count + 1)) }
      return "the \(text) are \(numbers.dropLast().joined(separator: ", ")) and \(numbers.last ?? "")"
    }
    return lists.isEmpty ? nil : lists.joined(separator: ", ") + "; "
  }
}
