import SKANJSON

/// The program: arguments and a world in, an exit code out.
package enum CommandLineTool {
  package static let version = "0.1.0"

  /// What every command that lives a step takes.
  static let stepOptions: [Option] = [
    .state, .at, .after, .json, .expect, .verbose, .quiet, .strict, .lockTimeout,
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
      if let message = error.message {
        let redactor = Redactor(key: environment.variable("SKAN_SDK_KEY"))
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
    switch name {
    case "--help", "-h", "--version", "help":
      if let extra = arguments.dropFirst(name == "help" ? 2 : 1).first {
        throw .usage("one argument too many: \(JSONWriter.quoted(extra))", command: nil)
      }
      if name == "--version" { return try printVersion(environment) }
      let text = arguments.count > 1 ? Help.text(for: try spec(named: arguments[1])) : Help.overview
      try environment.writeOutput(text)
      return .ok
    default: break
    }
    let spec = try spec(named: name)
    let parsed = try ParsedArguments(Array(arguments.dropFirst()), for: spec, variable: environment.variable)
    if parsed.has(.version) { return try printVersion(environment) }
    if parsed.has(.help) {
      try environment.writeOutput(Help.text(for: spec))
      return .ok
    }
    return try spec.run(Invocation(spec: spec, arguments: parsed, environment: environment))
  }

  private static func printVersion(_ environment: Environment) throws(CommandError) -> ExitCode {
    try environment.writeOutput("skan \(version)\n")
    return .ok
  }

  private static func spec(named name: String) throws(CommandError) -> CommandSpec {
    if let spec = commands.first(where: { $0.name == name }) { return spec }
    if name.hasPrefix("-") {
      if let near = nearestName(to: name, in: ["--help", "--version"]) {
        throw .usage("there is no option \(name); did you mean \(near)?", command: nil)
      }
      throw .usage("the command comes first, as in 'skan session \(name)'", command: nil)
    }
    let near = nearestName(to: name, in: commands.map(\.name)).map { "; did you mean '\($0)'?" } ?? ""
    throw .usage("there is no command \(JSONWriter.quoted(name))\(near)", command: nil)
  }
}
