import SKANJSON
import SKANText

/// The arguments of one command line, checked against its specification.
struct ParsedArguments: Sendable, Equatable {
  var positional: [String] = []
  /// A command of the user's behind `--`, with its arguments; empty without one.
  private(set) var command: [String] = []
  /// Option name → values as given; a flag has an empty text.
  private var values: [String: [String]] = [:]
  /// Options that came from the environment.
  private var fromEnvironment: Set<String> = []

  /// Parses what follows the name of the subcommand.
  ///
  /// Long names only in full, `--name value` or `--name=value`; `--` ends the options; a negative number is an
  /// argument. An option that is not given is taken from its environment variable.
  init(_ arguments: [String], for spec: CommandSpec, variable: (String) -> String?) throws(CommandError) {
    // Help is given whatever else is wrong.
    if arguments.prefix(while: { $0 != "--" }).contains(where: { $0 == OptionRow.help.flag || $0 == "-h" }) {
      values[OptionRow.help.name] = [""]
      return
    }
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        try end(rest, spec)
        break
      }
      if argument.hasPrefix("--") {
        try long(argument, &rest, spec)
      } else if argument.hasPrefix("-"), argument != "-", !argument.looksNegative {
        try short(argument, &rest, spec)
      } else {
        positional.append(argument)
      }
    }
    if has(.version) { return }
    try readEnvironment(spec, variable)
    try checkPositional(spec)
  }

  /// What stands behind `--`.
  private mutating func end(_ rest: ArraySlice<String>, _ spec: CommandSpec) throws(CommandError) {
    guard spec.takesCommand else {
      positional += rest
      return
    }
    command = Array(rest)
    if command.first?.isEmpty ?? true {
      throw .usage("-- needs a command to run, as in 'skan \(spec.name) -- npm test'", command: spec.name)
    }
  }

  private mutating func long(
    _ argument: String, _ rest: inout ArraySlice<String>, _ spec: CommandSpec
  ) throws(CommandError) {
    let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = spec.options.first(where: { $0.name == name }) else {
      let near = nearestName(to: name, in: spec.options.map(\.name)).map { "; did you mean --\($0)?" } ?? ""
      throw .usage("'skan \(spec.name)' has no option --\(name.oneLine)\(near)", command: spec.name)
    }
    try set(option, inline: parts.count > 1 ? String(parts[1]) : nil, &rest, spec)
  }

  private mutating func short(
    _ argument: String, _ rest: inout ArraySlice<String>, _ spec: CommandSpec
  ) throws(CommandError) {
    for letter in argument.dropFirst() {
      guard let option = spec.options.first(where: { $0.short == letter }) else {
        throw .usage("'skan \(spec.name)' has no option -\(letter)", command: spec.name)
      }
      try set(option, inline: nil, &rest, spec)
    }
  }

  private mutating func set(
    _ option: OptionRow, inline: String?, _ rest: inout ArraySlice<String>, _ spec: CommandSpec
  ) throws(CommandError) {
    var given = ""
    if let placeholder = option.placeholder {
      guard let value = inline ?? rest.popFirst() else {
        throw .usage("\(option.flag) needs a value: \(option.flag) \(placeholder)", command: spec.name)
      }
      given = value
    } else if inline != nil {
      throw .usage("\(option.flag) takes no value", command: spec.name)
    }
    if values[option.name] != nil, option.placeholder != nil, !option.isRepeatable {
      throw .usage("\(option.flag) is given twice", command: spec.name)
    }
    values[option.name, default: []].append(given)
  }

  private mutating func readEnvironment(_ spec: CommandSpec, _ variable: (String) -> String?) throws(CommandError) {
    for option in spec.options where option.hasVariable && values[option.name] == nil {
      guard let text = variable(option.variable), !text.isEmpty else { continue }
      if option.placeholder == nil {
        switch text.lowercased() {
        case "1", "true", "yes", "on": values[option.name] = [""]
        case "0", "false", "no", "off": continue
        default:
          throw .usage("\(option.variable) must be 1 or 0, it is \(JSONWriter.quoted(text))", command: spec.name)
        }
      } else {
        values[option.name] = [text]
      }
      fromEnvironment.insert(option.name)
    }
  }

  private func checkPositional(_ spec: CommandSpec) throws(CommandError) {
    if positional.count < spec.arguments.count - (spec.isLastOptional ? 1 : 0) {
      throw .usage("'skan \(spec.name)' needs \(spec.arguments[positional.count])", command: spec.name)
    }
    if positional.count > spec.arguments.count, !spec.isLastRepeatable {
      let extra = positional[spec.arguments.count]
      let hint = spec.takesCommand ? "; a command to run comes behind --, as in 'skan \(spec.name) -- npm test'" : ""
      throw .usage("one argument too many: \(JSONWriter.quoted(extra))\(hint)", command: spec.name)
    }
  }

  func has(_ option: OptionRow) -> Bool { values[option.name] != nil }

  /// Whether it stands on the command line itself.
  func isGiven(_ option: OptionRow) -> Bool { has(option) && !fromEnvironment.contains(option.name) }

  /// The texts of its values, in the order given.
  func texts(of option: OptionRow) -> [String] { values[option.name] ?? [] }

  /// How a message names where a value came from: the option, or its variable.
  func name(of option: OptionRow) -> String {
    fromEnvironment.contains(option.name) ? option.variable : option.flag
  }
}

extension String {
  /// A minus and then a number, as a refund has it.
  fileprivate var looksNegative: Bool {
    // The first takes "-inf" and "-nan" too, which are then refused as amounts.
    Double(self) != nil || dropFirst().first.map { $0.isNumber || $0 == "." } ?? false
  }
}
