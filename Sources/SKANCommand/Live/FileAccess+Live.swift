import Foundation
import SKANStorage

extension FileAccess {
  /// The real files.
  package static var live: FileAccess {
    var files = FileAccess(
      read: { (path) throws(CommandError) in
        do throws(FileError) {
          return try AtomicFile().read(path)
        } catch {
          throw .unreadable(file: path, reason: error.reason)
        }
      },
      replace: { (path, bytes) throws(CommandError) in
        do throws(FileError) {
          try AtomicFile().replace(path, with: bytes)
        } catch {
          throw .cannotWrite(file: path, reason: error.reason)
        }
      },
      lock: { (path, seconds, isInterrupted) throws(CommandError) in
        do throws(LockError) {
          let lock = try FileLock.acquire(for: path, timeout: seconds, isInterrupted: isInterrupted)
          return HeldLock { lock.release() }
        } catch {
          switch error {
          case .file(let error): throw .cannotWrite(file: error.path, reason: error.reason)
          case .held(_, let process, let waited): throw .lockHeld(file: path, by: process, seconds: waited)
          case .interrupted: throw .interrupted
          }
        }
      },
      readInput: { () throws(CommandError) in
        let input = LineStream(descriptor: STDIN_FILENO, name: "standard input")
        var bytes: [UInt8] = []
        while let line = try input.next() { bytes += line + [0x0A] }
        return bytes
      },
      openStream: { (path) throws(CommandError) in
        var status = stat()
        if path == "-" {
          // What is redirected from a regular file can be checked whole like one.
          let isRegular = fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
          return isRegular ? nil : LineStream(descriptor: STDIN_FILENO, name: "standard input")
        }
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0 {
          if errno == EINTR, Interrupt.wasRequested { throw .interrupted }
          throw .unreadable(file: path, reason: String(cString: strerror(errno)))
        }
        return LineStream(descriptor: descriptor, name: path)
      })
    files.append = { (path) throws(CommandError) in
      let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
      if descriptor < 0 { throw .cannotWrite(file: path, reason: String(cString: strerror(errno))) }
      // One write a piece: on a local file it is there as a whole or not at all, also when the program is killed.
      return { bytes in
        do throws(CommandError) {
          try StandardStream.write(bytes, to: descriptor)
        } catch {
          try? StandardStream.write("skan: cannot write \(path)\n", to: STDERR_FILENO)
        }
      }
    }
    return files
  }
}

extension LineStream {
  /// Lines of a descriptor, read in blocks as they arrive.
  init(descriptor: Int32, name: String) {
    var buffer: [UInt8] = []
    var start = 0
    var isAtEnd = false
    self.init { () throws(CommandError) in
      var searched = start
      while true {
        if let end = buffer[searched...].firstIndex(of: 0x0A) {
          defer { start = end + 1 }
          return Array(buffer[start..<end])
        }
        if isAtEnd {
          guard start < buffer.count else { return nil }
          defer { start = buffer.count }
          return Array(buffer[start...])
        }
        buffer.removeFirst(start)
        start = 0
        searched = buffer.count
        var block = [UInt8](repeating: 0, count: 65_536)
        let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count < 0 {
          if errno == EINTR, !Interrupt.wasRequested { continue }
          if Interrupt.wasRequested { throw .interrupted }
          throw .unreadable(file: name, reason: String(cString: strerror(errno)))
        }
        isAtEnd = count == 0
        buffer += block[..<count]
      }
    }
  }
}
