import SKANBase

/// The verdict on the value that a variable or a project file gives an option. The commands that have the option read
/// it in the same way, so the verdict is that of the first.
package struct SettingVerdict {
  /// The error if the value is invalid.
  package private(set) var problem: CommandError?
  /// Whether a command would read the value from standard input. It is not read here, so the outcome is unknown.
  package private(set) var isOpen = false

  /// Checks the value of an environment variable.
  package init(variable name: String, _ text: String, _ environment: Environment, of table: CommandTable) {
    self.init(environment, table, isOfOption: { $0.hasVariable && $0.variable == name }) {
      (spec) throws(CommandError) in
      try ParsedArguments(settingsOf: spec, variable: { $0 == name ? text : nil }, project: nil)
    }
  }

  /// Checks a value of a project file.
  ///
  /// - Parameter project: the file reduced to this value.
  package init(option name: String, _ project: ProjectFile, _ environment: Environment, of table: CommandTable) {
    self.init(environment, table, isOfOption: { $0.name == name }) { (spec) throws(CommandError) in
      try ParsedArguments(settingsOf: spec, variable: { _ in nil }, project: project)
    }
  }

  private init(
    _ environment: Environment, _ table: CommandTable, isOfOption: (OptionRow) -> Bool,
    given: (CommandSpec) throws(CommandError) -> ParsedArguments
  ) {
    for spec in table.commands {
      guard let option = spec.options.first(where: isOfOption) else { continue }
      do throws(CommandError) {
        let arguments = try given(spec)
        guard arguments.has(option) else { continue }
        isOpen = option.readsInput(arguments.texts(of: option))
        if !isOpen { try Invocation(spec, arguments, environment).check(option) }
      } catch {
        problem = error
      }
      return
    }
  }
}

extension ProjectFile {
  /// One value of the file, and the file reduced to that value.
  package struct Single {
    /// The option's name.
    package let option: String
    package let value: ProjectValue
    package let project: ProjectFile
  }

  /// Every value of the file, in the order of the file.
  package var singles: [Single] {
    let common = options.map { name, value in
      Single(option: name, value: value, project: ProjectFile(path: path, options: [name: value]))
    }
    let own = commands.flatMap { command, values in
      values.map { name, value in
        Single(option: name, value: value, project: ProjectFile(path: path, commands: [command: [name: value]]))
      }
    }
    return (common + own).sorted {
      let (left, right) = ($0.value.location, $1.value.location)
      return (left.line, left.column) < (right.line, right.column)
    }
  }
}
