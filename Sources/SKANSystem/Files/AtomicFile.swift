/// Files read and replaced as a whole: a reader sees the old content or the new, never a part.
///
///     let file = AtomicFile()
///     let old = try file.read("device.json") ?? []
///     try file.replace("device.json", with: old + [10])
///
/// Two that read, change and replace the same file need a ``FileLock`` as well: without one, the later loses the earlier's
/// change.
package struct AtomicFile: Sendable {
  private static let largestRead = 1 << 20
  /// The largest file that is read as a whole.
  package static let largestFile = 64 << 20

  let files: FileOperations

  /// Files of the real disk, or of other operations in a test.
  package init(files: FileOperations = .live) {
    self.files = files
  }

  /// The content of a regular file, or nil when there is none: neither the file nor, it may be, its directory, or a link
  /// that leads nowhere.
  ///
  /// - Throws: ``FileError`` for a directory, pipe, device or other file that is not a regular one (none of these is even
  ///   opened), and for one that cannot be opened or read or is larger than ``largestFile``.
  package func read(_ path: String) throws(FileError) -> [UInt8]? {
    let descriptor: Int32
    do {
      // Asked before opening: to open some devices is to use them.
      try requireRegular(path) { () throws(Errno) in try files.pathStatus(path) }
      descriptor = try files.attempt(.open, path) { () throws(Errno) in try files.openForReading(path) }
    } catch {
      guard error.errno == .notFound else { throw error }
      return nil
    }
    // Nothing was written, so that a failing close loses nothing.
    defer { try? files.close(descriptor) }
    // Asked again: another file may have got the name in between.
    let size = try requireRegular(path) { () throws(Errno) in try files.descriptorStatus(descriptor) }
    return try readAll(descriptor, path, expecting: size)
  }

  /// Whether there is a regular file, as ``read(_:)`` would find it.
  ///
  /// - Throws: ``FileError`` for what is not a file.
  package func exists(_ path: String) throws(FileError) -> Bool {
    do {
      try requireRegular(path) { () throws(Errno) in try files.pathStatus(path) }
      return true
    } catch {
      guard error.errno == .notFound else { throw error }
      return false
    }
  }

  @discardableResult
  private func requireRegular(_ path: String, _ ask: () throws(Errno) -> FileStatus) throws(FileError) -> Int {
    let status = try files.attempt(.inspect, path, ask)
    guard status.kind == .regular else { throw FileError(.inspect, path, notRegular: status.kind) }
    return status.size
  }

  private func readAll(_ descriptor: Int32, _ path: String, expecting size: Int) throws(FileError) -> [UInt8] {
    // One byte more than expected, so that a file as long as it said takes one read and one that finds the end.
    let count = min(max(size, 0), Self.largestRead - 1) + 1
    if size > Self.largestFile { throw FileError(.read, path, .tooLarge) }
    var content: [UInt8] = []
    while true {
      let part = try files.attempt(.read, path) { () throws(Errno) in try files.readBytes(descriptor, count) }
      if part.isEmpty { return content }
      content += part
      if content.count > Self.largestFile { throw FileError(.read, path, .tooLarge) }
    }
  }
}
