import SKANRun

/// An event list to run, or the reason why an argument yields none.
struct ReplaySource: Sendable {
  /// The path as given or found.
  let name: String
  private var list: ListSource?
  /// The reason why the list cannot be read.
  private(set) var failure: CommandError?

  fileprivate init(name: String, failure: CommandError? = nil) {
    self.name = name
    self.failure = failure
  }

  /// Whether the list can be read twice.
  var isRegular: Bool { list?.isRegular ?? true }

  /// The size of the list in bytes, if known.
  var size: Int? { list?.size }

  /// The source, opened to determine its kind. Waits for the writer of a pipe.
  func opened(by files: FileAccess) -> ReplaySource {
    guard failure == nil else { return self }
    var opened = self
    do throws(SourceFailure) { opened.list = try ListSource(name, open: files.open) } catch {
      opened.failure = CommandError(error, file: name, hint: files.hint(forMissingList: name))
    }
    return opened
  }

  /// Opens the list at its beginning.
  func open(_ files: FileAccess) throws(CommandError) -> ByteSource {
    do throws(SourceFailure) { return try openAgain(files) } catch { throw CommandError(error, file: name) }
  }

  /// Opens the list at its beginning, and throws the bare failure.
  func openAgain(_ files: FileAccess) throws(SourceFailure) -> ByteSource {
    guard let list else { return try files.open(name) }
    return try list.open(by: files.open)
  }
}

extension Invocation {
  /// The lists that the arguments stand for, not yet opened: files, all lists in directories, matches of patterns, and
  /// `-`. An argument that stands for nothing becomes a list that cannot be read, unless `--allow-empty`.
  func replaySources(allowsEmpty: Bool) throws(CommandError) -> [ReplaySource] {
    var sources: [ReplaySource] = []
    for argument in positional {
      do throws(CommandError) {
        sources += try listNames(argument, allowsEmpty: allowsEmpty).map { ReplaySource(name: $0) }
      } catch {
        if error.code == .usage { throw error }
        sources.append(ReplaySource(name: argument, failure: error))
      }
    }
    return sources
  }

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

  /// The sorted lists in a directory and its subdirectories; nil if the path is not a directory.
  private func lists(under path: String) throws(CommandError) -> [String]? {
    if path == "-" { return nil }
    do throws(ListDirectory.Failure) {
      return try ListDirectory(entries: environment.files.entries).lists(under: path)
    } catch {
      throw CommandError(error.reason, file: error.path)
    }
  }
}
