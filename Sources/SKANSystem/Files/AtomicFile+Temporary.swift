extension AtomicFile {
  /// In the same directory, since a rename cannot cross file systems. A taken name is passed over and not removed: it may
  /// be the work of another thread, or of a process with the same number in another container.
  func createTemporary(beside target: String) throws(FileError) -> (path: String, descriptor: Int32) {
    try named(beside: target) { (path) throws(Errno) in try files.createTemporary(path) }
  }

  /// A new file without a name in the same directory; nil where the system or the file system has none, or could not name
  /// it later.
  func unnamed(beside target: String) -> Int32? {
    let directory = FileTarget.split(target).directory
    guard let descriptor = try? files.createUnnamed(directory) else { return nil }
    if (try? files.linkStatus(POSIX.path(of: descriptor))) != nil { return descriptor }
    try? files.close(descriptor)
    return nil
  }

  /// Gives a file that has none the name of a temporary one.
  func name(_ descriptor: Int32, beside target: String) throws(FileError) -> String {
    try named(beside: target) { (path) throws(Errno) in try files.link(descriptor, path) }.path
  }

  private func named<Made>(
    beside target: String, _ make: (_ path: String) throws(Errno) -> Made
  ) throws(FileError) -> (path: String, descriptor: Made) {
    let process = files.processID()
    var path = "\(target).\(process).tmp"
    for number in 1...Self.mostLeftovers {
      do {
        return (path, try files.attempt(.create, target) { () throws(Errno) in try make(path) })
      } catch {
        guard error.errno == .exists else { throw error }
        path = "\(target).\(process).\(number).tmp"
      }
    }
    throw FileError(.create, target, .exists)
  }
}
