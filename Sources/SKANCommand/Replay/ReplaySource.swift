import SKANRun

/// An event list that is to run.
struct ReplaySource: Sendable {
  /// As it was given, or found.
  let name: String
  /// Whether it can be read twice.
  private(set) var isRegular = true
  /// Its bytes, where that is known.
  private(set) var size: Int?
  /// Why it cannot be read.
  private(set) var failure: CommandError?
  /// A pipe, which is opened once: its writer may be gone before it could be opened again.
  private var pipe: Pipe?

  fileprivate init(name: String, failure: CommandError? = nil) {
    self.name = name
    self.failure = failure
  }

  private final class Pipe: @unchecked Sendable {
    /// Read by the one thread that lives the list.
    let source: ByteSource
    init(_ source: ByteSource) { self.source = source }
  }

  /// The same, opened to see what it is; waits for the writer of a pipe.
  func looked(at files: FileAccess) -> ReplaySource {
    guard failure == nil else { return self }
    var looked = self
    do throws(SourceFailure) {
      let source = try files.open(name)
      looked.isRegular = source.isRegular
      looked.size = source.size
      if !source.isRegular { looked.pipe = Pipe(source) }
    } catch {
      looked.failure = CommandError(error, file: name, hint: "name an event list, or - for standard input")
    }
    return looked
  }

  /// The list from its beginning.
  func open(_ files: FileAccess) throws(CommandError) -> ByteSource {
    if let pipe { return pipe.source }
    do throws(SourceFailure) { return try files.open(name) } catch { throw CommandError(error, file: name) }
  }
}

extension Invocation {
  /// The lists that the arguments stand for, none of them opened yet: files, all lists of directories, what patterns
  /// match, and `-`. An argument that stands for nothing is a list that cannot be read, unless `--allow-empty`.
  func replaySources() throws(CommandError) -> [ReplaySource] {
    var sources: [ReplaySource] = []
    for argument in positional {
      do throws(CommandError) {
        sources += try listNames(argument).map { ReplaySource(name: $0) }
      } catch {
        if error.code == .usage { throw error }
        sources.append(ReplaySource(name: argument, failure: error))
      }
    }
    return sources
  }
}
