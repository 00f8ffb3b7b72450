import SKANRun
import SKANSystem
import SKANBase
import Testing

@testable import SKANCommand

extension World {
  private func attempt(_ action: String) throws(CommandError) {
    set { $0.log.append(action) }
    if let failure = state.withLock({ $0.failures[action] }) { throw failure }
  }

  var files: FileAccess {
    var files = basicFiles
    files.exists = { (path) throws(CommandError) in
      self.state.withLock { $0.files[path] != nil || $0.failures["read \(path)"] != nil }
    }
    files.appendDurably = { (path, size) throws(CommandError) in
      try self.attempt("open \(path)")
      self.set { $0.files[path] = Array(($0.files[path] ?? []).prefix(size)) }
      return { (lines) throws(CommandError) in
        try self.attempt("append \(path)")
        self.set { $0.files[path, default: []] += lines }
      }
    }
    files.publishPieces = { [publishPieces = files.publishPieces] (path, content) throws(CommandError) in
      guard self.state.withLock({ $0.fullFile }) == path else { return try publishPieces(path, content) }
      do throws(FileError) {
        try content { (_) throws(FileError) in throw FileError(.write, path, .inputOutput) }
      } catch {
        throw .cannotWrite(file: path, reason: error.reason)
      }
    }
    files.requireReplaceable = { (path) throws(CommandError) in try self.attempt("check \(path)") }
    return files
  }

  private var basicFiles: FileAccess {
    FileAccess(
      read: { (path) throws(CommandError) in
        try self.attempt("read \(path)")
        return self.state.withLock { $0.files[path] }
      },
      replace: { (path, bytes) throws(CommandError) in
        try self.attempt("replace \(path)")
        self.set { $0.files[path] = bytes }
      },
      lock: { (path, seconds, _) throws(CommandError) in
        try self.attempt("lock \(path) \(seconds)")
        return HeldLock(isIntact: { !self.state.withLock { $0.losesLocks } }) {
          self.set { $0.log.append("unlock \(path)") }
        }
      },
      readInput: { () throws(CommandError) in
        guard let input = self.state.withLock({ $0.input }) else {
          Issue.record("standard input was read")
          return []
        }
        return Array(input.utf8)
      },
      open: { (path) throws(SourceFailure) in try self.open(path) },
      entries: { (path) throws(SourceFailure) in
        if case .unreadable(_, let reason)? = self.state.withLock({ $0.failures["entries \(path)"] }) {
          throw .unreadable(reason)
        }
        let prefix = path.hasSuffix("/") ? path : "\(path)/"
        let found = self.state.withLock { $0.files.keys.filter { $0.hasPrefix(prefix) } }
        let parts = found.map { $0.dropFirst(prefix.count).split(separator: "/", maxSplits: 1) }
        let entries = parts.map { DirectoryEntry(name: String($0[0]), isDirectory: $0.count > 1) }
        return found.isEmpty ? nil : entries.enumerated().filter { entries.firstIndex(of: $1) == $0 }.map(\.element)
      },
      glob: { pattern in
        let names = self.state.withLock { $0.files.keys.sorted() }
        let glob = Glob(pattern)
        return names.contains(pattern) ? [pattern] : names.filter { glob.matches($0) && !$0.contains("/") }
      })
  }

  private func open(_ path: String) throws(SourceFailure) -> ByteSource {
    let source = try openWhole(path)
    guard state.withLock({ $0.breaks.contains(path) }) else { return source }
    return ByteSource(isRegular: source.isRegular, size: source.size) { buffer throws(SourceFailure) in
      let count = try source.read(buffer)
      if count == 0 { throw .unreadable("Input/output error") }
      return count
    }
  }

  private func openWhole(_ path: String) throws(SourceFailure) -> ByteSource {
    if let lines = state.withLock({ $0.streams[path] }) {
      var rest = Array(lines.map { "\($0)\n" }.joined().utf8)[...]
      return ByteSource(isRegular: false) { buffer throws(SourceFailure) in
        let part = rest.prefix(buffer.count)
        buffer.copyBytes(from: part)
        rest = rest.dropFirst(part.count)
        return part.count
      }
    }
    do throws(CommandError) { try attempt("read \(path)") } catch {
      if case .unreadable(_, let reason) = error { throw .unreadable(reason) }
      throw .missing
    }
    if path == "-" {
      guard let input = state.withLock({ $0.input }) else {
        Issue.record("standard input was opened")
        throw .missing
      }
      return ByteSource(Array(input.utf8))
    }
    guard let bytes = state.withLock({ $0.files[path] }) else { throw .missing }
    return ByteSource(bytes)
  }
}
