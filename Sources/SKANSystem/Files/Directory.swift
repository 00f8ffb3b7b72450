import Foundation
import SKANBase

package enum Directory {
  /// The files and directories in a directory, unordered, without `.` and `..`; nil if the path does not lead to a
  /// directory.
  ///
  /// Pipes and other special files are left out. A link that leads nowhere is included; opening it fails.
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

  /// The paths that match a shell pattern. If a file has the pattern as its name, only that file, since a name passed
  /// by a shell means itself.
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

  /// Creates a directory and its parents; existing ones are no error.
  package static func make(_ path: String) throws(Errno) {
    var directory = path.hasPrefix("/") ? "/" : ""
    for name in path.split(separator: "/") {
      directory += "\(name)/"
      if unsafe mkdir(directory, 0o777) != 0, errno != EEXIST { throw Errno(errno) }
    }
  }

  /// The permissions of new files under the user's umask.
  package static var newFilePermissions: UInt16 {
    // The umask can only be read by setting it.
    let mask = umask(0o077)
    umask(mask)
    return 0o666 & ~UInt16(truncatingIfNeeded: mask)
  }

  private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}

/// A shell pattern for names: `*` matches anything, `?` one character, `[a-z]` one of a set and `[!a-z]` one not in it;
/// a backslash makes the next character literal.
///
/// The match is the C library's `fnmatch`, always in UTF-8: a character is a Unicode scalar.
package struct Glob: Sendable {
  /// The locale for characters beyond ASCII. It is never freed.
  nonisolated(unsafe) private static let locale = unsafe Platform.makeLocale()

  private let pattern: String

  package init(_ pattern: String) { self.pattern = pattern }

  /// Whether a name matches. A name with a NUL never does, because a C string would end there.
  package func matches(_ text: String) -> Bool {
    guard !text.utf8.contains(0), !pattern.utf8.contains(0) else { return false }
    let before = unsafe Self.locale.map { unsafe uselocale($0) }
    defer { if let before = unsafe before { unsafe uselocale(before) } }
    return unsafe fnmatch(pattern, text, 0) == 0
  }
}
