import SKANBase
import SKANModel

extension Invocation {
  /// The model's event → ours, by `--event-alias`, `--event-aliases-file` and the environment; of an event that several
  /// name the first counts.
  func eventAliases(_ options: AliasOptions) throws(CommandError) -> EventAliases {
    let prefix = VariableNames.ofEventAliases
    var names: [String: String] = [:]
    for (name, value) in environment.variables(prefix) where name.count > prefix.count && !value.isEmpty {
      names[String(name.dropFirst(prefix.count))] = value
    }
    if let path = options.file {
      let bytes = try environment.readRequired(path, hint: "it should hold event aliases, one FROM=TO a line")
      try names.merge(EventAliases.file.read(bytes, of: path)) { $1 }
    }
    for pair in options.pairs { names[pair.from] = pair.to }
    return EventAliases(names: names, given: options.pairs.map(\.from))
  }
}

/// Which events of a model are which of ours.
struct EventAliases {
  /// The model's event and ours.
  struct Pair: Sendable {
    let from: String
    let to: String
  }

  /// How a pair is written, in a file as on the command line.
  static let file = PairsFile(
    what: "the event", form: "FROM=TO, such as session_start=__SESSION__", isName: { !$0.isEmpty })

  /// The model's → ours.
  let names: [String: String]
  /// Those that are meant for this very command.
  let given: [String]

  /// Refuses an alias of an event that no model has: it would do nothing.
  func check(_ models: [ConversionModel], _ invocation: Invocation) throws(CommandError) {
    let known = models.reduce(into: Set<String>()) { $0.formUnion($1.eventNames) }
    for name in given where !known.contains(name) {
      let near = nearestName(to: name, in: known.sorted()).map { "; did you mean \(JSONWriter.quoted($0))?" }
      let all = known.isEmpty ? "; it has none" : "; it has \(known.sorted().prefix(10).joined(separator: ", "))"
      throw invocation.usage("the model has no event \(JSONWriter.quoted(name))\(near ?? all)")
    }
  }
}
