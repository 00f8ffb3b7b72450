import SKANRun
import SKANSystem

/// What several lists print, in the order of the lists, although they run at the same time.
typealias OrderedOutput = OrderedQueue<PrintedPiece, CommandError>

/// Whole lines that a list prints, for one of the two streams.
struct PrintedPiece: Sendable {
  let stream: TextStream
  let bytes: [UInt8]
}

/// What one list prints: whole lines, the SDK key taken out, in pieces of some size.
struct ListOutput {
  private static let pieceSize = 1 << 16

  let output: OrderedOutput
  let list: Int
  let redactor: Redactor
  /// Whether each line is printed at once: a reader may wait for it.
  let isEager: Bool
  /// The queue gets messages, and results that are not plain, as bytes that are printed as they are.
  let styles: TerminalStyles
  private var bytes: [UInt8] = []

  init(
    _ output: OrderedOutput, list: Int, redactor: Redactor, isEager: Bool, styles: TerminalStyles
  ) {
    self.styles = styles
    self.output = output
    self.list = list
    self.redactor = redactor
    self.isEager = isEager
  }

  /// A line of results for people.
  mutating func line(_ line: StyledText) throws(CommandError) {
    if styles.results.isPlain { return try self.line { $0 += line.text.utf8 } }
    bytes += styles.results.text(line.mapText(redactor.redacted)).utf8
    try flushIfDue()
  }

  /// A line of results for programs, written by `write` without its end.
  mutating func line(_ write: (inout [UInt8]) -> Void) throws(CommandError) {
    if redactor.isEmpty, styles.results.isPlain {
      write(&bytes)
    } else {
      var line: [UInt8] = []
      write(&line)
      let redacted = redactor.redacted(line)
      bytes += styles.results.isPlain ? redacted : Terminal.visible(redacted)
    }
    bytes.append(0x0A)
    try flushIfDue()
  }

  private mutating func flushIfDue() throws(CommandError) {
    if isEager || bytes.count >= Self.pieceSize { try flush() }
  }

  /// A line on stderr, behind all results so far.
  mutating func error(_ line: StyledText) throws(CommandError) { try error([line]) }

  /// Lines on stderr, behind all results so far.
  mutating func error(_ lines: [StyledText]) throws(CommandError) {
    try flush()
    let bytes = Array(lines.mapText(redactor.redacted).map(styles.messages.text).joined().utf8)
    try output.put(PrintedPiece(stream: .messages, bytes: bytes), size: bytes.count, of: list)
  }

  mutating func flush() throws(CommandError) {
    guard !bytes.isEmpty else { return }
    let piece = bytes
    bytes.removeAll(keepingCapacity: true)
    try output.put(PrintedPiece(stream: .results, bytes: piece), size: piece.count, of: list)
  }
}
