import SKANBase

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

extension AtomicFile {
  /// How many left-overs of dead processes with this process's number do not stop a save.
  static let mostLeftovers = 100

  /// Puts new content in a file's place, or creates the file. A link is followed, the mode stays; a hard link is
  /// separated, and the new file belongs to the user who runs this.
  ///
  /// When this returns, the new content is on the disk. When it throws, the file holds its old content whole (the new one
  /// whole, if the step was ``FileOperation/synchronizeDirectory``), and the temporary file is gone.
  ///
  /// - Parameter mode: of a file that is created.
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

  /// The same with content that comes in pieces, which may take its time. Where the system can do that, the new file has no
  /// name before it is whole, so that nothing is left of it when the process is killed.
  ///
  /// - Parameter content: hands over the pieces; what it throws is thrown, and the file stays as it was.
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

  /// Finds out whether a file could be replaced, as far as that can be known before there is anything to write: the
  /// temporary file is created and removed again.
  ///
  /// - Throws: ``FileError`` with the step that failed.
  package func requireReplaceable(_ path: String) throws(FileError) {
    let target = try files.target(of: path)
    let temporary = try createTemporary(beside: target.path)
    try? files.close(temporary.descriptor)
    try files.attempt(.remove, target.path) { () throws(Errno) in try files.remove(temporary.path) }
  }

  /// Writes, flushes, calls `finish` and closes; the descriptor is closed also when this throws.
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
      // Interrupted, it is closed all the same, and the bytes are on the disk already.
      if error != .interrupted { throw FileError(.close, target.path, error) }
    }
  }

  private func write(_ bytes: [UInt8], to descriptor: Int32, for target: String) throws(FileError) {
    var rest = ArraySlice(bytes)
    while !rest.isEmpty {
      let count = try files.attempt(.write, target) { () throws(Errno) in try files.writeBytes(descriptor, rest) }
      // A disk that takes nothing and reports nothing would hold us here for ever.
      guard count > 0 else { throw FileError(.write, target, .inputOutput) }
      rest = rest.dropFirst(count)
    }
  }

  private func setPermissions(_ mode: UInt16, of descriptor: Int32, for target: String) throws(FileError) {
    do {
      try files.attempt(.setPermissions, target) { () throws(Errno) in try files.setPermissions(descriptor, mode) }
    } catch {
      // The file is ours, so that this means a file system without modes (FAT): it has none that could be lost.
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
      // The save is done; where directories cannot be read (mode 0300) or synchronized, this is as safe as it gets.
      let harmless: [Errno] = [.accessDenied, .invalid, .notSupported]
      guard harmless.contains(error.errno) else { throw error }
    }
  }

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

  /// Removes the temporary files of a file that runs have left which were killed in the middle of a save: those whose name
  /// holds the number of a process that is not there any more. What cannot be found out or removed stays.
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

  /// The process in `NAME.PROCESS.tmp` or `NAME.PROCESS.NUMBER.tmp`.
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
