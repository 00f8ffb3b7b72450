import SKANBase

/// An option whose value is read as a `Value`: `Bool` for a flag, an array for a repeatable option, and an optional for
/// one without a default.
package final class Option<Value: Sendable>: OptionRow, @unchecked Sendable {
  typealias Reader = @Sendable (_ given: [GivenText], _ invocation: Invocation) throws(CommandError) -> Value

  /// Reads the given texts, which are empty if neither the option nor its variable is given.
  let read: Reader

  private init(
    _ name: String, short: Character? = nil, placeholder: String?, kind: ValueKind, file: FileUse? = nil,
    makeValues: @escaping @Sendable () -> [String] = { [] }, defaultText: String? = nil, help: String,
    isRepeatable: Bool = false, hasVariable: Bool = false, read: @escaping Reader
  ) {
    self.read = read
    super.init(
      name, short: short, placeholder: placeholder, kind: kind, file: file, makeValues: makeValues,
      defaultText: defaultText, help: help, isRepeatable: isRepeatable, hasVariable: hasVariable)
  }

  /// An option with a default, which is parsed like a given text.
  package convenience init(
    _ name: String, _ placeholder: String, _ parser: ValueParser<Value>, default text: String, _ help: String,
    hasVariable: Bool = false
  ) {
    self.init(
      name, placeholder: placeholder, kind: parser.kind, file: parser.file, makeValues: parser.makeValues,
      defaultText: text, help: help, hasVariable: hasVariable
    ) { (given, invocation) throws(CommandError) in
      try parser.parse(given.last ?? GivenText(text: text, name: "--\(name)", invocation: invocation))
    }
  }

  /// An option that is nil if it is not given.
  ///
  /// - Parameter text: the text that is equivalent to nil, as a user would write it. It is only shown in the table of
  ///   options.
  package convenience init<Wrapped>(
    _ name: String, short: Character? = nil, _ placeholder: String, _ parser: ValueParser<Wrapped>,
    absent text: String? = nil, _ help: String, hasVariable: Bool = false
  ) where Value == Wrapped? {
    self.init(
      name, short: short, placeholder: placeholder, kind: parser.kind, file: parser.file, makeValues: parser.makeValues,
      defaultText: text, help: help, hasVariable: hasVariable
    ) { (given, _) throws(CommandError) in
      guard let last = given.last else { return nil }
      return try parser.parse(last)
    }
  }

  /// A repeatable option, whose value is an array.
  package convenience init<Element>(
    _ name: String, _ placeholder: String, each parser: ValueParser<Element>, _ help: String, hasVariable: Bool = false
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

  /// A repeatable option whose texts are combined into one value.
  ///
  /// - Parameter isOncePerName: whether to refuse texts with the same name before their `=`, since only one could take
  ///   effect.
  package convenience init(
    _ name: String, _ placeholder: String, _ kind: ValueKind,
    values: @autoclosure @escaping @Sendable () -> [String] = [], file: FileUse? = nil, folding start: Value,
    _ help: String,
    hasVariable: Bool = false, isOncePerName: Bool = false,
    add: @escaping @Sendable (inout Value, GivenText) throws(CommandError) -> Void
  ) {
    self.init(
      name, placeholder: placeholder, kind: kind, file: file, makeValues: values, help: help, isRepeatable: true,
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

  /// The option for a command that replaces its file if a flag is given.
  package func replaced(with flag: Option<Bool>) -> Option {
    var file = file
    file?.replacingFlag = flag
    return Option(
      name, short: short, placeholder: placeholder, kind: kind, file: file, makeValues: makeValues,
      defaultText: defaultText, help: help, isRepeatable: isRepeatable, hasVariable: hasVariable, read: read)
  }

  /// The option with the help text of another command.
  ///
  /// - Parameters:
  ///   - hasVariable: whether the option is read from its variable here, if it has one.
  ///   - hasDefault: whether the default is read if the option is not given.
  package func described(_ help: String, hasVariable: Bool = true, hasDefault: Bool = true) -> Option {
    Option(
      name, short: short, placeholder: placeholder, kind: kind, file: file, makeValues: makeValues,
      defaultText: hasDefault ? defaultText : nil, help: help, isRepeatable: isRepeatable,
      hasVariable: hasVariable && self.hasVariable, read: read)
  }
}

extension Option<Bool> {
  /// An option without a value.
  package convenience init(flag name: String, short: Character? = nil, _ help: String, hasVariable: Bool = false) {
    self.init(name, short: short, placeholder: nil, kind: .flag, help: help, hasVariable: hasVariable) { given, _ in
      !given.isEmpty
    }
  }
}

/// One row of the table of options: the properties of an option that the help, the parser, the environment and `skan
/// help --json` need, whatever the type of its value.
///
/// Rows are immutable. This is a class so that options of different value types fit in one list; ``Option`` adds how
/// the value is read.
package class OptionRow: @unchecked Sendable {
  /// The name without the two hyphens.
  package let name: String
  package let short: Character?
  /// The placeholder for the value in help texts; nil for a flag.
  package let placeholder: String?
  package let kind: ValueKind
  /// The way a command uses the file that the value names; nil if it names no file.
  package let file: FileUse?
  /// The named values, for completion. A ``ValueKind/choice`` has no others.
  package var values: [String] { makeValues() }
  /// The text that is read if the option is not given, as a user would write it; nil if there is none, or if it depends
  /// on other things.
  package let defaultText: String?
  /// The help text without the default, unless it explains the default itself.
  private let text: String
  package let isRepeatable: Bool
  /// Whether an environment variable can provide the option's value. Only an option that says where or on which phone
  /// a command runs has a variable, never one that says what the command does.
  package let hasVariable: Bool
  /// Makes the named values. It is only called for a table, so that a run that parses its options does not pay for it.
  let makeValues: @Sendable () -> [String]

  package init(
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

  /// The help text, including the default.
  package var help: String {
    guard let defaultText, !defaultText.isEmpty, !text.contains("default") else { return text }
    return "\(text) (default \(defaultText))"
  }

  /// Throws if the texts given for the option are invalid. Overridden by ``Option``.
  func check(_ given: [GivenText], in invocation: Invocation) throws(CommandError) {}

  /// Whether reading these texts consumes standard input, which can be read only once.
  package func readsInput(_ texts: [String]) -> Bool { kind == .json && texts.last == "@-" }

  /// The name of the environment variable for the option, `SKAN_…`.
  package var variable: String {
    let letters = name.utf8.map { $0 == UInt8(ascii: "-") ? UInt8(ascii: "_") : $0 }
    return VariableNames.prefix + String(decoding: letters, as: UTF8.self).uppercased()
  }

  package var flag: String { "--\(name)" }

  /// The text of the option in a command line that is not validated yet, or else in its variable.
  package func text(ofUnparsed arguments: [String], _ environment: Environment) -> String? {
    let before = Array(arguments.prefix { $0 != "--" })
    var texts = before.filter { $0.hasPrefix("\(flag)=") }.map { String($0.dropFirst(flag.count + 1)) }
    if let index = before.firstIndex(of: flag), index + 1 < before.count { texts.append(before[index + 1]) }
    return texts.first ?? environment.variable(variable)
  }
}

extension OptionRow: Equatable {
  /// Whether both rows have the same name. Their help may differ between commands.
  package static func == (left: OptionRow, right: OptionRow) -> Bool { left.name == right.name }
}

/// The kind of an option's value, as `skan help --json` names it and as shells complete it.
package enum ValueKind: String, CaseIterable, Sendable, JSONWritable {
  /// No value: the option is given or not.
  case flag
  case text
  /// One of ``OptionRow/values``.
  case choice
  case integer
  case number
  /// A length of time with units, such as `2d3h` or `500ms`.
  case duration
  /// A point in time: ISO 8601, Unix seconds, a signed duration, or `now`.
  case time
  /// A number of bytes, such as `64KiB`.
  case size
  case version
  case file
  case directory
  case url
  /// A JSON text, or `@FILE`.
  case json
  /// `NAME=VALUE`.
  case pair
  /// A pattern with `*` and `?`.
  case pattern
}
