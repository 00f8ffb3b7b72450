import SKANBase
import SKANRun
import SKANSystem
import Synchronization

extension FileAccess {
  /// The real files.
  package static var live: FileAccess {
    var files = FileAccess(
      read: { (path) throws(CommandError) in
        do throws(FileError) {
          return try AtomicFile().read(path)
        } catch {
          throw .unreadable(file: path, reason: error.errno == .tooLarge ? FileAccess.tooLarge : error.reason)
        }
      },
      replace: { (path, bytes) throws(CommandError) in
        do throws(FileError) {
          try AtomicFile().replace(path, with: bytes)
        } catch {
          throw CommandError(replacing: path, error)
        }
      },
      lock: { (path, seconds, isInterrupted) throws(CommandError) in
        do throws(LockError) {
          let lock = try FileLock.acquire(for: path, timeout: seconds, isInterrupted: isInterrupted)
          AtomicFile().removeLeftovers(of: path)
          return HeldLock(isIntact: { lock.isInPlace }, release: { lock.release() })
        } catch {
          switch error {
          // The file that is meant, not its directory, which is not there.
          case .file(let error):
            throw .cannotWrite(file: error.operation == .findDirectory ? path : error.path, reason: error.reason)
          case .held(_, let process, let waited): throw .lockHeld(file: path, by: process, seconds: waited)
          case .interrupted: throw .interrupted
          }
        }
      },
      readInput: { () throws(CommandError) in
        do throws(SourceFailure) {
          return try ByteSource(InputFile(descriptor: StandardStream.input)).readAll(atMost: AtomicFile.largestFile)
        } catch {
          throw CommandError(error, file: "standard input")
        }
      },
      open: { (path) throws(SourceFailure) in
        path == "-" ? ByteSource(InputFile(descriptor: StandardStream.input)) : try ByteSource(path: path)
      },
      entries: { (path) throws(SourceFailure) in
        do throws(Errno) {
          return try Directory.entries(of: path)?.map { DirectoryEntry(name: $0.name, isDirectory: $0.isDirectory) }
        } catch {
          throw .unreadable(error.reason)
        }
      },
      glob: { (pattern) throws(CommandError) in
        var paths: [String] = []
        for bytes in Directory.paths(matching: pattern) {
          guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError(.notUTF8, file: String(escaping: bytes))
          }
          paths.append(text)
        }
        return paths
      })
    files.publishPieces = { (path, content) throws(CommandError) in
      do throws(FileError) {
        try AtomicFile().replace(path, mode: Directory.newFilePermissions, content: content)
      } catch {
        throw .cannotWrite(file: path, reason: error.reason)
      }
    }
    files.publish = { [files] (path, bytes) throws(CommandError) in
      try files.publishPieces(path) { (write) throws(FileError) in try write(bytes) }
    }
    files.makeDirectory = { (path) throws(CommandError) in
      do throws(Errno) { try Directory.make(path) } catch { throw .cannotWrite(file: path, reason: error.reason) }
    }
    files.exists = { (path) throws(CommandError) in
      do throws(FileError) {
        return try AtomicFile().exists(path)
      } catch {
        throw .unreadable(file: path, reason: error.reason)
      }
    }
    files.requireReplaceable = { (path) throws(CommandError) in
      do throws(FileError) {
        let file = AtomicFile()
        file.removeLeftovers(of: path)
        try file.requireReplaceable(path)
      } catch {
        throw .cannotWrite(file: path, reason: error.reason)
      }
    }
    files.openFile = { (path) throws(SourceFailure) in try ByteSource(path: path, waits: false) }
    // What cannot be found out is reported when the file is written.
    files.target = { path in (try? FileOperations.live.target(of: path).path) ?? path }
    files.appendDurably = { (path, size) throws(CommandError) in
      do throws(FileError) {
        let file = try AppendedFile(path, size: size)
        return { (lines) throws(CommandError) in
          do throws(FileError) { try file.append(lines) } catch {
            throw .cannotWrite(file: path, reason: error.reasonOfAppending)
          }
        }
      } catch {
        throw .cannotWrite(file: path, reason: error.reason)
      }
    }
    files.append = { (path, report) throws(CommandError) in
      let file: LineFile
      do throws(StreamFailure) { file = try LineFile(path) } catch {
        if case .system(let error) = error { throw .cannotWrite(file: path, reason: error.reason) }
        throw .interrupted
      }
      if file.wasTorn { report("\(path) ends within a line: it is ended there, and what follows is whole") }
      let hasFailed = Mutex(false)
      return { lines in
        do throws(StreamFailure) { try file.append(lines) } catch {
          let isFirst = hasFailed.withLock { hasFailed in
            defer { hasFailed = true }
            return !hasFailed
          }
          if isFirst { report("cannot write \(path): \(error.reason); requests are missing in it from here on") }
        }
      }
    }
    return files
  }
}

extension CommandError {
  /// Why a file could not be replaced.
  init(replacing path: String, _ error: FileError) {
    self =
      error.operation == .synchronizeDirectory
      ? .notFlushed(file: path, reason: error.reason) : .cannotWrite(file: path, reason: error.reason)
  }
}

extension FileError {
  /// The cause, where a file that is open is not the one that it was.
  fileprivate var reasonOfAppending: String {
    switch (operation, errno) {
    case (.inspect, .notFound): "it was moved or removed"
    case (.inspect, .invalid): "another program has changed it"
    default: reason
    }
  }
}

extension StreamFailure {
  /// The system's words, where there are any.
  fileprivate var reason: String {
    switch self {
    case .system(let error): error.reason
    case .closed: "its reader is gone"
    case .interrupted: "interrupted"
    }
  }
}

extension CommandError {
  /// Why the output cannot be written.
  init(_ failure: StreamFailure) {
    switch failure {
    case .system(let error): self = .outputFailed(reason: error.reason)
    case .closed: self = .outputClosed
    case .interrupted: self = .interrupted
    }
  }
}
