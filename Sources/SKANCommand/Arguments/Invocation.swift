/// A parsed command line, and the world it runs in.
final class Invocation: Sendable {
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
  func has(_ option: OptionRow) -> Bool { arguments.has(option) }

  /// Whether it stands on the command line itself.
  func isGiven(_ option: OptionRow) -> Bool { arguments.isGiven(option) }

  /// Those of options that exclude each other which count: what stands on the command line before the environment, and
  /// that before the project file.
  func preferred(_ options: [OptionRow]) -> [OptionRow] {
    let given = options.filter(isGiven)
    if !given.isEmpty { return given }
    let ofEnvironment = options.filter { arguments.source(of: $0) == .environment }
    return ofEnvironment.isEmpty ? options.filter(has) : ofEnvironment
  }

  /// How a message names where a value came from: the option, or its variable.
  func name(of option: OptionRow) -> String { arguments.name(of: option) }

  func usage(_ message: String) -> CommandError { .usage(message, command: spec.name) }

  /// The parsed form of a single argument.
  func argument(_ index: Int, named name: String) -> GivenText {
    GivenText(text: positional[index], name: name, invocation: self)
  }
}
