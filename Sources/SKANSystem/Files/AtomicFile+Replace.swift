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
}
