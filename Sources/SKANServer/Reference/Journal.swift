/// The last requests and answers as JSON Lines; they are given on as whole lines.
struct Journal {
  /// How many lines are kept for `GET /journal`.
  static let limit = 10_000

  private var lines: [[UInt8]] = []
  private var next = 0
  private var pending: [UInt8] = []
  /// Takes lines with their ends, all that there are in one piece.
  private let keep: ([UInt8]) -> Void

  init(keep: @escaping ([UInt8]) -> Void) { self.keep = keep }

  /// - Parameter line: with its end.
  mutating func append(_ line: [UInt8]) {
    pending += line
    if lines.count < Self.limit {
      lines.append(line)
    } else {
      lines[next] = line
      next = (next + 1) % Self.limit
    }
  }

  /// Gives on what came since the last time.
  mutating func flush() {
    guard !pending.isEmpty else { return }
    keep(pending)
    pending.removeAll(keepingCapacity: pending.capacity <= 1 << 20)
  }

  /// The lines, oldest first.
  var text: [UInt8] { Array((lines[next...] + lines[..<next]).joined()) }

  mutating func clear() {
    lines = []
    next = 0
  }
}
