/// The last requests and answers as JSON Lines; each line is given on as a whole.
struct Journal {
  /// How many lines are kept for `GET /journal`.
  static let limit = 10_000

  private var lines: [String] = []
  private var next = 0
  /// Takes every line, with its end, in one piece.
  private let keep: (String) -> Void

  init(keep: @escaping (String) -> Void) { self.keep = keep }

  mutating func append(_ line: String) {
    keep(line + "\n")
    if lines.count < Self.limit {
      lines.append(line)
    } else {
      lines[next] = line
      next = (next + 1) % Self.limit
    }
  }

  /// The lines, oldest first.
  var text: String {
    (lines[next...] + lines[..<next]).reduce(into: "") { $0 += $1 + "\n" }
  }

  mutating func clear() {
    lines = []
    next = 0
  }
}
