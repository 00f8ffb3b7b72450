import Foundation
import SKANRun
import SKANSystem
import SKANBase

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
          return try ByteSource(descriptor: STDIN_FILENO).readAll(atMost: AtomicFile.largestFile)
        } catch {
          throw CommandError(error, file: "standard input")
        }
      },
      open: { (path) throws(SourceFailure) in
        path == "-" ? ByteSource(descriptor: STDIN_FILENO) : try ByteSource(path: path)
      },
      entries: { (path) throws(SourceFailure) in try DirectoryEntry.all(in: path) },
      glob: { (pattern) throws(CommandError) in
        var status = stat()
        // Who hands over names, as a shell does, means the file of that name.
        if unsafe lstat(pattern, &status) == 0 { return [pattern] }
        var found = unsafe glob_t()
        defer { unsafe globfree(&found) }
        guard unsafe Foundation.glob(pattern, 0, nil, &found) == 0 else { return [] }
        var paths: [String] = []
        for index in 0..<Int(unsafe found.gl_pathc) {
          guard let path = unsafe found.gl_pathv[index] else { break }
          let bytes = unsafe Array(UnsafeRawBufferPointer(start: path, count: strlen(path)))
          guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandError(.notUTF8, file: String(escaping: bytes))
          }
          paths.append(text)
        }
        return paths
      })
    files.publishPieces = { (path, content) throws(CommandError) in
      // It can only be asked by setting it.
      let mask = umask(0o077)
      umask(mask)
      do throws(FileError) {
        try AtomicFile().replace(path, mode: 0o666 & ~UInt16(truncatingIfNeeded: mask), content: content)
      } catch {
        throw .cannotWrite(file: path, reason: error.reason)
      }
    }
    files.publish = { [files] (path, bytes) throws(CommandError) in
      try files.publishPieces(path) { (write) throws(FileError) in try write(bytes) }
    }
    files.makeDirectory = { (path) throws(CommandError) in
      var directory = path.hasPrefix("/") ? "/" : ""
      for name in path.split(separator: "/") {
        directory += "\(name)/"
        if unsafe mkdir(directory, 0o777) != 0, errno != EEXIST {
          throw unsafe .cannotWrite(file: path, reason: String(cString: strerror(errno)))
        }
      }
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
      let file = try LineFile(path: path, report: report)
      return { file.append($0) }
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
