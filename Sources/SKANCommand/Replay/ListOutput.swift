import SKANBase
import SKANRun
import SKANSystem

/// The output of several lists, in the order of the lists, although they run at the same time.
typealias OrderedOutput = OrderedQueue<PrintedPiece, CommandError>

/// Whole lines that a list prints, for one of the two streams.
struct PrintedPiece: Sendable {
  let stream: TextStream
  let bytes: [UInt8]
}

/// The output of one list: whole lines, the SDK key taken out, in pieces of some size.
final class ListOutput {
  private static let pieceSize = 1 << 16

  private let output: OrderedOutput
  private let list: Int
  private let redactor: Redactor
  /// Whether each line is printed at once: a reader may wait for it.
  private let isEager: Bool
  private let styles: TerminalStyles
  /// Results that were not handed on yet, as they are printed.
  private var bytes = ByteText()
  private var line = StyledLine()

  init(
    _ output: OrderedOutput, list: Int, redactor: Redactor, isEager: Bool, styles: TerminalStyles
  ) {
    self.styles = styles
    self.output = output
    self.list = list
    self.redactor = redactor
    self.isEager = isEager
  }

  /// Makes outputs of the same list for other threads.
  var separate: @Sendable () -> ListOutput {
    { [output, list, redactor, isEager, styles] in
      ListOutput(output, list: list, redactor: redactor, isEager: isEager, styles: styles)
    }
  }

  /// A line of results for people.
  func line(_ line: StyledText) throws(CommandError) {
    bytes.append(styles.results.text(line.mapText(redactor.redacted)))
    try flushIfDue()
  }

  /// A line of results for people, which `write` puts together of parts that are each on one line.
  func line(_ write: (inout StyledLine) -> Void) throws(CommandError) {
    line.removeAll()
    write(&line)
    if !redactor.isEmpty || !styles.results.isPlain { return try line(line.styled) }
    bytes.append(line.text)
    bytes.append(UInt8(ascii: "\n"))
    try flushIfDue()
  }

  /// A result for programs, in which nothing is left that a terminal would act upon or hide.
  func result(_ result: some JSONWritable) throws(CommandError) {
    if redactor.isEmpty {
      JSONWriter.write(result, into: &bytes)
    } else {
      var line: [UInt8] = []
      JSONWriter.write(result, into: &line)
      bytes.append(String(decoding: Terminal.visible(redactor.redacted(line)), as: UTF8.self))
    }
    bytes.append(UInt8(ascii: "\n"))
    try flushIfDue()
  }

  private func flushIfDue() throws(CommandError) {
    if isEager || bytes.count >= Self.pieceSize { try flush() }
  }

  /// A line on stderr, behind all results so far.
  func error(_ line: StyledText) throws(CommandError) { try error([line]) }

  /// Lines on stderr, behind all results so far.
  func error(_ lines: [StyledText]) throws(CommandError) {
    try flush()
    let bytes = Array(lines.mapText(redactor.redacted).map(styles.messages.text).joined().utf8)
    try output.put(PrintedPiece(stream: .messages, bytes: bytes), size: bytes.count, of: list)
  }

  func flush() throws(CommandError) {
    if bytes.count == 0 { return }
    let piece = bytes.array
    bytes.removeAll()
    try output.put(PrintedPiece(stream: .results, bytes: piece), size: piece.count, of: list)
  }
}
