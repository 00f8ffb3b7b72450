/// The options of a command as a value: a property for each, with its type.
///
/// The initializer reads every option once. What it reads, in its order, is the table of the command: help, the parser,
/// completion, the manual page and `skan help --json` have their rows from it. So it reads the same options whatever is
/// given, and requires none of them: with nothing given it must not throw.
protocol CommandOptions: Sendable {
  init(_ reader: OptionReader) throws(CommandError)
}

/// Reads the options of a command line, and records which ones a command has.
///
/// A value is the option's, else its variable's, else the project file's, else the default. Which options exclude or need
/// each other is said where they are read.
final class OptionReader {
  let invocation: Invocation
  /// The options read so far.
  private(set) var rows: [OptionRow] = []
  /// The conditions that the options being read depend on.
  private var conditions: [Condition] = []

  init(_ invocation: Invocation) { self.invocation = invocation }

  /// A condition that options depend on. Where it does not hold, they are refused on the command line, and a variable or a project file
  /// is for other calls.
  struct Condition: Sendable {
    let holds: Bool
    /// Completes a message that begins with the option.
    let words: @Sendable (OptionRow) -> String

    init(_ holds: Bool, _ words: @escaping @Sendable (OptionRow) -> String) {
      self.holds = holds
      self.words = words
    }

    init(_ holds: Bool, _ words: String) { self.init(holds) { _ in words } }
  }

  /// The value of an option.
  ///
  /// - Throws: a text that stands for no value; the message names where it came from.
  subscript<Value>(option: Option<Value>) -> Value {
    get throws(CommandError) {
      declare(option)
      return try option.read(try isAvailable(option) ? invocation.given(option) : [], invocation)
    }
  }

  /// The value of an option that depends on others.
  subscript<Value>(option: Option<Value>, condition: Condition) -> Value {
    get throws(CommandError) {
      try depending(on: condition) { () throws(CommandError) in try self[option] }
    }
  }

  /// The file of an option that is written as a whole.
  ///
  /// - Parameters:
  ///   - isChosen: whether the option counts, where it is one of several that exclude each other.
  ///   - words: where standard output is taken already, why; they complete a message that begins with the option.
  /// - Throws: also where the file cannot be written, or would take the place of what cannot be made again: the command has
  ///   not begun then.
  func output(
    _ option: Option<OutputFile?>, if isChosen: Bool = true, standardOutputIsTaken words: String? = nil
  ) throws(CommandError) -> OutputFile? {
    declare(option)
    let file = try option.read(isChosen ? invocation.given(option) : [], invocation)
    guard let file, !file.isStandardOutput else {
      if file != nil, let words { throw refused(option, words) }
      return file
    }
    try invocation.environment.files.requireOutput(file.path)
    return file
  }

  /// Reads options that depend on something.
  func depending<Value>(
    on condition: Condition, _ read: () throws(CommandError) -> Value
  ) throws(CommandError) -> Value {
    conditions.append(condition)
    defer { conditions.removeLast() }
    return try read()
  }

  /// Takes options into the table that are read later, or only where they count.
  func declare(_ options: OptionRow...) {
    for option in options where !rows.contains(option) { rows.append(option) }
  }

  /// The one that counts of options that exclude each other: what stands on the command line before the environment, and
  /// that before the project file; nil where none is given.
  ///
  /// - Parameter message: names the first two that are given at the same place.
  func oneOf(
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

  /// The choice of the given flag, of flags that exclude each other; nil where none is given.
  func choice<Choice>(_ choices: (flag: Option<Bool>, Choice)...) throws(CommandError) -> Choice? {
    let chosen = try oneOf(choices.map { $0.flag })
    return choices.first { $0.flag == chosen }?.1
  }

  /// The value of an option where it is the one that counts of several, else that of an option that is not given.
  func value<Value>(of option: Option<Value>, if isChosen: Bool) throws(CommandError) -> Value {
    declare(option)
    return try option.read(isChosen ? invocation.given(option) : [], invocation)
  }

  /// Whether an option stands on the command line, in the environment or in the project file.
  func has(_ option: OptionRow) -> Bool { invocation.has(option) }

  /// Whether it stands on the command line itself.
  func isGiven(_ option: OptionRow) -> Bool { invocation.isGiven(option) }

  /// How a message names where a value came from.
  func name(of option: OptionRow) -> String { invocation.name(of: option) }

  /// A message that begins with an option.
  func refused(_ option: OptionRow, _ words: String) -> CommandError {
    invocation.usage("\(name(of: option)) \(words)")
  }

  /// Whether all that an option depends on holds.
  private func isAvailable(_ option: OptionRow) throws(CommandError) -> Bool {
    guard let condition = conditions.first(where: { !$0.holds }) else { return true }
    if isGiven(option) { throw refused(option, condition.words(option)) }
    return false
  }
}

/// The options of a command that has none but those of every command.
struct NoOptions: CommandOptions {
  init(_: OptionReader) {}
}
