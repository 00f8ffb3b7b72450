import SKANBase
import SKANSystem

/// Lines for a person that never hold up the program: while a pipe is full they are left out, and counted.
final class WatchedLines {
  /// What a pipe that can be written to takes at once.
  private static let most = 4096

  private let descriptor: Int32
  private var leftOut = 0
  /// Whether the last line was cut.
  private var isTorn = false

  /// Whether lines are written as they are.
  private let isStyled: Bool

  init(_ descriptor: Int32, isStyled: Bool) {
    self.descriptor = descriptor
    self.isStyled = isStyled
  }

  /// - Parameter lines: with their ends.
  func write(_ lines: [UInt8]) {
    var rest = ArraySlice(isStyled ? lines : Terminal.visible(lines))
    while !rest.isEmpty {
      guard StandardStream.isReady(descriptor) else { return leaveOut(rest) }
      if leftOut > 0 || isTorn {
        let note = (isTorn ? "…\n" : "") + "skan: \(leftOut.counted("line")) left out: nothing read them in time\n"
        (leftOut, isTorn) = (0, false)
        try? StandardStream.write(Array(note.utf8), to: descriptor)
        continue
      }
      let piece = LineWriter.firstPiece(of: rest, room: Self.most).prefix(Self.most)
      // That the reader has gone is not a reason to stop.
      try? StandardStream.write(Array(piece), to: descriptor)
      rest = rest[piece.endIndex...]
      isTorn = !rest.isEmpty && piece.last != UInt8(ascii: "\n")
      if isTorn, !StandardStream.isReady(descriptor) { return leaveOut(rest) }
      isTorn = false
    }
  }

  private func leaveOut(_ rest: ArraySlice<UInt8>) { leftOut += rest.count { $0 == UInt8(ascii: "\n") } }
}
