import SKANBase

/// The variables of the environment that some command reads: any other whose name begins with `SKAN_` is a typing mistake.
enum VariableNames {
  static let prefix = "SKAN_"
  /// What comes behind it is up to the user; see `--variable`.
  static let ofLists = "SKAN_VARIABLE_"
  /// What comes behind it is the name of an event; see `--event-alias`.
  static let ofEventAliases = "SKAN_EVENT_ALIAS_"
  static let sdkKey = "SKAN_SDK_KEY"
  static let project = "SKAN_PROJECT"

  /// A variable that stands for no option.
  struct Variable: Sendable {
    let name: String
    /// Whether the user completes the name.
    let isPrefix: Bool
    let help: String
  }

  static let more = [
    Variable(name: sdkKey, isPrefix: false, help: "the SDK key, where --sdk-key-file is not given"),
    Variable(
      name: project, isPrefix: false, help: "the project file, in the place of the nearest skan.json; none for none"),
    Variable(name: ofLists, isPrefix: true, help: "what ${NAME} in the strings of a list stands for; see --variable"),
    Variable(name: ofEventAliases, isPrefix: true, help: "which of our events the model's event is; see --event-alias"),
  ]

  private static let known = Set(
    CommandLineTool.commands.flatMap { $0.options.filter(\.hasVariable).map(\.variable) } + [sdkKey, project])

  /// Refuses a command line in an environment with a variable that no command reads, or whose value is not UTF-8. An empty
  /// one counts as none.
  static func check(_ environment: Environment) throws(CommandError) {
    let names = environment.variables(prefix).filter { !$0.value.isEmpty }.map(\.name)
    // The value is not shown: it may be a key.
    if let name = names.sorted().first(where: { !environment.isUTF8($0) }) {
      throw .usage("the value of \(name.oneLine) is not UTF-8, as every variable must be", command: nil)
    }
    let unknown = names.filter { !known.contains($0) && !$0.hasPrefix(ofLists) && !$0.hasPrefix(ofEventAliases) }
    guard !unknown.isEmpty else { return }
    throw .usage(unknown.sorted { $0.literallyPrecedes($1) }.map(message).joined(separator: "\n      "), command: nil)
  }

  private static func message(_ name: String) -> String {
    // What all have in common makes no two alike.
    let near = nearestName(
      to: String(name.dropFirst(prefix.count)), in: known.sorted().map { $0.dropFirst(prefix.count) }.map(String.init))
    let hint = near.map { "did you mean \(prefix)\($0)?" } ?? "unset it: SKAN_… stands for an option of a command"
    return "there is no variable \(name.oneLine); \(hint)"
  }
}
