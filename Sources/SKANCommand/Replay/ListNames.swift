import SKANRun

extension Invocation {
  /// The names of the lists that an argument stands for.
  func listNames(_ argument: String) throws(CommandError) -> [String] {
    if argument.isEmpty { throw usage("an argument is empty: name an event list") }
    if let found = try lists(under: argument) {
      return try checked(found, "no list (*.jsonl) is under \(argument)")
    }
    guard argument != "-", argument.contains(where: { "*?[".contains($0) }) else { return [argument] }
    let found = environment.files.glob(argument)
    if argument.contains("**"), found != [argument] {
      throw usage("\"**\" stands for no directories; name one: it stands for all lists below it")
    }
    var lists: [String] = []
    for path in found { lists += try self.lists(under: path) ?? [path] }
    return try checked(lists, "nothing matches \(argument)")
  }

  private func checked(_ lists: [String], _ message: String) throws(CommandError) -> [String] {
    if lists.isEmpty, !self[ReplayCommand.allowEmpty] { throw .nothingMatched(message) }
    return lists
  }

  /// The lists of a directory and those below it, in order; nil when the path is not a directory.
  private func lists(under path: String) throws(CommandError) -> [String]? {
    path == "-" ? nil : try unorderedLists(under: path)?.sorted { $0.literallyPrecedes($1) }
  }

  /// Hidden ones and those whose names begin with `_`, which are there to be included, are passed over.
  private func unorderedLists(under path: String) throws(CommandError) -> [String]? {
    let entries: [DirectoryEntry]?
    do throws(SourceFailure) { entries = try environment.files.entries(path) } catch {
      throw CommandError(error, file: path)
    }
    guard let entries else { return nil }
    let prefix = path.hasSuffix("/") ? path : "\(path)/"
    var lists: [String] = []
    for entry in entries where !entry.name.hasPrefix(".") && !entry.name.hasPrefix("_") {
      if entry.isDirectory {
        lists += try unorderedLists(under: prefix + entry.name) ?? []
      } else if entry.name.hasSuffix(".jsonl") {
        lists.append(prefix + entry.name)
      }
    }
    return lists
  }
}
