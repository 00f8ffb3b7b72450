import SKANRun
import SKANSystem

/// How much of a file that grows is on the disk for good: who reads it waits here for more.
final class CommittedBytes: Sendable {
  private struct State {
    var size: Int
    var isEnded = false
  }

  private let state: Monitor<State>

  /// - Parameter size: of the file so far.
  init(_ size: Int) { state = Monitor(State(size: size)) }

  /// More is on the disk.
  func grow(to size: Int) { state.change { $0.size = size } }

  /// Nothing more comes.
  func end() { state.change { $0.isEnded = true } }

  /// Whether nothing more comes, though not all may have been read.
  var isEnded: Bool { state.withLock { $0.isEnded } }

  /// Waits, though not beyond the end.
  ///
  /// - Returns: false when it has ended.
  func wait(seconds: Double) -> Bool { !state.wait(seconds: seconds) { $0.isEnded } }

  /// What of a file counts, for one reader: a read waits until there is something, or the end.
  func source(of file: ByteSource) -> ByteSource {
    var position = 0
    return unsafe ByteSource(isRegular: false) { [self] (buffer) throws(SourceFailure) in
      let count = min(buffer.count, bytes(behind: position))
      if count == 0 { return 0 }
      let read = try unsafe file.read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
      position += read
      return read
    }
  }

  /// At least one, or 0 at the end.
  private func bytes(behind position: Int) -> Int {
    state.wait(until: { $0.size > position || $0.isEnded }) { $0.size - position }
  }
}
