import SKANBase

/// The environment variables that commands read: they describe where a command runs, never what it does. Any other whose
/// name begins with `SKAN_` is an error: a typing mistake, or an option that has no variable.
package enum VariableNames {
  package static let prefix = "SKAN_"
  /// The prefix of list variables, followed by a name of the user's; see `--variable`.
  package static let ofLists = "SKAN_VARIABLE_"
  /// The prefix of event aliases, followed by the name of an event; see `--event-alias`.
  package static let ofEventAliases = "SKAN_EVENT_ALIAS_"
  package static let sdkKey = "SKAN_SDK_KEY"
  package static let project = "SKAN_PROJECT"

  /// A variable that belongs to no option.
  package struct Variable: Sendable {
    package let name: String
    /// Whether `name` is a prefix that the user completes.
    package let isPrefix: Bool
    package let help: String
  }

  package static let more = [
    Variable(name: sdkKey, isPrefix: false, help: "the SDK key, if --sdk-key-file is not given"),
    Variable(
      name: project, isPrefix: false, help: "the project file, instead of the nearest skan.json; none for no file"),
    Variable(name: ofLists, isPrefix: true, help: "the value of ${NAME} in the strings of a list; see --variable"),
    Variable(name: ofEventAliases, isPrefix: true, help: "our event for an event of the model; see --event-alias"),
  ]

  /// Throws if the environment has a variable that no command reads, or one whose value is not valid UTF-8. Empty
  /// variables are ignored.
  ///
  /// - Parameters:
  ///   - command: the command that runs; nil for none of them.
  ///   - table: all commands.
  package static func check(
    _ environment: Environment, for command: CommandSpec? = nil, of table: CommandTable
  ) throws(CommandError) {
    let names = environment.variables(prefix).filter { !$0.value.isEmpty }.map(\.name)
    // The message does not show the value, which may be a key.
    if let name = names.sorted().first(where: { !environment.isUTF8($0) }) {
      throw .usage("the value of \(name.oneLine) is not UTF-8, as every variable must be", command: nil)
    }
    // The names of all commands are made only for a name that is not of `command`.
    let own = (command?.variables ?? []) + [sdkKey, project]
    let others = names.filter { name in
      !name.hasPrefix(ofLists) && !name.hasPrefix(ofEventAliases) && !own.contains(name)
    }
    guard !others.isEmpty else { return }
    let known = Set(table.variableOptions.map(\.variable) + [sdkKey, project])
    let unknown = others.filter { !known.contains($0) }
    guard !unknown.isEmpty else { return }
    let messages = unknown.sorted { $0.literallyPrecedes($1) }.map {
      optionMessage($0, command, table) ?? message($0, known, table)
    }
    throw .usage(messages.joined(separator: "\n      "), command: nil)
  }

  /// The message for the variable of an option that is read from command lines and project files only; nil for a name
  /// that no option has.
  ///
  /// - Parameter command: the command that runs. If it has no such option, the first command that does is named.
  private static func optionMessage(_ name: String, _ command: CommandSpec?, _ table: CommandTable) -> String? {
    for spec in (command.map { [$0] } ?? []) + table.commands {
      guard let option = spec.options.first(where: { $0.variable == name && ![.help, .version].contains($0) }) else {
        continue
      }
      let value = option.placeholder.map { " \($0)" } ?? ""
      let project = spec.readsSettings ? ", or \"\(option.name)\" of \"\(spec.name)\" in \"commands\" of skan.json" : ""
      return "the variable \(name) is not read: write 'skan \(spec.name) \(option.flag)\(value)'\(project)"
    }
    return nil
  }

  private static func message(_ name: String, _ known: Set<String>, _ table: CommandTable) -> String {
    let option = String(name.dropFirst(prefix.count)).lowercased().replacing("_", with: "-")
    if let now = table.advice.options[option] { return "the variable \(name) is not read: \(now)" }
    // The common prefix is left out of the comparison.
    let near = nearestName(
      to: String(name.dropFirst(prefix.count)), in: known.sorted().map { $0.dropFirst(prefix.count) }.map(String.init))
    let hint = near.map { "did you mean \(prefix)\($0)?" } ?? "unset it: 'skan help environment' lists the variables"
    return "there is no variable \(name.oneLine); \(hint)"
  }
}
