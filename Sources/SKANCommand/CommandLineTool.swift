import SKANJSON
import SKANText

/// The program: arguments and a world in, an exit code out.
package enum CommandLineTool {
  package static let version = "0.1.0"

  /// What every command that lives a step takes.
  static let stepOptions: [OptionRow] = [
    .state, .at, .after, .json, .expect, .verbose, .quiet, .strict, .lockTimeout,
  ]

  /// Every subcommand, in the order of the help.
  static let commands: [CommandSpec] = [
    InstallCommands.install, InstallCommands.register, UpdateCommands.session, UpdateCommands.event,
    RevenueCommand.spec, DetailsCommand.spec, PhoneCommands.update, PhoneCommands.relaunch, PhoneCommands.reset,
    ReplayCommand.spec, ModelCheckCommand.spec, ModelCommands.explain, ModelCommands.decode, ServeCommand.spec,
    PostbacksCommand.spec, VerifyCommand.spec, TimelineCommand.spec,
  ]

  /// Runs a command line, given without the program's name.
  package static func run(_ arguments: [String], in environment: Environment) -> ExitCode {
    let saved = SavedFile()
    do throws(CommandError) {
      return try dispatch(arguments, saved.watching(environment))
    } catch {
      let error = error.told(after: saved.path)
      if let message = error.message {
        let redactor = Redactor(key: environment.sdkKey)
        environment.writeError(redactor.redacted(message) + "\n")
      }
      return error.code
    }
  }

  private static func dispatch(_ arguments: [String], _ environment: Environment) throws(CommandError) -> ExitCode {
    guard let name = arguments.first else {
      environment.writeError(Help.overview)
      return .usage
    }
    if let help = helpOfGroup(arguments) {
      try environment.write(help)
      return .ok
    }
    switch name {
    case "--help", "-h", "--version", "help":
      var rest = arguments.dropFirst()
      var text = name == "--version" ? versionLine : Help.overview
      if name == "help", !rest.isEmpty {
        let (spec, more) = try spec(rest)
        (text, rest) = (Help.text(for: spec), more)
      }
      if let extra = rest.first { throw .usage("one argument too many: \(JSONWriter.quoted(extra))", command: nil) }
      try environment.write(text)
      return .ok
    default: break
    }
    let (spec, rest) = try spec(arguments[...])
    let parsed = try ParsedArguments(Array(rest), for: spec, variable: environment.variable)
    if parsed.has(.help) || parsed.has(.version) {
      try environment.write(parsed.has(.help) ? Help.text(for: spec) : versionLine)
      return .ok
    }
    try VariableNames.check(environment)
    return try spec.run(Invocation(spec, parsed, environment))
  }

  /// The commands of two words that begin with this one.
  private static func group(_ name: String) -> [CommandSpec] { commands.filter { $0.name.hasPrefix("\(name) ") } }

  /// What is printed when a command line asks for help with the first of two words.
  private static func helpOfGroup(_ arguments: [String]) -> String? {
    guard arguments.count == 2 else { return nil }
    let name = arguments[0] == "help" ? arguments[1] : arguments[0]
    guard arguments[0] == "help" || ["--help", "-h"].contains(arguments[1]) else { return nil }
    let group = group(name)
    return group.isEmpty ? nil : Help.text(for: group)
  }

  private static var versionLine: String { "skan \(version)\n" }

  /// The subcommand that a command line begins with, of one word or two, and what follows it.
  private static func spec(
    _ arguments: ArraySlice<String>
  ) throws(CommandError) -> (spec: CommandSpec, rest: ArraySlice<String>) {
    for count in [2, 1] where arguments.count >= count {
      let name = arguments.prefix(count).joined(separator: " ")
      if let spec = commands.first(where: { $0.name == name }) { return (spec, arguments.dropFirst(count)) }
    }
    let name = arguments.first ?? ""
    if name.hasPrefix("-") {
      if let near = nearestName(to: name, in: ["--help", "--version"]) {
        throw .usage("there is no option \(name.oneLine); did you mean \(near)?", command: nil)
      }
      throw .usage("the command comes first, as in 'skan session \(name.oneLine)'", command: nil)
    }
    let parts = group(name).map { "'skan \($0.name)'" }
    if !parts.isEmpty {
      throw .usage("'skan \(name)' goes on: \(parts.joined(separator: ", "))", command: nil)
    }
    if let words = OtherNames.words[name] {
      throw .usage("there is no command \(JSONWriter.quoted(name)); \(words)", command: nil)
    }
    // Of two words a mistyped one is found by both.
    let both = arguments.prefix(2).joined(separator: " ")
    let names = commands.map(\.name)
    let near =
      (nearestName(to: name, in: names) ?? nearestName(to: both, in: names.filter { $0.contains(" ") }))
      .map { "; did you mean '\($0)'?" } ?? ""
    throw .usage("there is no command \(JSONWriter.quoted(name))\(near)", command: nil)
  }
}
