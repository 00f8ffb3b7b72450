/// The file that a path stands for, links followed: the one to replace, and the one that a lock is for.
package struct FileTarget: Equatable, Sendable {
  /// Absolute and without links, so that two names of one file come out the same.
  package let path: String
  /// The permission bits of the file, nil when it does not exist yet.
  package let permissions: UInt16?
}

extension FileTarget {
  /// The directory and the last name of a path, `.` being the directory of a bare name.
  static func split(_ path: String) -> (directory: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let directory = slash == path.startIndex ? "/" : String(path[..<slash])
    return (directory, String(path[path.index(after: slash)...]))
  }
}
