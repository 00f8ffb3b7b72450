/// The last requests and answers as JSON Lines; they are given on as whole lines.
struct Journal {
  /// How many lines are kept for `GET /journal`.
  static let limit = 10_000
  /// How many bytes they may have together; the oldest go first.
  static let byteLimit = 8 << 20

  /// A ring: the oldest line is at ``first``.
  private var lines: [[UInt8]] = []
  private var first = 0
  private var count = 0
  private var size = 0
  private var pending: [UInt8] = []
  /// Takes lines with their ends, all that there are in one piece.
  private let keep: ([UInt8]) -> Void

  init(keep: @escaping ([UInt8]) -> Void) { self.keep = keep }

  /// - Parameter line: with its end.
  mutating func append(_ line: [UInt8]) {
    pending += line
    if count == Self.limit { removeFirst() }
    let place = (first + count) % Self.limit
    if place < lines.count { lines[place] = line } else { lines.append(line) }
    count += 1
    size += line.count
    while size > Self.byteLimit, count > 1 { removeFirst() }
  }

  private mutating func removeFirst() {
    size -= lines[first].count
    lines[first] = []
    first = (first + 1) % Self.limit
    count -= 1
  }

  /// Gives on what came since the last time.
  mutating func flush() {
    guard !pending.isEmpty else { return }
    keep(pending)
    pending.removeAll(keepingCapacity: pending.capacity <= 1 << 20)
  }

  /// The lines, oldest first.
  var text: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(size)
    for number in 0..<count { text += lines[(first + number) % Self.limit] }
    return text
  }

  mutating func clear() {
    lines = []
    first = 0
    count = 0
    size = 0
  }
}
