import SKANBase

/// The event lists of a directory and of those below it.
package struct ListDirectory {
  /// Why a directory cannot be read.
  package struct Failure: Error, Equatable {
    package var path: String
    package var reason: SourceFailure
  }

  /// How the names of lists end.
  package static let ending = ".jsonl"

  /// What is in a directory; nil when the path leads to none.
  private let entries: (_ path: String) throws(SourceFailure) -> [DirectoryEntry]?

  package init(entries: @escaping (_ path: String) throws(SourceFailure) -> [DirectoryEntry]?) {
    self.entries = entries
  }

  /// The lists of a directory and those below it, in the order of their paths; nil when the path is not a directory.
  ///
  /// Hidden ones and those whose names begin with `_`, which are there to be included, are passed over.
  package func lists(under path: String) throws(Failure) -> [String]? {
    try unorderedLists(under: path)?.sorted { $0.literallyPrecedes($1) }
  }

  private func unorderedLists(under path: String) throws(Failure) -> [String]? {
    let found: [DirectoryEntry]?
    do throws(SourceFailure) { found = try entries(path) } catch { throw Failure(path: path, reason: error) }
    guard let found else { return nil }
    let prefix = path.hasSuffix("/") ? path : "\(path)/"
    var lists: [String] = []
    for entry in found where !entry.name.hasPrefix(".") && !entry.name.hasPrefix("_") {
      guard entry.isDirectory || entry.name.hasSuffix(Self.ending) else { continue }
      do throws(SourceFailure) { try entry.requireName() } catch {
        throw Failure(path: prefix + entry.name, reason: error)
      }
      if entry.isDirectory {
        lists += try unorderedLists(under: prefix + entry.name) ?? []
      } else {
        lists.append(prefix + entry.name)
      }
    }
    return lists
  }
}

/// A file or a directory in a directory.
package struct DirectoryEntry: Sendable, Equatable {
  /// What is not UTF-8 in it is escaped.
  package let name: String
  /// A link to a directory does not count: a walk that follows it might never end.
  package let isDirectory: Bool
  /// Whether ``name`` is the name itself, by which the entry is found again.
  package let isNamed: Bool

  package init(name: String, isDirectory: Bool) {
    self.name = name
    self.isDirectory = isDirectory
    isNamed = true
  }

  /// - Parameter name: its bytes.
  package init(name: [UInt8], isDirectory: Bool) {
    let text = String(validating: name, as: UTF8.self)
    self.name = text ?? String(escaping: name)
    self.isDirectory = isDirectory
    isNamed = text != nil
  }

  /// Throws where the entry cannot be named, and so not be opened.
  package func requireName() throws(SourceFailure) {
    if !isNamed { throw .notUTF8 }
  }
}

extension SourceFailure {
  /// Of a file whose name is not UTF-8.
  package static let notUTF8 = SourceFailure.unreadable("its name is not UTF-8, as every name must be; rename it")
}

/// An event list that was opened once to see what it is.
package struct ListSource: Sendable {
  /// As it was given, or found.
  package let name: String
  /// Whether it can be read twice.
  package let isRegular: Bool
  /// Its bytes, where that is known.
  package let size: Int?
  /// A pipe, which is opened once: its writer may be gone before it could be opened again.
  private let pipe: Pipe?

  private final class Pipe: @unchecked Sendable {
    /// Read by the one thread that runs the list.
    let source: ByteSource
    init(_ source: ByteSource) { self.source = source }
  }

  /// - Parameter open: opens the list, and waits for the writer of a pipe.
  package init(_ name: String, open: (String) throws(SourceFailure) -> ByteSource) throws(SourceFailure) {
    let source = try open(name)
    self.name = name
    isRegular = source.isRegular
    size = source.size
    pipe = source.isRegular ? nil : Pipe(source)
  }

  /// The list from its beginning.
  package func open(
    by open: (String) throws(SourceFailure) -> ByteSource
  ) throws(SourceFailure) -> ByteSource {
    if let pipe { pipe.source } else { try open(name) }
  }
}
