/// A parsed command line, and the world it runs in.
///
/// An option is read by its row, `try invocation[.maxTime]`: what the command line gives, else what its variable does,
/// else the default. Reading one that the command does not declare stops a debug build.
struct Invocation: Sendable {
  let spec: CommandSpec
  let environment: Environment
  private let arguments: ParsedArguments

  init(_ spec: CommandSpec, _ arguments: ParsedArguments, _ environment: Environment) {
    self.spec = spec
    self.arguments = arguments
    self.environment = environment
  }

  var positional: [String] { arguments.positional }

  /// A command of the user's behind `--`, with its arguments; empty without one.
  var command: [String] { arguments.command }

  /// The project file that was read, if any.
  var projectFile: String? { arguments.projectFile }

  /// Whether a flag is given.
  subscript(option: Option<Bool>) -> Bool { has(option) }

  /// What an option says.
  ///
  /// - Throws: a text that stands for no value; the message names where it came from.
  subscript<Value>(option: Option<Value>) -> Value {
    get throws(CommandError) {
      checkDeclared(option)
      return try read(option)
    }
  }

  /// The same for code that several commands share: the default where the command has no such option.
  subscript<Value>(ifDeclared option: Option<Value>) -> Value {
    get throws(CommandError) { try read(option) }
  }

  /// The same for a flag.
  subscript(ifDeclared option: Option<Bool>) -> Bool { arguments.has(option) }

  private func read<Value>(_ option: Option<Value>) throws(CommandError) -> Value {
    try option.read(given(option), self)
  }

  /// The texts of an option; none where nothing gives it a value.
  func given(_ option: OptionRow) -> [GivenText] {
    let name = arguments.name(of: option)
    var project: ProjectValue?
    if case .project(let value)? = arguments.source(of: option) { project = value }
    return arguments.texts(of: option).map { GivenText(text: $0, name: name, invocation: self, project: project) }
  }

  /// Throws what is wrong with the value of an option.
  func check(_ option: OptionRow) throws(CommandError) { try option.check(given(option), in: self) }

  /// Whether an option stands on the command line or in the environment.
  func has(_ option: OptionRow) -> Bool {
    checkDeclared(option)
    return arguments.has(option)
  }

  /// Whether it stands on the command line itself.
  func isGiven(_ option: OptionRow) -> Bool {
    checkDeclared(option)
    return arguments.isGiven(option)
  }

  /// Those of options that exclude each other which count: what stands on the command line before the environment, and
  /// that before the project file.
  func preferred(_ options: [OptionRow]) -> [OptionRow] {
    let given = options.filter(isGiven)
    if !given.isEmpty { return given }
    let ofEnvironment = options.filter { arguments.source(of: $0) == .environment }
    return ofEnvironment.isEmpty ? options.filter(has) : ofEnvironment
  }

  /// How a message names where a value came from: the option, or its variable.
  func name(of option: OptionRow) -> String {
    checkDeclared(option)
    return arguments.name(of: option)
  }

  private func checkDeclared(_ option: OptionRow) {
    assert(spec.declares(option), "'skan \(spec.name)' does not declare \(option.flag)")
  }

  func usage(_ message: String) -> CommandError { .usage(message, command: spec.name) }
}
