import Foundation
import SKANRun

extension DirectoryEntry {
  /// The files and directories of a directory, in no order; nil when the path leads to none.
  ///
  /// Pipes and the like are left out. A link that leads nowhere is included: opening it fails.
  static func all(in path: String) throws(SourceFailure) -> [DirectoryEntry]? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    guard let directory = unsafe opendir(path) else { throw unsafe .unreadable(String(cString: strerror(errno))) }
    defer { unsafe closedir(directory) }
    var entries: [DirectoryEntry] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
          unsafe String(cString: $0)
        }
      }
      if name == "." || name == ".." { continue }
      guard let isDirectory = isDirectory("\(path)/\(name)") else { continue }
      entries.append(DirectoryEntry(name: name, isDirectory: isDirectory))
    }
    return entries
  }

  /// Nil for what is neither a file nor a directory.
  private static func isDirectory(_ path: String) -> Bool? {
    var own = stat()
    var target = stat()
    guard unsafe lstat(path, &own) == 0 else { return false }
    if own.st_mode & S_IFMT == S_IFDIR { return true }
    guard unsafe stat(path, &target) == 0 else { return false }
    return target.st_mode & S_IFMT == S_IFREG ? false : nil
  }
}
