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
    var sources: [ReplaySource] = []
    var failures: [CommandError] = []
    for argument in arguments.positional {
      do throws(CommandError) {
        for name in try listNames(argument) {
          do throws(CommandError) { sources.append(try source(name)) } catch { failures.append(error) }
        }
      } catch {
        failures.append(error)
      }
    }
    guard let last = failures.last else { return sources }
    for failure in failures.dropLast() { failure.message.map { environment.writeError($0 + "\n") } }
    throw last
  }

  private func source(_ name: String) throws(CommandError) -> ReplaySource {
    do throws(SourceFailure) {
      let source = try environment.files.open(name)
      return ReplaySource(
        name: name, isRegular: source.isRegular, size: source.size,
        pipe: source.isRegular ? nil : ReplaySource.Pipe(source))
    } catch {
      throw CommandError(error, file: name, hint: "name an event list, or - for standard input")
    }
  }
}
