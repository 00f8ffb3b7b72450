/// The error number of one failed system call, with nothing else: where it happened is added by ``FileError``.
package struct Errno: Error, Equatable {
  /// The number as `errno` had it, such as 28 for a full disk on Linux.
  package let code: Int32

  /// An error number as the system gave it.
  package init(_ code: Int32) {
    self.code = code
  }
}
