import SKANJSON

/// The program: arguments and a world in, an exit code out.
package enum CommandLineTool {
  package static let version = "0.1.0"

  /// What every command that lives a step takes.
  static let stepOptions: [Option] = [
    .state, .at, .after, .json, .expect, .verbose, .quiet, .strict, .lockTimeout, .help,
  ]

  /// Every subcommand, in the order of the help.
  static let commands: [CommandSpec] = [
    InstallCommands.install, InstallCommands.register, UpdateCommands.session, UpdateCommands.event,
    RevenueCommand.spec, DetailsCommand.spec, PhoneCommands.update, PhoneCommands.relaunch, PhoneCommands.reset,
    ReplayCommand.spec,
  ]

  /// Runs a command line, given without the program's name.
  package static func run(_ arguments: [String], in environment: Environment) -> ExitCode {
    do throws(CommandError) {
      return try dispatch(arguments, environment)
    } catch {
      if let message = error.message { environment.writeError(message + "\n") }
      return error.code
    }
  }

  private static func dispatch(_ arguments: [String], _ environment: Environment) throws(CommandError) -> ExitCode {
    guard let name = arguments.first else {
      environment.writeError(Help.overview)
      return .usage
    }
    switch name {
    case "--help", "-h":
      try environment.writeOutput(Help.overview)
      return .ok
    case "--version":
      try environment.writeOutput("skan \(version)\n")
      return .ok
    case "help":
      guard arguments.count > 1 else {
        try environment.writeOutput(Help.overview)
        return .ok
      }
      try environment.writeOutput(Help.text(for: try spec(named: arguments[1])))
      return .ok
    default: break
    }
    let spec = try spec(named: name)
    let parsed = try ParsedArguments(Array(arguments.dropFirst()), for: spec, variable: environment.variable)
    if parsed.has(.help) {
      try environment.writeOutput(Help.text(for: spec))
      return .ok
    }
    return try spec.run(Invocation(spec: spec, arguments: parsed, environment: environment))
  }

  private static func spec(named name: String) throws(CommandError) -> CommandSpec {
    if let spec = commands.first(where: { $0.name == name }) { return spec }
    if name.hasPrefix("-") {
      throw .usage("the command comes first, as in 'skan session \(name)'", command: nil)
    }
    let near = nearestName(to: name, in: commands.map(\.name)).map { "; did you mean '\($0)'?" } ?? ""
    throw .usage("there is no command \(JSONWriter.quoted(name))\(near)", command: nil)
  }
}
