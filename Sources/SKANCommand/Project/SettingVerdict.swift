/// What the commands that have an option say of the value that a variable or a project file gives for it.
struct SettingVerdict {
  /// The commands that refuse the value, and why.
  private(set) var refusals: [(command: String, error: CommandError)] = []
  private var isTaken = false
  /// Whether a command would read it from standard input, which is not read to find out.
  private(set) var isOpen = false

  /// Of a variable of the environment.
  init(variable name: String, _ text: String, _ environment: Environment) {
    self.init(environment, isOfOption: { $0.hasVariable && $0.variable == name }) { (spec) throws(CommandError) in
      try ParsedArguments(settingsOf: spec, variable: { $0 == name ? text : nil }, project: nil)
    }
  }

  /// Of a value of a project file.
  ///
  /// - Parameter project: the file with this value alone.
  init(option name: String, _ project: ProjectFile, _ environment: Environment) {
    self.init(environment, isOfOption: { $0.name == name }) { (spec) throws(CommandError) in
      try ParsedArguments(settingsOf: spec, variable: { _ in nil }, project: project)
    }
  }

  private init(
    _ environment: Environment, isOfOption: (OptionRow) -> Bool,
    given: (CommandSpec) throws(CommandError) -> ParsedArguments
  ) {
    for spec in CommandLineTool.commands {
      guard let option = spec.options.first(where: isOfOption) else { continue }
      do throws(CommandError) {
        let arguments = try given(spec)
        guard arguments.has(option) else { continue }
        if option.readsInput(arguments.texts(of: option)) {
          isOpen = true
        } else {
          try Invocation(spec, arguments, environment).check(option)
          isTaken = true
        }
      } catch {
        refusals.append((spec.name, error))
      }
    }
  }

  /// What the first command says where none takes the value.
  var problem: CommandError? { isTaken || isOpen ? nil : refusals.first?.error }
}

extension ProjectFile {
  /// A value of the file, and the file as it would be with this value alone.
  struct Single {
    /// The option's name.
    let option: String
    let value: ProjectValue
    let project: ProjectFile
  }

  /// Every value, in the order of the file.
  var singles: [Single] {
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
