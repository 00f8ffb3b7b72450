/// Which files an option or an argument takes.
enum CompletedFiles {
  private static let lists = "jsonl"
  private static let json = "json"

  /// The ending of an option's files; empty where any file may be meant.
  static func ending(of option: OptionRow) -> String {
    switch option.name {
    case OptionRow.state.name, OptionRow.model.name, OptionRow.rates.name, "compare", "mapping", "expected": json
    case ReplayCommand.record.name, "into", "seen": lists
    default: ""
    }
  }

  /// The files of an argument; nil for one that is not a file.
  static func argument(_ name: String, of spec: CommandSpec) -> CompletionAnswer.Files? {
    switch name {
    case "FILE", "LIST", "A", "B": .files(ending: ending(of: spec))
    case "DIR": .directories
    default: nil
    }
  }

  private static func ending(of spec: CommandSpec) -> String {
    if spec.name.hasPrefix("model ") && spec.name != ModelConvertCommand.spec.name { return json }
    return spec.name == ReplayCommand.spec.name || spec.name == TimelineCommand.spec.name ? lists : ""
  }
}
