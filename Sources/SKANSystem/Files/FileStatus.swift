/// The part of `stat` that reading and saving need.
package struct FileStatus: Equatable, Sendable {
  /// What the file is.
  package let kind: FileKind
  /// The permission bits, 0…0o777. Set-user-id and its like are left out: a data file has no use for them, and the
  /// replaced file may belong to another user than the old one.
  package let permissions: UInt16
  /// The length in bytes; 0 also where the system does not know it beforehand (files in `/proc`).
  package let size: Int
  /// The system's identity of a file.
  package let identity: Identity

  /// A file's device and its number there.
  package struct Identity: Equatable, Sendable {
    package var device: UInt64 = 0
    package var number: UInt64 = 0
  }

  /// A status of its parts.
  package init(kind: FileKind, permissions: UInt16, size: Int, identity: Identity = Identity()) {
    self.kind = kind
    self.permissions = permissions
    self.size = size
    self.identity = identity
  }
}
