import SKANRun

/// What an argument stands for: an event list that is to run, or why there is none.
struct ReplaySource: Sendable {
  /// As it was given, or found.
  let name: String
  private var list: ListSource?
  /// Why it cannot be read.
  private(set) var failure: CommandError?

  fileprivate init(name: String, failure: CommandError? = nil) {
    self.name = name
    self.failure = failure
  }

  /// Whether it can be read twice.
  var isRegular: Bool { list?.isRegular ?? true }

  /// Its bytes, where that is known.
  var size: Int? { list?.size }

  /// The same, opened to see what it is; waits for the writer of a pipe.
  func opened(by files: FileAccess) -> ReplaySource {
    guard failure == nil else { return self }
    var opened = self
    do throws(SourceFailure) { opened.list = try ListSource(name, open: files.open) } catch {
      opened.failure = CommandError(error, file: name, hint: files.hint(forMissingList: name))
    }
    return opened
  }

  /// The list from its beginning.
  func open(_ files: FileAccess) throws(CommandError) -> ByteSource {
    do throws(SourceFailure) { return try openAgain(files) } catch { throw CommandError(error, file: name) }
  }

  /// The same, for who does not report why it cannot be read.
  func openAgain(_ files: FileAccess) throws(SourceFailure) -> ByteSource {
    guard let list else { return try files.open(name) }
    return try list.open(by: files.open)
  }
}

extension Invocation {
  /// The lists that the arguments stand for, none of them opened yet: files, all lists of directories, what patterns
  /// match, and `-`. An argument that stands for nothing is a list that cannot be read, unless `--allow-empty`.
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
}
