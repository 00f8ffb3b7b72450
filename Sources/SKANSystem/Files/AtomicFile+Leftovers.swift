import SKANBase

extension AtomicFile {
  /// Removes the temporary files of a file that runs have left which were killed in the middle of a save: those whose name
  /// holds the number of a process that is not there any more. What cannot be found out or removed stays.
  package func removeLeftovers(of path: String) {
    guard let target = try? files.target(of: path) else { return }
    let (directory, name) = FileTarget.split(target.path)
    for other in (try? files.names(directory)) ?? [] {
      guard let process = Self.process(ofTemporary: other, for: name), process != files.processID(),
        !files.isRunning(process)
      else { continue }
      let leftover = directory == "/" ? "/\(other)" : "\(directory)/\(other)"
      guard let status = try? files.linkStatus(leftover), status.kind == .regular else { continue }
      try? files.remove(leftover)
    }
  }

  /// The process in `NAME.PROCESS.tmp` or `NAME.PROCESS.NUMBER.tmp`.
  private static func process(ofTemporary other: String, for name: String) -> Int32? {
    guard other.hasPrefix("\(name)."), other.hasSuffix(".tmp"), other.utf8.count > name.utf8.count + 5 else {
      return nil
    }
    let fields = other.utf8.dropFirst(name.utf8.count + 1).dropLast(4)
      .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard fields.count <= 2, fields.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }),
      let process = fields.first.flatMap({ Int32(String(decoding: $0, as: UTF8.self)) }), process > 0
    else { return nil }
    return process
  }
}
