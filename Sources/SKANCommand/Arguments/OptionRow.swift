/// One row of the table of options: what help, parsing, the environment and `skan help --json` need to know about an
/// option, whatever its value is.
///
/// Immutable, and a class so that rows with different values stand in one list; ``Option`` adds how the value is read.
class OptionRow: @unchecked Sendable {
  /// Without the two hyphens.
  let name: String
  let short: Character?
  /// What stands for the value in a help text; nil for a flag.
  let placeholder: String?
  let kind: ValueKind
  /// What a command does with the file that the value names; nil where none does.
  let file: FileUse?
  /// The values that have a name, for completion; of a ``ValueKind/choice`` there are no others.
  var values: [String] { makeValues() }
  /// What is read when the option is not given, as a user would write it; nil when nothing is, or when it depends on
  /// other things.
  let defaultText: String?
  /// What help says of it, without the default unless there is more to say about that.
  private let text: String
  let isRepeatable: Bool
  /// Whether a variable of the environment stands for it.
  let hasVariable: Bool
  /// Called for a table only: a run that parses its options does not pay for it.
  let makeValues: @Sendable () -> [String]

  init(
    _ name: String, short: Character?, placeholder: String?, kind: ValueKind, file: FileUse?,
    makeValues: @escaping @Sendable () -> [String], defaultText: String?, help: String, isRepeatable: Bool,
    hasVariable: Bool
  ) {
    self.name = name
    self.short = short
    self.placeholder = placeholder
    self.kind = kind
    self.file = file
    self.makeValues = makeValues
    self.defaultText = defaultText
    text = help
    self.isRepeatable = isRepeatable
    self.hasVariable = hasVariable
  }

  /// What help says of it, with what is read when it is not given.
  var help: String {
    guard let defaultText, !defaultText.isEmpty, !text.contains("default") else { return text }
    return "\(text) (default \(defaultText))"
  }

  /// Throws what is wrong with the texts that are given for the option; each ``Option`` reads them.
  func check(_ given: [GivenText], in invocation: Invocation) throws(CommandError) {}

  /// Whether reading these texts reads standard input, which is there once.
  func readsInput(_ texts: [String]) -> Bool { kind == .json && texts.last == "@-" }

  /// `SKAN_…`, which stands for the option where it is not given.
  var variable: String {
    let letters = name.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
    return VariableNames.prefix + String(decoding: letters, as: UTF8.self).uppercased()
  }

  var flag: String { "--\(name)" }
}

extension OptionRow: Equatable {
  /// Whether both are the option of the same name; its help may differ between commands.
  static func == (left: OptionRow, right: OptionRow) -> Bool { left.name == right.name }
}
