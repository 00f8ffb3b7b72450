import Foundation
import SKANBase

/// Directories of the disk.
package enum Directory {
  /// The files and directories in a directory, in no order, without itself and the one above it; nil when the path leads to
  /// none.
  ///
  /// Pipes and the like are left out. A link that leads nowhere is included: opening it fails.
  package static func entries(of path: String) throws(Errno) -> [(name: [UInt8], isDirectory: Bool)]? {
    guard (try? POSIX.pathStatus(path))?.kind == .directory else { return nil }
    var entries: [(name: [UInt8], isDirectory: Bool)] = []
    try unsafe POSIX.forEachName(in: path) { name, directory in
      let bytes = unsafe bytes(of: name)
      if bytes.count <= 2, bytes.allSatisfy({ $0 == UInt8(ascii: ".") }) { return }
      var status = stat()
      if unsafe fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
        if status.st_mode & S_IFMT == S_IFDIR { return entries.append((bytes, true)) }
        if unsafe fstatat(directory, name, &status, 0) == 0, status.st_mode & S_IFMT != S_IFREG { return }
      }
      entries.append((bytes, false))
    }
    return entries
  }

  /// The paths that a pattern of the shell stands for; the pattern itself where a file has that name, as whoever hands over
  /// names, such as a shell, means it.
  package static func paths(matching pattern: String) -> [[UInt8]] {
    if (try? POSIX.linkStatus(pattern)) != nil { return [Array(pattern.utf8)] }
    var found = unsafe glob_t()
    defer { unsafe globfree(&found) }
    guard unsafe glob(pattern, 0, nil, &found) == 0 else { return [] }
    var paths: [[UInt8]] = []
    for index in 0..<Int(unsafe found.gl_pathc) {
      guard let path = unsafe found.gl_pathv[index] else { break }
      paths.append(unsafe bytes(of: path))
    }
    return paths
  }

  /// Makes a directory and those above it; one that is there already is none the worse for it.
  package static func make(_ path: String) throws(Errno) {
    var directory = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      directory += "\(name)/"
      if unsafe mkdir(directory, 0o777) != 0, errno != EEXIST { throw Errno(errno) }
    }
  }

  /// The permissions that the user lets a new file have.
  package static var newFilePermissions: UInt16 {
    // It can only be asked by setting it.
    let mask = umask(0o077)
    umask(mask)
    return 0o666 & ~UInt16(truncatingIfNeeded: mask)
  }

  private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}

/// A pattern for names, as a shell has it: `*` for anything, `?` for one character, `[a-z]` for one of some and `[!a-z]` for
/// one of all others; a backslash takes the meaning of the character behind it away.
///
/// It is the C library's `fnmatch`, in UTF-8 whatever the locale of the process: a character is a Unicode scalar.
package struct Glob: Sendable {
  /// For characters beyond ASCII. It lives as long as the process.
  nonisolated(unsafe) private static let locale = unsafe Platform.makeLocale()

  private let pattern: String

  package init(_ pattern: String) { self.pattern = pattern }

  /// A name with a NUL matches nothing: a C string would end there.
  package func matches(_ text: String) -> Bool {
    guard !text.utf8.contains(0), !pattern.utf8.contains(0) else { return false }
    let before = unsafe Self.locale.map { unsafe uselocale($0) }
    defer { if let before = unsafe before { unsafe uselocale(before) } }
    return unsafe fnmatch(pattern, text, 0) == 0
  }
}
