import SKANBase

/// Where a program lies.
package enum ProgramPath {
  /// The first one of that name in the folders of the `PATH`.
  ///
  /// Absolute folders only: an empty or relative one would run whatever lies where the command happens to be called.
  package static func find(
    _ program: String, in path: String? = unsafe getenv("PATH").map { unsafe String(cString: $0) }
  ) -> String? {
    (path ?? "/usr/bin:/bin").split(separator: ":").filter { $0.hasPrefix("/") }.map { "\($0)/\(program)" }
      .first(where: isProgram)
  }

  private static func isProgram(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
