/// The options of a command as a value, with a typed property for each.
///
/// The initializer reads every option exactly once. The options that it reads, in this order, make up the command's
/// table, from which the help, the parser, completion, the manual page and `skan help --json` take their rows. So the
/// initializer must read the same options whatever is given, and must not throw if nothing is given.
package protocol CommandOptions: Sendable {
  /// The title under which help shows the options; nil for that of the type whose initializer reads this one.
  static var title: OptionTitle? { get }

  init(_ reader: OptionReader) throws(CommandError)
}

extension CommandOptions {
  package static var title: OptionTitle? { nil }
}

/// The titles of options, in the order in which the help, the manual page and the manual show them.
package enum OptionTitle: String, CaseIterable, Sendable {
  /// The options of one command's own subject.
  case own = "Options"
  case profile = "New phone"
  case device = "Device"
  case answer = "Answer"
  case update = "Update"
  case revenue = "Revenue"
  case server = "App's server"
  case list = "List"
  case export = "Export"
  case parts = "Parts"
  case postbacks = "Postbacks"
  case wire = "Wire"
  case expectations = "Expectations"
  case reports = "Reports"
  case output = "Output"
  /// The options of every command.
  case general = "General"
}

/// Options with the same title, in the order in which they are read.
struct OptionGroup: Sendable {
  let title: OptionTitle
  let rows: [OptionRow]
}

/// Reads the options of a command line, and records which options a command has.
///
/// The sources of a value, in order of precedence, are the command line, the environment variable, the project file and
/// the default. Each options type checks which of its options exclude or require each other.
package final class OptionReader {
  package let invocation: Invocation
  /// The options read so far, and the title of each.
  private var titled: [(title: OptionTitle, row: OptionRow)] = []
  var rows: [OptionRow] { titled.map(\.row) }
  /// The options read so far, in the order of the titles.
  var groups: [OptionGroup] {
    OptionTitle.allCases.map { title in
      OptionGroup(title: title, rows: titled.filter { $0.title == title }.map(\.row))
    }.filter { !$0.rows.isEmpty }
  }
  /// The title of the options being read.
  private var title = OptionTitle.own
  /// The conditions on the options being read.
  private var conditions: [Condition] = []

  package init(_ invocation: Invocation) { self.invocation = invocation }

  /// A condition on which options depend. If it does not hold, an option on the command line is an error, and a value
  /// from a variable or the project file is ignored.
  package struct Condition: Sendable {
    let holds: Bool
    /// The end of a message that begins with the option.
    let words: @Sendable (OptionRow) -> String

    package init(_ holds: Bool, _ words: @escaping @Sendable (OptionRow) -> String) {
      self.holds = holds
      self.words = words
    }

    package init(_ holds: Bool, _ words: String) { self.init(holds) { _ in words } }
  }

  /// The value of an option.
  ///
  /// - Throws: an error that names the source of the value, if the text is invalid.
  package subscript<Value>(option: Option<Value>) -> Value {
    get throws(CommandError) {
      declare(option)
      return try option.read(try isAvailable(option) ? invocation.given(option) : [], invocation)
    }
  }

  /// The value of an option that depends on a condition.
  package subscript<Value>(option: Option<Value>, condition: Condition) -> Value {
    get throws(CommandError) {
      try depending(on: condition) { () throws(CommandError) in try self[option] }
    }
  }

  /// The options of a type, which stand under its title.
  package subscript<Options: CommandOptions>(type: Options.Type) -> Options {
    get throws(CommandError) {
      try under(type.title) { () throws(CommandError) in try type.init(self) }
    }
  }

  /// Reads options that stand under a title.
  package func under<Value>(_ title: OptionTitle?, _ read: () throws(CommandError) -> Value) throws(CommandError)
    -> Value
  {
    let outer = self.title
    self.title = title ?? outer
    defer { self.title = outer }
    return try read()
  }

  /// The output file of an option, written as a whole.
  ///
  /// - Parameters:
  ///   - kinds: the kinds of files that the output replaces; a file of another known kind would be lost.
  ///   - isChosen: whether the option is in effect, if it is one of several that exclude each other.
  ///   - words: the reason why standard output is not available, as the end of a message that begins with the option.
  /// - Throws: also if the file cannot be written, or if it is a file of another kind.
  ///   The command has not begun at that point.
  package func output(
    _ option: Option<OutputFile?>, replacing kinds: Set<ContentKind>, if isChosen: Bool = true,
    standardOutputIsTaken words: String? = nil
  ) throws(CommandError) -> OutputFile? {
    declare(option)
    let file = try option.read(isChosen ? invocation.given(option) : [], invocation)
    guard let file, !file.isStandardOutput else {
      if file != nil, let words { throw refused(option, words) }
      return file
    }
    try invocation.environment.files.requireOutput(file.path, replacing: kinds)
    return file
  }

  /// Reads options that depend on a condition.
  package func depending<Value>(
    on condition: Condition, _ read: () throws(CommandError) -> Value
  ) throws(CommandError) -> Value {
    conditions.append(condition)
    defer { conditions.removeLast() }
    return try read()
  }

  /// Adds options to the table that are read later, or only if they are in effect.
  package func declare(_ options: OptionRow..., under title: OptionTitle? = nil) {
    for option in options where !titled.contains(where: { $0.row == option }) {
      titled.append((title ?? self.title, option))
    }
  }

  /// The option in effect among those that exclude each other; nil if none is given. The command line takes precedence
  /// over the environment, and the environment over the project file.
  ///
  /// - Parameter message: makes the error for the first two options given in the same place.
  package func oneOf(
    _ options: [OptionRow],
    _ message: (_ first: String, _ second: String) -> String = { "\($0) and \($1) exclude each other" }
  ) throws(CommandError) -> OptionRow? {
    var available: [OptionRow] = []
    for option in options {
      declare(option)
      if try isAvailable(option) { available.append(option) }
    }
    let given = invocation.preferred(available)
    if given.count > 1 { throw invocation.usage(message(name(of: given[0]), name(of: given[1]))) }
    return given.first
  }

  /// The choice of the given flag, among flags that exclude each other; nil if none is given.
  package func choice<Choice>(_ choices: (flag: Option<Bool>, Choice)...) throws(CommandError) -> Choice? {
    let chosen = try oneOf(choices.map { $0.flag })
    return choices.first { $0.flag == chosen }?.1
  }

  /// The value of an option if it is the one in effect among several, otherwise the value of an option that is not
  /// given.
  package func value<Value>(of option: Option<Value>, if isChosen: Bool) throws(CommandError) -> Value {
    declare(option)
    return try option.read(isChosen ? invocation.given(option) : [], invocation)
  }

  /// Whether an option is given on the command line, in the environment or in the project file.
  package func has(_ option: OptionRow) -> Bool { invocation.has(option) }

  /// Whether an option is given on the command line itself.
  package func isGiven(_ option: OptionRow) -> Bool { invocation.isGiven(option) }

  /// The source of a value as messages name it.
  package func name(of option: OptionRow) -> String { invocation.name(of: option) }

  /// An error that begins with the name of an option.
  package func refused(_ option: OptionRow, _ words: String) -> CommandError {
    invocation.usage("\(name(of: option)) \(words)")
  }

  /// Whether all conditions hold. Throws if one does not and the option is given on the command line.
  private func isAvailable(_ option: OptionRow) throws(CommandError) -> Bool {
    guard let condition = conditions.first(where: { !$0.holds }) else { return true }
    if isGiven(option) { throw refused(option, condition.words(option)) }
    return false
  }
}

/// The options of a command that has only those of every command.
package struct NoOptions: CommandOptions {
  package init(_: OptionReader) {}
}
