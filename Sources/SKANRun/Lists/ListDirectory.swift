import SKANBase

/// Finds the event lists in a directory and its subdirectories.
package struct ListDirectory {
  /// Why a directory cannot be read.
  package struct Failure: Error, Equatable {
    package var path: String
    package var reason: SourceFailure
  }

  /// The file name ending of lists.
  package static let ending = ".jsonl"

  /// Returns the entries of a directory; nil when the path is not a directory.
  private let entries: (_ path: String) throws(SourceFailure) -> [DirectoryEntry]?

  package init(entries: @escaping (_ path: String) throws(SourceFailure) -> [DirectoryEntry]?) {
    self.entries = entries
  }

  /// The lists in a directory and its subdirectories, in path order; nil when the path is not a directory.
  ///
  /// Skips hidden entries, and those whose names begin with `_`, which are meant to be included.
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

/// An entry of a directory.
package struct DirectoryEntry: Sendable, Equatable {
  /// The name; bytes that are not UTF-8 are escaped.
  package let name: String
  /// Whether this is a directory. A link to a directory is not, as following it might never end.
  package let isDirectory: Bool
  /// Whether ``name`` is the exact name, by which the entry can be opened.
  package let isNamed: Bool

  package init(name: String, isDirectory: Bool) {
    self.name = name
    self.isDirectory = isDirectory
    isNamed = true
  }

  /// - Parameter name: the bytes of the name.
  package init(name: [UInt8], isDirectory: Bool) {
    let text = String(validating: name, as: UTF8.self)
    self.name = text ?? String(escaping: name)
    self.isDirectory = isDirectory
    isNamed = text != nil
  }

  /// Throws if the entry cannot be opened by its name.
  package func requireName() throws(SourceFailure) {
    if !isNamed { throw .notUTF8 }
  }
}

extension SourceFailure {
  /// A file name that is not UTF-8.
  package static let notUTF8 = SourceFailure.unreadable("its name is not UTF-8, as every name must be; rename it")
}
