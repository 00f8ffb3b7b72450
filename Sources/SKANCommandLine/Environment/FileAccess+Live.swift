import SKANBase
import SKANRun
import SKANSystem
import Synchronization

extension FileAccess {
  /// The files of the file system.
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
          // If the directory is missing, the error names the file that was asked for.
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
    // An error here is reported later, when the file is written.
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
  /// The error for a file that could not be replaced.
  init(replacing path: String, _ error: FileError) {
    self =
      error.operation == .synchronizeDirectory
      ? .notFlushed(file: path, reason: error.reason) : .cannotWrite(file: path, reason: error.reason)
  }
}

extension FileError {
  /// The cause. An inspection fails when the open file is no longer the one at the path, or has changed.
  fileprivate var reasonOfAppending: String {
    switch (operation, errno) {
    case (.inspect, .notFound): "it was moved or removed"
    case (.inspect, .invalid): "another program has changed it"
    default: reason
    }
  }
}

extension StreamFailure {
  /// The system's description of the error, if the system reported one.
  fileprivate var reason: String {
    switch self {
    case .system(let error): error.reason
    case .closed: "its reader is gone"
    case .interrupted: "interrupted"
    }
  }
}

extension CommandError {
  /// The error for output that cannot be written.
  init(_ failure: StreamFailure) {
    switch failure {
    case .system(let error): self = .outputFailed(reason: error.reason)
    case .closed: self = .outputClosed
    case .interrupted: self = .interrupted
    }
  }
}

extension ByteSource {
  /// Opens a file or a pipe.
  ///
  /// - Parameter waits: whether opening a pipe blocks until it has a writer.
  init(path: String, waits: Bool = true) throws(SourceFailure) {
    do throws(InputFile.Failure) {
      self.init(try InputFile(path, waits: waits))
    } catch {
      throw SourceFailure(error)
    }
  }

  /// Reads from an open file.
  init(_ file: InputFile) {
    let identity = file.status.map { Identity(device: $0.identity.device, number: $0.identity.number) }
    unsafe self.init(
      isRegular: file.isRegular, size: file.isRegular ? file.status?.size : nil, identity: identity
    ) { buffer throws(SourceFailure) in
      do throws(InputFile.Failure) { return try unsafe file.read(into: buffer) } catch { throw SourceFailure(error) }
    }
  }
}

extension SourceFailure {
  fileprivate init(_ failure: InputFile.Failure) {
    switch failure {
    case .missing: self = .missing
    case .interrupted: self = .interrupted
    case .system(let error): self = .unreadable(error.reason)
    }
  }
}

/// The output of `gzip -dc` for a compressed source, read as it arrives.
///
/// One socket serves as the program's input and output, so that a single wait covers both directions.
final class GzipReader {
  private let source: ByteSource
  private let socket: Int32
  private let child: ChildProcess
  /// Bytes read from the source that `gzip` has not taken yet.
  private var pending: ArraySlice<UInt8> = []
  private var isInputEnded = false
  private var isEnded = false
  private var block = [UInt8](repeating: 0, count: 1 << 16)

  /// Starts `gzip -dc`.
  init(_ source: ByteSource) throws(SourceFailure) {
    self.source = source
    guard let program = ProgramPath.find("gzip") else { throw .programMissing("gzip") }
    let variables = ["PATH", "HOME", "LD_LIBRARY_PATH"].compactMap { name in
      System.variable(name).map { "\(name)=\($0)" }
    }
    var start = ProgramStart(program, arguments: ["gzip", "-dc"], environment: variables)
    start.streams = [.socket, .sameAs(0), .dropped]
    do throws(Errno) {
      let (child, ends) = try start.run()
      (self.child, socket) = (child, ends[0])
    } catch {
      throw .unreadable("gzip cannot be started: \(error.reason)")
    }
  }

  deinit {
    Socket.closeDescriptor(socket)
    if !isEnded { child.kill() }
  }

  /// Fills a buffer and returns the number of bytes; 0 at the end.
  func read(_ buffer: UnsafeMutableRawBufferPointer) throws(SourceFailure) -> Int {
    while !isEnded {
      if Interrupt.wasRequested { throw .interrupted }
      if pending.isEmpty, !isInputEnded { try refill() }
      let interest: PollSet.Interest = pending.isEmpty ? .input : .inputOrOutput
      guard let ready = Socket.wait(for: interest, on: socket, seconds: 0.1) else { continue }
      if ready.canRead || ready.hasFailed {
        switch unsafe Socket.receive(socket, into: buffer) {
        case .bytes(let count): return count
        case .wouldBlock: break
        // Closing a socket with unread input resets the connection, so this can be a normal end.
        case .ended, .failed: try end()
        }
      } else if ready.canWrite {
        give()
      }
    }
    return 0
  }

  private func refill() throws(SourceFailure) {
    let failure = unsafe block.withUnsafeMutableBytes { block -> SourceFailure? in
      do throws(SourceFailure) {
        let count = try unsafe source.read(block)
        unsafe pending = ArraySlice(Array(block[..<count]))
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
    if pending.isEmpty { endInput() }
  }

  private func give() {
    switch unsafe pending.withUnsafeBytes({ unsafe Socket.transmit(socket, $0) }) {
    case .bytes(let count): pending = pending.dropFirst(count)
    case .wouldBlock: break
    case .ended, .failed:
      // The program has ended; its exit status tells why.
      pending = []
      endInput()
    }
  }

  private func endInput() {
    isInputEnded = true
    Socket.endOutput(socket)
  }

  private func end() throws(SourceFailure) {
    isEnded = true
    if child.wait() == .code(0) { return }
    throw .unreadable("gzip cannot unpack it: it is cut off or damaged")
  }
}
