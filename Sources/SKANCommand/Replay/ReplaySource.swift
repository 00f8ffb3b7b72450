import SKANJSON
import SKANReplay

/// An event list that is to be lived.
struct ReplaySource: Sendable {
  /// As it was given, or found.
  var name: String
  /// Whether it can be read twice.
  var isRegular: Bool
  /// Its bytes, where that is known.
  var size: Int?
  /// A pipe, which is opened once: its writer may be gone before it could be opened again.
  fileprivate var pipe: Pipe?

  fileprivate final class Pipe: @unchecked Sendable {
    /// Read by the one thread that lives the list.
    let source: ByteSource
    init(_ source: ByteSource) { self.source = source }
  }

  /// The list from its beginning.
  func open(_ files: FileAccess) throws(CommandError) -> ByteSource {
    if let pipe { return pipe.source }
    do throws(SourceFailure) { return try files.open(name) } catch { throw CommandError(error, file: name) }
  }
}

extension Invocation {
  /// The lists that the arguments stand for: files, all lists of directories, what patterns match, and `-`.
  ///
  /// - Throws: when an argument stands for nothing, unless `--allow-empty`.
  func replaySources() throws(CommandError) -> [ReplaySource] {
    var names: [String] = []
    var failures: [CommandError] = []
    for argument in arguments.positional {
      if let found = lists(under: argument) ?? lists(matching: argument) {
        if found.isEmpty, !arguments.has(ReplayCommand.allowEmpty) {
          failures.append(.missing(file: argument, hint: "no list (*.jsonl) is there; --allow-empty lets that pass"))
        }
        names += found
      } else {
        names.append(argument)
      }
    }
    var sources: [ReplaySource] = []
    for name in names {
      do throws(SourceFailure) {
        let source = try environment.files.open(name)
        sources.append(
          ReplaySource(
            name: name, isRegular: source.isRegular, size: source.size,
            pipe: source.isRegular ? nil : ReplaySource.Pipe(source)))
      } catch {
        failures.append(CommandError(error, file: name, hint: "name an event list, or - for standard input"))
      }
    }
    guard let first = failures.first else { return sources }
    for failure in failures.dropLast() { failure.message.map { environment.writeError($0 + "\n") } }
    throw failures.last ?? first
  }

  /// The lists of a directory and those below it; nil when the path is no directory. Hidden ones and those whose names
  /// begin with `_`, which are there to be included, are passed over.
  private func lists(under path: String) -> [String]? {
    guard path != "-", let paths = environment.files.walk(path) else { return nil }
    let prefix = path.hasSuffix("/") ? path : "\(path)/"
    return paths.filter { path in
      path.hasSuffix(".jsonl") && !path.split(separator: "/").contains { $0.hasPrefix(".") || $0.hasPrefix("_") }
    }.sorted { $0.literallyPrecedes($1) }.map { prefix + $0 }
  }

  /// What a pattern stands for; nil when it is an ordinary name.
  private func lists(matching pattern: String) -> [String]? {
    guard pattern != "-", pattern.contains(where: { "*?[".contains($0) }) else { return nil }
    let found = environment.files.glob(pattern)
    if found.isEmpty, (try? environment.files.open(pattern)) != nil { return nil }
    return found.flatMap { lists(under: $0) ?? [$0] }
  }
}
