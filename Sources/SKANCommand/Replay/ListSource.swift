import SKANCommandLine
import SKANRun

/// An event list to run, or the reason why an argument yields none.
struct ListSource: Sendable {
  /// The path as given or found.
  let path: String
  /// The phone of a matrix on which it runs; nil without a matrix.
  private(set) var cell: PhoneMatrix.Cell?
  /// Whether the list can be read twice; true until it is opened.
  private(set) var isRegular = true
  /// The size of the list in bytes, if known.
  private(set) var size: Int?
  /// A pipe, which is opened only once: its writer may be gone afterwards.
  private var pipe: Pipe?
  /// The reason why the list cannot be read.
  private(set) var failure: CommandError?

  private final class Pipe: @unchecked Sendable {
    /// Read only by the thread that runs the list.
    let source: ByteSource
    init(_ source: ByteSource) { self.source = source }
  }

  fileprivate init(path: String, failure: CommandError? = nil) {
    self.path = path
    self.failure = failure
  }

  /// The name in messages and reports.
  var name: String { cell.map { "\(path) [\($0.name)]" } ?? path }

  /// The list on each phone of a matrix.
  func runs(on matrix: PhoneMatrix) -> [ListSource] {
    matrix.cells.map { cell in
      var run = self
      run.cell = cell
      return run
    }
  }

  /// The source, opened to determine its kind. Waits for the writer of a pipe.
  func opened(by files: FileAccess) -> ListSource {
    guard failure == nil else { return self }
    var opened = self
    do throws(SourceFailure) {
      let source = try files.open(path)
      (opened.isRegular, opened.size) = (source.isRegular, source.size)
      if !source.isRegular { opened.pipe = Pipe(source) }
    } catch {
      opened.failure = CommandError(error, file: path, hint: files.hint(forMissingList: path))
    }
    return opened
  }

  /// Opens the list at its beginning.
  func open(_ files: FileAccess) throws(SourceFailure) -> ByteSource {
    if let pipe { pipe.source } else { try files.open(path) }
  }
}

extension Invocation {
  /// The lists that the arguments stand for, not yet opened: files, all lists in directories, matches of patterns, and
  /// `-`. An argument that stands for nothing becomes a list that cannot be read, unless `--allow-empty`.
  func listSources(allowsEmpty: Bool) throws(CommandError) -> [ListSource] {
    var sources: [ListSource] = []
    for argument in positional {
      do throws(CommandError) {
        sources += try listNames(argument, allowsEmpty: allowsEmpty).map { ListSource(path: $0) }
      } catch {
        if error.code == .usage { throw error }
        sources.append(ListSource(path: argument, failure: error))
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
