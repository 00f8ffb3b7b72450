import SKANBase

/// An option whose value is read as a `Value`: `Bool` for a flag, an array for one that may be repeated, an optional
/// where nothing stands for an option that is not given.
final class Option<Value: Sendable>: OptionRow, @unchecked Sendable {
  typealias Reader = @Sendable (_ given: [GivenText], _ invocation: Invocation) throws(CommandError) -> Value

  /// Reads what was given, which is nothing when the option and its variable are absent.
  let read: Reader

  private init(
    _ name: String, short: Character? = nil, placeholder: String?, kind: ValueKind, file: FileUse? = nil,
    makeValues: @escaping @Sendable () -> [String] = { [] }, defaultText: String? = nil, help: String,
    isRepeatable: Bool = false, hasVariable: Bool = true, read: @escaping Reader
  ) {
    self.read = read
    super.init(
      name, short: short, placeholder: placeholder, kind: kind, file: file, makeValues: makeValues,
      defaultText: defaultText, help: help, isRepeatable: isRepeatable, hasVariable: hasVariable)
  }

  /// An option with a default, which is read as if it were given.
  convenience init(
    _ name: String, _ placeholder: String, _ parser: ValueParser<Value>, default text: String, _ help: String,
    hasVariable: Bool = true
  ) {
    self.init(
      name, placeholder: placeholder, kind: parser.kind, file: parser.file, makeValues: parser.makeValues,
      defaultText: text, help: help, hasVariable: hasVariable
    ) { (given, invocation) throws(CommandError) in
      try parser.parse(given.last ?? GivenText(text: text, name: "--\(name)", invocation: invocation))
    }
  }

  /// An option that is nil when it is not given.
  ///
  /// - Parameter text: what a command takes for nil, as the user would write it; only for the table.
  convenience init<Wrapped>(
    _ name: String, short: Character? = nil, _ placeholder: String, _ parser: ValueParser<Wrapped>,
    absent text: String? = nil, _ help: String, hasVariable: Bool = true
  ) where Value == Wrapped? {
    self.init(
      name, short: short, placeholder: placeholder, kind: parser.kind, file: parser.file, makeValues: parser.makeValues,
      defaultText: text, help: help, hasVariable: hasVariable
    ) { (given, _) throws(CommandError) in
      guard let last = given.last else { return nil }
      return try parser.parse(last)
    }
  }

  /// An option that may be given more than once.
  convenience init<Element>(
    _ name: String, _ placeholder: String, each parser: ValueParser<Element>, _ help: String, hasVariable: Bool = true
  ) where Value == [Element] {
    self.init(
      name, placeholder: placeholder, kind: parser.kind, file: parser.file, makeValues: parser.makeValues, help: help,
      isRepeatable: true, hasVariable: hasVariable
    ) { (given, _) throws(CommandError) in
      var elements: [Element] = []
      for text in given { elements.append(try parser.parse(text)) }
      return elements
    }
  }

  /// An option that may be given more than once and whose texts make one value together.
  ///
  /// - Parameter isOncePerName: whether texts with the same name before their `=` are refused, as only one could count.
  convenience init(
    _ name: String, _ placeholder: String, _ kind: ValueKind,
    values: @autoclosure @escaping @Sendable () -> [String] = [], folding start: Value, _ help: String,
    hasVariable: Bool = true, isOncePerName: Bool = false,
    add: @escaping @Sendable (inout Value, GivenText) throws(CommandError) -> Void
  ) {
    self.init(
      name, placeholder: placeholder, kind: kind, makeValues: values, help: help, isRepeatable: true,
      hasVariable: hasVariable
    ) { (given, _) throws(CommandError) in
      var value = start
      var names: Set<String> = []
      for text in given {
        try add(&value, text)
        if isOncePerName, !names.insert(text.nameOfPair).inserted {
          throw text.refused("is given twice for \(JSONWriter.quoted(text.nameOfPair))")
        }
      }
      return value
    }
  }

  override func check(_ given: [GivenText], in invocation: Invocation) throws(CommandError) {
    _ = try read(given, invocation)
  }

  /// The same option of a command that replaces its file when a flag is given.
  func replaced(with flag: Option<Bool>) -> Option {
    var file = file
    file?.replacingFlag = flag
    return Option(
      name, short: short, placeholder: placeholder, kind: kind, file: file, makeValues: makeValues,
      defaultText: defaultText, help: help, isRepeatable: isRepeatable, hasVariable: hasVariable, read: read)
  }

  /// The same option with what another command says about it.
  ///
  /// - Parameter hasDefault: whether anything is read when the option is not given.
  func described(_ help: String, hasVariable: Bool = true, hasDefault: Bool = true) -> Option {
    Option(
      name, short: short, placeholder: placeholder, kind: kind, file: file, makeValues: makeValues,
      defaultText: hasDefault ? defaultText : nil, help: help, isRepeatable: isRepeatable, hasVariable: hasVariable,
      read: read)
  }
}

extension Option<Bool> {
  /// An option without a value.
  convenience init(flag name: String, short: Character? = nil, _ help: String, hasVariable: Bool = true) {
    self.init(name, short: short, placeholder: nil, kind: .flag, help: help, hasVariable: hasVariable) { given, _ in
      !given.isEmpty
    }
  }
}

/// One row of the table of options: what help, parsing, the environment and `skan help --json` need to know about an
/// option, whatever its value is.
///
/// Immutable, and a class so that rows with different values stand in one list; ``Option`` adds how the value is read.
class OptionRow: @unchecked Sendable {
  /// Without the two hyphens.
  let name: String
  let short: Character?
  /// The placeholder for the value in a help text; nil for a flag.
  let placeholder: String?
  let kind: ValueKind
  /// How a command uses the file that the value names; nil where none does.
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

/// What an option's value is, as `skan help --json` names it and as a shell completes it.
enum ValueKind: String, CaseIterable, Sendable {
  /// Given or not; it takes no value.
  case flag
  case text
  /// One of the row's values.
  case choice
  case integer
  case number
  /// A length of time with units: `2d3h`, `500ms`.
  case duration
  /// A moment: ISO 8601, Unix seconds, a duration with a sign, or `now`.
  case time
  /// A number of bytes: `64KiB`.
  case size
  case version
  case file
  case directory
  case url
  /// A JSON text, or `@FILE`.
  case json
  /// A name, an equals sign and a value.
  case pair
  /// A pattern with `*` and `?`.
  case pattern
}
