import SKANRun
import SKANBase

/// The postbacks of a file of received ones that are to be passed on, in their order.
package final class ForwardQueue {
  private let reader: LineReader
  private var line = 0

  /// Goes to the first line behind an offset.
  ///
  /// - Parameter source: the file, up to the end of a line.
  /// - Throws: also when what stands at the offset is not what was acknowledged.
  package init(_ source: ByteSource, after offset: ForwardOffset) throws(ForwardProblem) {
    reader = LineReader(source)
    if offset == .start { return }
    var hash: UInt64?
    while line < offset.line, let bytes = try nextLine() {
      if line == offset.line { hash = fnv1a(bytes) }
    }
    guard hash == offset.hash, reader.consumed == offset.bytes else { throw .otherFile(line: offset.line) }
  }

  /// The next one, and the offset behind it; nil after the last.
  package func next() throws(ForwardProblem) -> (ForwardedPostback, ForwardOffset)? {
    while let bytes = try nextLine() {
      guard let record = try? ReceivedRecord(bytes) else { throw .notAPostback(line: line) }
      if let postback = ForwardedPostback(record) {
        return (postback, ForwardOffset(line: line, bytes: reader.consumed, hash: fnv1a(bytes)))
      }
    }
    return nil
  }

  private func nextLine() throws(ForwardProblem) -> [UInt8]? {
    let next: LineReader.Line?
    do throws(SourceFailure) { next = try reader.next() } catch { throw .source(error) }
    switch next {
    case .line(let bytes)?:
      line += 1
      return unsafe Array(bytes)
    case .tooLong?: throw .notAPostback(line: line + 1)
    case nil: return nil
    }
  }
}

/// Why postbacks cannot be passed on.
package enum ForwardProblem: Error, Sendable, Equatable {
  /// The file cannot be read.
  case source(SourceFailure)
  /// The file is not the one that was passed on so far: this line was acknowledged, and there it is another or none.
  case otherFile(line: Int)
  /// The line is not of a received postback.
  case notAPostback(line: Int)
}
