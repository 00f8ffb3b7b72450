import SKANJSON
import SKANModel
import SKANText

extension Invocation {
  private static let aliases = PairsFile(
    what: "the event", form: "FROM=TO, such as session_start=__SESSION__", isName: { !$0.isEmpty })

  /// The model's event → ours, by `--event-alias`, `--event-aliases-file` and the environment; of an event that several
  /// name the first counts.
  func eventAliases() throws(CommandError) -> EventAliases {
    let prefix = VariableNames.ofEventAliases
    var names: [String: String] = [:]
    for (name, value) in environment.variables(prefix) where name.count > prefix.count && !value.isEmpty {
      names[String(name.dropFirst(prefix.count))] = value
    }
    if let path = arguments.value(.eventAliasesFile) {
      let bytes = try environment.readRequired(path, hint: "it should hold event aliases, one FROM=TO a line")
      try names.merge(Self.aliases.read(bytes, of: path)) { $1 }
    }
    var given: [String] = []
    for text in arguments.all(.eventAlias) {
      guard let (from, to) = Self.aliases.pair(text), !to.isEmpty else {
        throw usage("--event-alias must be \(Self.aliases.form), it is \(JSONWriter.quoted(text))")
      }
      if given.contains(from) { throw usage("--event-alias is given twice for \(JSONWriter.quoted(from))") }
      given.append(from)
      names[from] = to
    }
    return EventAliases(names: names, given: given)
  }
}

/// Which events of a model are which of ours.
struct EventAliases {
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
