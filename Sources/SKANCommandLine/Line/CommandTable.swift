import SKANBase

/// The commands of the program, as the parser, the help, completion, the manual page and the project file need them.
///
/// The specification of a command is built on demand, so that a run only pays for its own.
package struct CommandTable: Sendable {
  /// Commands with a common heading.
  package struct Group: Sendable {
    package let title: String
    package let names: [String]

    package init(title: String, names: [String]) { (self.title, self.names) = (title, names) }
  }

  /// Names that are not in the table, each with what to write instead.
  package struct Advice: Sendable {
    /// The former names of options.
    let options: [String: String]
    /// The former names of commands.
    let commands: [String: String]
    /// The names that other programs give to commands.
    package let hints: [String: String]

    package init(options: [String: String], commands: [String: String], hints: [String: String]) {
      (self.options, self.commands, self.hints) = (options, commands, hints)
    }
  }

  /// The groups, in the order in which the help, the manual page and the manual show them.
  let groups: [Group]
  /// Command lines to start with.
  package let examples: [String]
  /// The repeatable option that the member "hosts" of a project file stands for.
  let hosts: (command: String, option: String)
  private let makeAdvice: @Sendable () -> Advice
  private let makeSpec: @Sendable (String) -> CommandSpec?
  private let makeAll: @Sendable () -> [CommandSpec]

  package init(
    groups: [Group], examples: [String], hosts: (command: String, option: String),
    advice: @escaping @Sendable () -> Advice, spec: @escaping @Sendable (String) -> CommandSpec?,
    all: @escaping @Sendable () -> [CommandSpec]
  ) {
    (self.groups, self.examples, self.hosts) = (groups, examples, hosts)
    (makeAdvice, makeSpec, makeAll) = (advice, spec, all)
  }

  /// Every name, in the order of the help.
  package var names: [String] { groups.flatMap(\.names) }

  /// Every command, in the order of the help.
  var commands: [CommandSpec] { makeAll() }

  package var advice: Advice { makeAdvice() }

  /// The command of a name.
  package subscript(name: String) -> CommandSpec? { makeSpec(name) }

  /// The commands of two words whose first word is this one.
  package func commands(beginning word: String) -> [CommandSpec] { names(beginning: word).compactMap { self[$0] } }

  private func names(beginning word: String) -> [String] { names.filter { $0.hasPrefix("\(word) ") } }

  /// The options that have a variable, by name, each as the first command with its variable describes it.
  package var variableOptions: [OptionRow] {
    commands.flatMap(\.options).filter(\.hasVariable)
      .reduce(into: []) { rows, row in if !rows.contains(row) { rows.append(row) } }.sorted { $0.name < $1.name }
  }

  /// Finds the command, of one or two words, that a command line begins with, and the arguments that follow it.
  package func command(
    _ arguments: ArraySlice<String>
  ) throws(CommandError) -> (spec: CommandSpec, rest: ArraySlice<String>) {
    for count in [2, 1] where arguments.count >= count {
      let first = arguments.startIndex
      let name = count == 1 ? arguments[first] : "\(arguments[first]) \(arguments[first + 1])"
      if let spec = self[name] { return (spec, arguments.dropFirst(count)) }
    }
    let name = arguments.first ?? ""
    if name.hasPrefix("-") {
      if let near = nearestName(to: name, in: ["--help", "--version"]) {
        throw .usage("there is no option \(name.oneLine); did you mean \(near)?", command: nil)
      }
      throw .usage("the command comes first, as in 'skan session \(name.oneLine)'", command: nil)
    }
    let both = arguments.prefix(2).joined(separator: " ")
    let advice = advice
    if let now = advice.commands[both] { throw .usage("there is no command '\(both)'; \(now)", command: nil) }
    let parts = names(beginning: name)
    if !parts.isEmpty {
      let near = nearestName(to: both, in: parts).map { "; did you mean '\($0)'?" } ?? ""
      let list = parts.map { "'skan \($0)'" }.joined(separator: ", ")
      throw .usage("'skan \(name)' goes on: \(list)\(near)", command: nil)
    }
    if let hint = advice.hints[name] {
      throw .usage("there is no command \(JSONWriter.quoted(name)); \(hint)", command: nil)
    }
    // A mistyped command of two words is compared by its first word and by both.
    let near =
      (meantName(by: name, in: names.filter { !$0.contains(" ") }) ?? nearestName(to: name, in: names)
      ?? nearestName(to: both, in: names.filter { $0.contains(" ") }))
      .map { "; did you mean '\($0)'?" }
    let other = nearestName(to: name, in: advice.hints.keys.sorted()).flatMap { advice.hints[$0] }
    throw .usage(
      "there is no command \(JSONWriter.quoted(name))\(near ?? other.map { "; \($0)" } ?? "")", command: nil)
  }
}
