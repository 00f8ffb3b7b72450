import Foundation

@testable import SKANSystem

/// One system call of a save that fails.
enum Fault: CaseIterable {
  case canonicalPath, linkStatus, createTemporary, writeBytes, secondWrite, setPermissions, synchronize, close, rename
  case openDirectory, synchronizeDirectory

  /// The operation that the error names.
  var operation: FileOperation {
    switch self {
    case .canonicalPath: .resolve
    case .linkStatus: .inspect
    case .createTemporary: .create
    case .writeBytes, .secondWrite: .write
    case .setPermissions: .setPermissions
    case .synchronize: .synchronize
    case .close: .close
    case .rename: .rename
    case .openDirectory, .synchronizeDirectory: .synchronizeDirectory
    }
  }

  /// Whether the new content is in place already when this call fails.
  var isAfterRename: Bool { operation == .synchronizeDirectory }

  /// Operations of which this call fails, the first so many times (by default always).
  func operations(failingWith code: Int32, times: Int = .max) -> FileOperations {
    let live = FileOperations.live
    let left = Counter(times)
    @Sendable func fail() throws(Errno) {
      if left.takeOne() { throw Errno(code) }
    }
    var files = live
    switch self {
    case .canonicalPath:
      files.canonicalPath = { p throws(Errno) in
        try fail()
        return try live.canonicalPath(p)
      }
    case .linkStatus:
      files.linkStatus = { p throws(Errno) in
        try fail()
        return try live.linkStatus(p)
      }
    case .createTemporary:
      files.createTemporary = { p throws(Errno) in
        try fail()
        return try live.createTemporary(p)
      }
    case .writeBytes:
      files.writeBytes = { d, b throws(Errno) in
        try fail()
        return try live.writeBytes(d, b)
      }
    case .secondWrite:
      let free = Counter(1)
      files.writeBytes = { d, b throws(Errno) in
        if free.takeOne() { return try live.writeBytes(d, b.prefix(3)) }
        try fail()
        return try live.writeBytes(d, b)
      }
    case .setPermissions:
      files.setPermissions = { d, m throws(Errno) in
        try fail()
        try live.setPermissions(d, m)
      }
    case .synchronize:
      files.synchronize = { d throws(Errno) in
        try fail()
        try live.synchronize(d)
      }
    case .close:
      files.close = { d throws(Errno) in
        try live.close(d); try fail()
      }
    case .rename:
      files.rename = { a, b throws(Errno) in
        try fail()
        try live.rename(a, b)
      }
    case .openDirectory:
      files.openDirectory = { p throws(Errno) in
        try fail()
        return try live.openDirectory(p)
      }
    case .synchronizeDirectory:
      files.synchronizeDirectory = { d throws(Errno) in
        try fail()
        try live.synchronizeDirectory(d)
      }
    }
    return files
  }
}
