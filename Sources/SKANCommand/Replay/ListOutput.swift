import SKANBase
import SKANCommandLine
import SKANRun
import SKANSystem

/// The output of several lists that run at the same time, in the order of the lists.
typealias OrderedOutput = OrderedQueue<PrintedPiece, CommandError>

/// Whole lines of a list for one of the two streams.
final class PrintedPiece: @unchecked Sendable {
  let stream: TextStream
  /// Never changes.
  let text: ByteText

  init(_ stream: TextStream, _ text: consuming ByteText) {
    self.stream = stream
    self.text = text
  }
}

/// The output of one list: whole lines without the SDK key, passed on in large pieces.
final class ListOutput {
  private static let pieceSize = 1 << 16

  private let output: OrderedOutput
  private let list: Int
  private let redactor: Redactor
  /// Whether each line is passed on at once, since a reader may wait for it.
  private let isEager: Bool
  private let styles: TerminalStyles
  /// The results that are not passed on yet, as they are printed.
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

  /// Prints a line of results for people.
  func line(_ line: StyledText) throws(CommandError) {
    bytes.append(styles.results.text(line.mapText(redactor.redacted)))
    try flushIfDue()
  }

  /// Prints a line of results for people. `write` assembles it from parts without line breaks.
  func line(_ write: (inout StyledLine) -> Void) throws(CommandError) {
    line.removeAll()
    write(&line)
    if !redactor.isEmpty || !styles.results.isPlain { return try line(line.styled) }
    bytes.append(line.text)
    bytes.append(UInt8(ascii: "\n"))
    try flushIfDue()
  }

  /// Prints a result for programs, without characters that a terminal would interpret or hide.
  func result(_ result: some JSONWritable) throws(CommandError) {
    if redactor.isEmpty {
      JSONWriter.write(result, into: &bytes)
    } else {
      var line: [UInt8] = []
      JSONWriter.write(result, into: &line)
      bytes.append(String(decoding: Terminal.visible(redactor.redacted(document: line)), as: UTF8.self))
    }
    bytes.append(UInt8(ascii: "\n"))
    try flushIfDue()
  }

  private func flushIfDue() throws(CommandError) {
    if isEager || bytes.count >= Self.pieceSize { try flush() }
  }

  /// Prints lines on stderr, after all results so far.
  func error(_ lines: [StyledText]) throws(CommandError) {
    try flush()
    var text = ByteText()
    for line in lines.redacted(by: redactor) { text.append(styles.messages.text(line)) }
    try put(PrintedPiece(.messages, text))
  }

  func flush() throws(CommandError) {
    if bytes.count == 0 { return }
    // The piece keeps the memory of its text, which is large, instead of a copy.
    var text = ByteText()
    text.grow(by: bytes.capacity)
    swap(&text, &bytes)
    try put(PrintedPiece(.results, text))
  }

  private func put(_ piece: PrintedPiece) throws(CommandError) {
    try output.put(piece, size: piece.text.count, of: list)
  }
}
