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
