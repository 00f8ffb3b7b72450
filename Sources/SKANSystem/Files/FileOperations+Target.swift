extension FileOperations {
  /// As many links as Linux follows in one path (path_resolution(7)).
  private static let mostLinks = 40

  /// Finds the file that a path stands for. A link that leads to nothing yet stands for the file that it names.
  ///
  /// - Throws: ``FileError``: `ENOENT` when the directory does not exist (a name that ends in a slash is one), `ELOOP` for
  ///   links in a circle, `EISDIR` for a directory, `EINVAL` with its ``FileError/kind`` for any other file that is not a
  ///   regular one, `EILSEQ` for a place whose real path is not UTF-8, or what else the system says.
  package func target(of path: String) throws(FileError) -> FileTarget {
    let target = try resolve(path)
    let status: FileStatus
    do {
      status = try attempt(.inspect, target) { () throws(Errno) in try linkStatus(target) }
    } catch {
      guard error.errno == .notFound else { throw error }
      return FileTarget(path: target, permissions: nil)
    }
    guard status.kind == .regular else { throw FileError(.inspect, target, notRegular: status.kind) }
    return FileTarget(path: target, permissions: status.permissions)
  }

  private func resolve(_ path: String) throws(FileError) -> String {
    guard !path.isEmpty else { throw FileError(.resolve, path, .notFound) }
    var current = path
    for _ in 0..<Self.mostLinks {
      if let found = try unlessMissing({ () throws(FileError) in
        try attempt(.resolve, current) { () throws(Errno) in try canonicalPath(current) }
      }) {
        return found
      }
      // realpath knows only what exists: the last name may be new, or a link to something new.
      let (parent, name) = FileTarget.split(current)
      let directory = try attempt(.findDirectory, parent) { () throws(Errno) in try canonicalPath(parent) }
      let prefix = directory == "/" ? "/" : directory + "/"
      let candidate = prefix + name
      let status = try unlessMissing { () throws(FileError) in
        try attempt(.resolve, candidate) { () throws(Errno) in try linkStatus(candidate) }
      }
      guard status?.kind == .link else { return candidate }
      let destination = try attempt(.resolve, candidate) { () throws(Errno) in try linkDestination(candidate) }
      current = destination.hasPrefix("/") ? destination : prefix + destination
    }
    throw FileError(.resolve, path, .linkLoop)
  }

  private func unlessMissing<Value>(_ body: () throws(FileError) -> Value) throws(FileError) -> Value? {
    do {
      return try body()
    } catch {
      guard error.errno == .notFound else { throw error }
      return nil
    }
  }
}
