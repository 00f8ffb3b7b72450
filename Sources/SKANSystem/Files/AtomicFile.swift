import SKANBase

/// Reads and replaces whole files: a reader sees either the old content or the new, never a mixture.
///
///     let file = AtomicFile()
///     let old = try file.read("device.json") ?? []
///     try file.replace("device.json", with: old + [10])
///
/// Processes that read, change and replace the same file need a ``FileLock`` as well, or one loses the change of the
/// other.
package struct AtomicFile: Sendable {
  private static let largestRead = 1 << 20
  /// The largest file that is read, in bytes.
  package static let largestFile = 64 << 20

  let files: FileOperations

  /// - Parameter files: the operations of the disk, or those of a test.
  package init(files: FileOperations = .live) {
    self.files = files
  }

  /// The content of a regular file; nil if the file or its directory does not exist, or a link leads nowhere.
  ///
  /// - Throws: ``FileError`` for anything that is not a regular file (it is not even opened), and for a file that
  ///   cannot be opened or read or is larger than ``largestFile``.
  package func read(_ path: String) throws(FileError) -> [UInt8]? {
    let descriptor: Int32
    do {
      // Checked before opening, because opening some devices has an effect.
      try requireRegular(path) { () throws(Errno) in try files.pathStatus(path) }
      descriptor = try files.attempt(.open, path) { () throws(Errno) in try files.openForReading(path) }
    } catch {
      guard error.errno == .notFound else { throw error }
      return nil
    }
    // Nothing was written, so that a failing close loses nothing.
    defer { try? files.close(descriptor) }
    // Checked again, because the name may now belong to another file.
    let size = try requireRegular(path) { () throws(Errno) in try files.descriptorStatus(descriptor) }
    return try readAll(descriptor, path, expecting: size)
  }

  /// Whether a regular file exists at the path.
  ///
  /// - Throws: ``FileError`` for anything that is not a regular file.
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
    // One byte more than expected, so that an unchanged file takes one read, and another to find its end.
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

extension AtomicFile {
  /// The largest number of leftover files with this process's number that do not prevent a save.
  static let mostLeftovers = 100

  /// Replaces the content of a file, which is created if it does not exist. A link is followed and the mode is kept.
  /// Another hard link keeps the old content, and the new file belongs to the user of this process.
  ///
  /// On return the new content is on the disk. On an error the file has its old content (or the new content, if the
  /// step was ``FileOperation/synchronizeDirectory``), and the temporary file has been removed.
  ///
  /// - Parameter mode: the mode of a new file.
  /// - Throws: ``FileError`` with the step that failed.
  package func replace(_ path: String, with bytes: [UInt8], mode: UInt16 = 0o600) throws(FileError) {
    let target = try files.target(of: path)
    let temporary = try createTemporary(beside: target.path)
    do {
      try fill(temporary.descriptor, for: target, mode: target.permissions ?? mode) { (write) throws(FileError) in
        try write(bytes)
      }
    } catch {
      try? files.attempt(.remove, target.path) { () throws(Errno) in try files.remove(temporary.path) }
      throw error
    }
    try move(temporary.path, to: target)
  }

  /// Replaces the content of a file with pieces that may take a long time to produce. If the system supports it, the
  /// new file has no name until it is complete, so that nothing is left of it if the process is killed.
  ///
  /// - Parameter content: writes the pieces; an error that it throws is passed on, and the file stays unchanged.
  package func replace(
    _ path: String, mode: UInt16 = 0o600, content: (_ write: PieceWriter) throws(FileError) -> Void
  ) throws(FileError) {
    let target = try files.target(of: path)
    var temporary: (path: String?, descriptor: Int32)
    if let descriptor = unnamed(beside: target.path) {
      temporary = (nil, descriptor)
    } else {
      temporary = try createTemporary(beside: target.path)
    }
    do {
      try fill(temporary.descriptor, for: target, mode: target.permissions ?? mode, content) { () throws(FileError) in
        if temporary.path == nil { temporary.path = try name(temporary.descriptor, beside: target.path) }
      }
    } catch {
      if let path = temporary.path {
        try? files.attempt(.remove, target.path) { () throws(Errno) in try files.remove(path) }
      }
      throw error
    }
    if let path = temporary.path { try move(path, to: target) }
  }

  /// Adds a piece of content.
  package typealias PieceWriter = ([UInt8]) throws(FileError) -> Void

  private func move(_ temporary: String, to target: FileTarget) throws(FileError) {
    do {
      try files.attempt(.rename, target.path) { () throws(Errno) in try files.rename(temporary, target.path) }
    } catch {
      try? files.attempt(.remove, target.path) { () throws(Errno) in try files.remove(temporary) }
      throw error
    }
    try synchronizeDirectory(of: target.path)
  }

  /// Checks whether a file can be replaced, as far as possible before there is content: creates the temporary file and
  /// removes it again.
  ///
  /// - Throws: ``FileError`` with the step that failed.
  package func requireReplaceable(_ path: String) throws(FileError) {
    let target = try files.target(of: path)
    let temporary = try createTemporary(beside: target.path)
    try? files.close(temporary.descriptor)
    try files.attempt(.remove, target.path) { () throws(Errno) in try files.remove(temporary.path) }
  }

  /// Writes, flushes, calls `finish` and closes. The descriptor is closed even on an error.
  private func fill(
    _ descriptor: Int32, for target: FileTarget, mode: UInt16,
    _ content: (_ write: PieceWriter) throws(FileError) -> Void,
    finish: () throws(FileError) -> Void = {}
  ) throws(FileError) {
    do {
      try content { (bytes) throws(FileError) in try write(bytes, to: descriptor, for: target.path) }
      try setPermissions(mode, of: descriptor, for: target.path)
      try files.attempt(.synchronize, target.path) { () throws(Errno) in try files.synchronize(descriptor) }
      try finish()
    } catch {
      try? files.close(descriptor)
      throw error
    }
    do {
      try files.close(descriptor)
    } catch {
      // After an interruption the descriptor is closed, and the bytes are already on the disk.
      if error != .interrupted { throw FileError(.close, target.path, error) }
    }
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32, for target: String) throws(FileError) {
    var rest = ArraySlice(bytes)
    while !rest.isEmpty {
      let count = try files.attempt(.write, target) { () throws(Errno) in try files.writeBytes(descriptor, rest) }
      // Without this, a disk that writes nothing and reports no error would block forever.
      guard count > 0 else { throw FileError(.write, target, .inputOutput) }
      rest = rest.dropFirst(count)
    }
  }

  private func setPermissions(_ mode: UInt16, of descriptor: Int32, for target: String) throws(FileError) {
    do {
      try files.attempt(.setPermissions, target) { () throws(Errno) in try files.setPermissions(descriptor, mode) }
    } catch {
      // The process owns the file, so this error means a file system without modes (FAT), where no mode can be lost.
      guard error.errno == .notPermitted || error.errno == .notSupported else { throw error }
    }
  }

  /// Waits until the name of a file is on the disk.
  func synchronizeDirectory(of target: String) throws(FileError) {
    let path = FileTarget.split(target).directory
    do {
      let directory = try files.attempt(.synchronizeDirectory, path) { () throws(Errno) in
        try files.openDirectory(path)
      }
      defer { try? files.close(directory) }
      try files.attempt(.synchronizeDirectory, path) { () throws(Errno) in try files.synchronizeDirectory(directory) }
    } catch {
      // The save is complete. If the directory cannot be read (mode 0300) or synchronized, nothing more can be done.
      let harmless: [Errno] = [.accessDenied, .invalid, .notSupported]
      guard harmless.contains(error.errno) else { throw error }
    }
  }

  /// Created in the same directory, because a rename cannot cross file systems. An existing name is skipped and not
  /// removed: it may belong to another thread, or to a process with the same number in another container.
  func createTemporary(beside target: String) throws(FileError) -> (path: String, descriptor: Int32) {
    try named(beside: target) { (path) throws(Errno) in try files.createTemporary(path) }
  }

  /// Creates a file without a name in the same directory; nil if the system or the file system does not support that,
  /// or could not name it later.
  func unnamed(beside target: String) -> Int32? {
    let directory = FileTarget.split(target).directory
    guard let descriptor = try? files.createUnnamed(directory) else { return nil }
    if (try? files.linkStatus(POSIX.path(of: descriptor))) != nil { return descriptor }
    try? files.close(descriptor)
    return nil
  }

  /// Gives a nameless file the name of a temporary file.
  func name(_ descriptor: Int32, beside target: String) throws(FileError) -> String {
    try named(beside: target) { (path) throws(Errno) in try files.link(descriptor, path) }.path
  }

  private func named<Made>(
    beside target: String, _ make: (_ path: String) throws(Errno) -> Made
  ) throws(FileError) -> (path: String, descriptor: Made) {
    let process = files.processID()
    var path = "\(target).\(process).tmp"
    for number in 1...Self.mostLeftovers + 1 {
      do {
        return (path, try files.attempt(.create, target) { () throws(Errno) in try make(path) })
      } catch {
        guard error.errno == .exists else { throw error }
        path = "\(target).\(process).\(number).tmp"
      }
    }
    throw FileError(.create, target, .exists)
  }

  /// Removes the temporary files left by runs that were killed during a save: those whose name contains the number of a
  /// process that no longer exists. Errors are ignored.
  package func removeLeftovers(of path: String) {
    guard let target = try? files.target(of: path) else { return }
    let (directory, name) = FileTarget.split(target.path)
    for other in (try? files.names(directory)) ?? [] {
      guard let process = Self.process(ofTemporary: other, for: name), process != files.processID(),
        !files.isRunning(process)
      else { continue }
      let leftover = directory == "/" ? "/\(other)" : "\(directory)/\(other)"
      guard let status = try? files.linkStatus(leftover), status.kind == .regular else { continue }
      try? files.remove(leftover)
    }
  }

  /// The process number in `NAME.PROCESS.tmp` or `NAME.PROCESS.NUMBER.tmp`.
  private static func process(ofTemporary other: String, for name: String) -> Int32? {
    guard other.hasPrefix("\(name)."), other.hasSuffix(".tmp"), other.utf8.count > name.utf8.count + 5 else {
      return nil
    }
    let fields = other.utf8.dropFirst(name.utf8.count + 1).dropLast(4)
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard fields.count <= 2, fields.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }),
      let process = fields.first.flatMap({ Int32(String(decoding: $0, as: UTF8.self)) }), process > 0
    else { return nil }
    return process
  }
}
