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
    let descriptor = unsafe dirfd(directory)
    var entries: [DirectoryEntry] = []
    while let entry = unsafe readdir(directory) {
      let found = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
        unsafe name.withMemoryRebound(to: CChar.self, capacity: MemoryLayout.size(ofValue: name.pointee)) {
          unsafe self.entry($0, in: descriptor)
        }
      }
      if let found { entries.append(found) }
    }
    return entries
  }

  /// Nil for what is neither a file nor a directory, and for the directory itself and the one above it.
  private static func entry(_ name: UnsafePointer<CChar>, in descriptor: Int32) -> DirectoryEntry? {
    let bytes = unsafe Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
    if bytes.allSatisfy({ $0 == UInt8(ascii: ".") }), bytes.count <= 2 { return nil }
    var status = stat()
    if unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR { return DirectoryEntry(name: bytes, isDirectory: true) }
      if unsafe fstatat(descriptor, name, &status, 0) == 0, status.st_mode & S_IFMT != S_IFREG { return nil }
    }
    return DirectoryEntry(name: bytes, isDirectory: false)
  }
}
