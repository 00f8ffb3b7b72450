import Foundation

@testable import SKANSystem

/// Open descriptors as the injected operations saw them, to find leaks.
final class DescriptorLog: @unchecked Sendable {
  private let lock = NSLock()
  private var open: [Int32] = []
  private var strays = 0

  /// Opened and not closed.
  var leaked: [Int32] { lock.withLock { open } }
  /// Closings of what was not open: these could hit another file.
  var strayCloses: Int { lock.withLock { strays } }

  /// The same operations, with every opened and closed descriptor noted.
  func watching(_ files: FileOperations) -> FileOperations {
    var watched = files
    let opened: @Sendable (Int32) -> Int32 = { [self] descriptor in
      lock.withLock { open.append(descriptor) }
      return descriptor
    }
    watched.openForReading = { path throws(Errno) in opened(try files.openForReading(path)) }
    watched.createTemporary = { path throws(Errno) in opened(try files.createTemporary(path)) }
    watched.openDirectory = { path throws(Errno) in opened(try files.openDirectory(path)) }
    watched.openLock = { path throws(Errno) in opened(try files.openLock(path)) }
    watched.close = { [self] descriptor throws(Errno) in
      lock.withLock {
        if let index = open.lastIndex(of: descriptor) { open.remove(at: index) } else { strays += 1 }
      }
      try files.close(descriptor)
    }
    return watched
  }
}
