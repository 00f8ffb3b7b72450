import SKANRun

/// What one list prints: whole lines, the SDK key taken out, in pieces of some size.
struct ListOutput {
  private static let pieceSize = 1 << 16

  let output: OrderedOutput<CommandError>
  let list: Int
  let redactor: Redactor
  /// Whether each line is printed at once: a reader may wait for it.
  let isEager: Bool
  private var bytes: [UInt8] = []

  init(_ output: OrderedOutput<CommandError>, list: Int, redactor: Redactor, isEager: Bool) {
    self.output = output
    self.list = list
    self.redactor = redactor
    self.isEager = isEager
  }

  /// A line of results.
  mutating func line(_ text: String) throws(CommandError) { try line { $0 += text.utf8 } }

  /// A line of results, written by `write` without its end.
  mutating func line(_ write: (inout [UInt8]) -> Void) throws(CommandError) {
    if redactor.isEmpty {
      write(&bytes)
    } else {
      var line: [UInt8] = []
      write(&line)
      bytes += redactor.redacted(line)
    }
    bytes.append(0x0A)
    if isEager || bytes.count >= Self.pieceSize { try flush() }
  }

  /// A line on stderr, behind all results so far.
  mutating func error(_ text: String) throws(CommandError) {
    try flush()
    try output.write(Array((redactor.redacted(text) + "\n").utf8), to: .err, of: list)
  }

  mutating func flush() throws(CommandError) {
    guard !bytes.isEmpty else { return }
    let piece = bytes
    bytes.removeAll(keepingCapacity: true)
    try output.write(piece, to: .out, of: list)
  }
}
