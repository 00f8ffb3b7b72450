import Foundation

@testable import SKANSystem

/// A directory of its own for one test, removed with everything in it at the end.
final class TemporaryDirectory {
  let path: String

  init() throws {
    // The real path, since /tmp and /var are links on macOS.
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
    let made = "\(base)/skan-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: made, withIntermediateDirectories: true)
    path =
      made.withCString { realpath($0, nil) }.map { pointer in
        defer { free(pointer) }
        return String(cString: pointer)
      } ?? made
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  func callAsFunction(_ name: String) -> String {
    "\(path)/\(name)"
  }

  func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  func write(_ name: String, _ text: String, mode: Int = 0o644) throws {
    try Data(text.utf8).write(to: URL(fileURLWithPath: self(name)))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: self(name))
  }

  func text(_ name: String) throws -> String {
    try String(decoding: Data(contentsOf: URL(fileURLWithPath: self(name))), as: UTF8.self)
  }

  func mode(_ name: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: self(name))[.posixPermissions] as? Int
  }

  func link(_ name: String, to destination: String) throws {
    try FileManager.default.createSymbolicLink(atPath: self(name), withDestinationPath: destination)
  }

  func directory(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: self(name), withIntermediateDirectories: true)
  }
}

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
