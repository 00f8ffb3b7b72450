import SKANBase
import SKANRun
import SKANSystem

/// Files as the commands use them.
package struct FileAccess: Sendable {
  /// The bytes of a file, or nil when it does not exist; `-` is not handled here.
  package var read: @Sendable (_ path: String) throws(CommandError) -> [UInt8]?
  /// Whether there is a file; throws where ``read`` would, as far as that can be known without reading it.
  package var exists: @Sendable (_ path: String) throws(CommandError) -> Bool = { _ throws(CommandError) in true }
  /// Replaces a file as a whole or not at all.
  package var replace: @Sendable (_ path: String, _ bytes: [UInt8]) throws(CommandError) -> Void
  /// The same for a file that others are to read, as far as the user lets them.
  package var publish: @Sendable (_ path: String, _ bytes: [UInt8]) throws(CommandError) -> Void
  /// The same with content that comes in pieces.
  package var publishPieces:
    @Sendable (
      _ path: String, _ content: (_ write: AtomicFile.PieceWriter) throws(FileError) -> Void
    ) throws(CommandError) -> Void
  /// Makes a directory and those above it, where they are not there.
  package var makeDirectory: @Sendable (_ path: String) throws(CommandError) -> Void = { _ in }
  /// Throws what ``replace`` would, as far as that can be known beforehand; changes nothing.
  package var requireReplaceable: @Sendable (_ path: String) throws(CommandError) -> Void = { _ in }
  /// The file that a path stands for, links followed: two names of one file give the same.
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
  /// Opens a file to add whole lines to it, each call's on the disk when it returns, or none of them.
  ///
  /// `size` is that of its whole lines so far: what stands behind them is cut.
  package var appendDurably:
    @Sendable (_ path: String, _ size: Int) throws(CommandError) -> ([UInt8]) throws(CommandError) -> Void = {
      (path, _) throws(CommandError) in throw .cannotWrite(file: path, reason: "files cannot be added to here")
    }
  /// All of standard input.
  package var readInput: @Sendable () throws(CommandError) -> [UInt8]
  /// Opens a list: a file, a pipe, or standard input for `-`.
  package var open: @Sendable (_ path: String) throws(SourceFailure) -> ByteSource
  /// Opens a file without blocking; ``ByteSource/isRegular`` is false for a pipe.
  package var openFile: @Sendable (_ path: String) throws(SourceFailure) -> ByteSource
  /// What is in a directory; nil when the path leads to none.
  package var entries: @Sendable (_ path: String) throws(SourceFailure) -> [DirectoryEntry]?
  /// The paths that a pattern with `*`, `?` and `[…]` stands for, in order; one that exists stands for itself.
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
  /// Whether it still keeps others out: not when its file was removed.
  package let isIntact: () -> Bool

  package init(isIntact: @escaping () -> Bool = { true }, release: @escaping () -> Void) {
    self.isIntact = isIntact
    self.release = release
  }
}

extension ByteSource {
  /// Everything, for what is short.
  func readAll(atMost limit: Int) throws(SourceFailure) -> [UInt8] {
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
  /// Why a file is not read as a whole.
  static let tooLarge = "it is larger than \(ByteSize(bytes: AtomicFile.largestFile).text)"
}

extension CommandError {
  /// Why a file could not be read.
  init(_ failure: SourceFailure, file: String, hint: String = "") {
    switch failure {
    case .missing: self = .missing(file: file, hint: hint)
    case .programMissing(let program): self = .programMissing(program, file: file)
    case .unreadable(let reason): self = .unreadable(file: file, reason: reason)
    case .interrupted: self = .interrupted
    }
  }
}

extension String {
  /// An argument that names a file, as messages name it: `-` is standard input.
  var inputName: String { self == "-" ? "standard input" : oneLine }
}
