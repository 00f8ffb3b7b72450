import SKANRun

extension Invocation {
  /// The names of the lists that an argument stands for.
  func listNames(_ argument: String, allowsEmpty: Bool) throws(CommandError) -> [String] {
    if argument.isEmpty { throw usage("an argument is empty: name an event list") }
    if let found = try lists(under: argument) {
      return try checked(found, "no list (*.jsonl) is under \(argument)", allowsEmpty)
    }
    guard argument != "-", argument.contains(where: { "*?[".contains($0) }) else { return [argument] }
    let found = try environment.files.glob(argument)
    if argument.contains("**"), found != [argument] {
      throw usage("\"**\" stands for no directories; name one: it stands for all lists below it")
    }
    var lists: [String] = []
    for path in found { lists += try self.lists(under: path) ?? [path] }
    return try checked(lists, "nothing matches \(argument)", allowsEmpty)
  }

  private func checked(
    _ lists: [String], _ message: String, _ allowsEmpty: Bool
  ) throws(CommandError) -> [String] {
    if lists.isEmpty, !allowsEmpty { throw .nothingMatched(message) }
    return lists
  }

  /// The lists of a directory and those below it, in order; nil when the path is not a directory.
  private func lists(under path: String) throws(CommandError) -> [String]? {
    if path == "-" { return nil }
    do throws(ListDirectory.Failure) {
      return try ListDirectory(entries: environment.files.entries).lists(under: path)
    } catch {
      throw CommandError(error.reason, file: error.path)
    }
  }
}
