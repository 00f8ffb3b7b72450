/// What a path leads to; only ``regular`` can be read or replaced whole.
package enum FileKind: String, Equatable, Sendable {
  /// An ordinary file.
  case regular = "regular file"
  /// A directory.
  case directory = "directory"
  /// A symbolic link that was looked at itself, not followed.
  case link = "symbolic link"
  /// A named pipe.
  case fifo = "named pipe"
  /// A socket in the file system.
  case socket = "socket"
  /// A character device, such as `/dev/null` or a terminal.
  case characterDevice = "character device"
  /// A block device, such as a disk.
  case blockDevice = "block device"
  /// Anything that this list does not know.
  case other = "special file"
}
