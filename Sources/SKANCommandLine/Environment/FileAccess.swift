import SKANBase
import SKANRun
import SKANSystem

/// The file operations that commands use.
package struct FileAccess: Sendable {
  /// Reads a file; nil if it does not exist. Does not handle `-`.
  package var read: @Sendable (_ path: String) throws(CommandError) -> [UInt8]?
  /// Whether a file exists. Throws where ``read`` would, as far as that can be determined without reading it.
  package var exists: @Sendable (_ path: String) throws(CommandError) -> Bool = { _ throws(CommandError) in true }
  /// Replaces a file atomically. A new file is readable by its owner only.
  package var replace: @Sendable (_ path: String, _ bytes: [UInt8]) throws(CommandError) -> Void
  /// Replaces a file atomically. A new file gets the permissions that the umask allows.
  package var publish: @Sendable (_ path: String, _ bytes: [UInt8]) throws(CommandError) -> Void
  /// Replaces a file like ``publish``, with content written in pieces.
  package var publishPieces:
    @Sendable (
      _ path: String, _ content: (_ write: AtomicFile.PieceWriter) throws(FileError) -> Void
    ) throws(CommandError) -> Void
  /// Creates a directory and its missing parents.
  package var makeDirectory: @Sendable (_ path: String) throws(CommandError) -> Void = { _ in }
  /// Throws the error that ``replace`` would, as far as that can be determined beforehand. Changes nothing.
  package var requireReplaceable: @Sendable (_ path: String) throws(CommandError) -> Void = { _ in }
  /// The file that a path leads to once links are resolved: two names of one file give the same result.
  package var target: @Sendable (_ path: String) -> String = { $0 }
  /// Takes the lock beside a file, waiting at most this many seconds.
  package var lock:
    @Sendable (_ path: String, _ seconds: Double, _ isInterrupted: @Sendable () -> Bool) throws(CommandError) ->
      HeldLock
  /// Opens a file to append whole lines; later failures are reported through `report`.
  package var append:
    @Sendable (_ path: String, _ report: @escaping @Sendable (String) -> Void) throws(CommandError) ->
      @Sendable ([UInt8]) -> Void = { (path, _) throws(CommandError) in
        throw .cannotWrite(file: path, reason: "files cannot be added to here")
      }
  /// Opens a file to append whole lines to it. Each call writes its lines durably before it returns, or none of them.
  ///
  /// `size` is the size in bytes of the file's whole lines so far. Anything behind them is cut off.
  package var appendDurably:
    @Sendable (_ path: String, _ size: Int) throws(CommandError) -> ([UInt8]) throws(CommandError) -> Void = {
      (path, _) throws(CommandError) in throw .cannotWrite(file: path, reason: "files cannot be added to here")
    }
  /// Reads standard input to its end.
  package var readInput: @Sendable () throws(CommandError) -> [UInt8]
  /// Opens a list: a file, a pipe, or standard input for `-`.
  package var open: @Sendable (_ path: String) throws(SourceFailure) -> ByteSource
  /// Opens a file without blocking; ``ByteSource/isRegular`` is false for a pipe.
  package var openFile: @Sendable (_ path: String) throws(SourceFailure) -> ByteSource
  /// The entries of a directory; nil if there is none at the path.
  package var entries: @Sendable (_ path: String) throws(SourceFailure) -> [DirectoryEntry]?
  /// The sorted paths that match a pattern with `*`, `?` and `[…]`. A pattern that is itself an existing path stands
  /// for that path.
  package var glob: @Sendable (_ pattern: String) throws(CommandError) -> [String]

  package init(
    read: @escaping @Sendable (_ path: String) throws(CommandError) -> [UInt8]?,
    replace: @escaping @Sendable (_ path: String, _ bytes: [UInt8]) throws(CommandError) -> Void,
    lock:
      @escaping @Sendable (_ path: String, _ seconds: Double, _ isInterrupted: @Sendable () -> Bool)
      throws(CommandError) -> HeldLock,
    readInput: @escaping @Sendable () throws(CommandError) -> [UInt8],
    open: @escaping @Sendable (_ path: String) throws(SourceFailure) -> ByteSource,
    entries: @escaping @Sendable (_ path: String) throws(SourceFailure) -> [DirectoryEntry]?,
    glob: @escaping @Sendable (_ pattern: String) throws(CommandError) -> [String]
  ) {
    self.read = read
    self.replace = replace
    publish = replace
    publishPieces = { (path, content) throws(CommandError) in
      var bytes: [UInt8] = []
      do throws(FileError) { try content { bytes += $0 } } catch {
        throw .cannotWrite(file: path, reason: error.reason)
      }
      try replace(path, bytes)
    }
    self.lock = lock
    self.readInput = readInput
    self.open = open
    openFile = open
    self.entries = entries
    self.glob = glob
  }
}

/// A lock that is held until it is released.
package struct HeldLock {
  package let release: () -> Void
  /// Whether the lock still excludes others. It does not once its file was removed.
  package let isIntact: () -> Bool

  package init(isIntact: @escaping () -> Bool = { true }, release: @escaping () -> Void) {
    self.isIntact = isIntact
    self.release = release
  }
}

extension ByteSource {
  /// Reads to the end. Throws if there are more than `limit` bytes.
  package func readAll(atMost limit: Int) throws(SourceFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
    defer { unsafe block.deallocate() }
    while true {
      let count = try unsafe read(block)
      if count == 0 { return bytes }
      unsafe bytes += block[..<count]
      if bytes.count > limit { throw .unreadable(FileAccess.tooLarge) }
    }
  }
}

extension FileAccess {
  /// The reason why a file is too large to be read as a whole.
  static let tooLarge = "it is larger than \(ByteSize(bytes: AtomicFile.largestFile).text)"
}

extension CommandError {
  /// The error for a file that could not be read.
  package init(_ failure: SourceFailure, file: String, hint: @autoclosure () -> String = "") {
    switch failure {
    case .missing: self = .missing(file: file, hint: hint())
    case .programMissing(let program): self = .programMissing(program, file: file)
    case .unreadable(let reason): self = .unreadable(file: file, reason: reason)
    case .unpacksToMore(let most): self = .unpacksToMore(than: most, file: file)
    case .interrupted: self = .interrupted
    }
  }
}

extension String {
  /// The name of an input file in messages: `-` is "standard input".
  package var inputName: String { self == "-" ? "standard input" : oneLine }
}
