/// The last requests and answers as JSON Lines; each line is given on as a whole.
struct Journal {
  /// How many lines are kept for `GET /journal`.
  static let limit = 10_000

  private var lines: [[UInt8]] = []
  private var next = 0
  /// Takes every line, with its end, in one piece.
  private let keep: ([UInt8]) -> Void

  init(keep: @escaping ([UInt8]) -> Void) { self.keep = keep }

  /// - Parameter line: with its end.
  mutating func append(_ line: [UInt8]) {
    keep(line)
    if lines.count < Self.limit {
      lines.append(line)
    } else {
      lines[next] = line
      next = (next + 1) % Self.limit
    }
  }

  /// The lines, oldest first.
  var text: [UInt8] { Array((lines[next...] + lines[..<next]).joined()) }

  mutating func clear() {
    lines = []
    next = 0
  }
}
