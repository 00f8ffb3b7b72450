import SKANBase

/// The last requests and answers as JSON Lines; they are passed on as whole lines.
final class Journal {
  /// How many lines are kept for `GET /journal`.
  static let limit = 10_000
  /// How many bytes they may have together; the oldest go first.
  static let byteLimit = 8 << 20

  /// A ring: the oldest line is at ``first``.
  private var ring: [[UInt8]] = []
  private var first = 0
  private var count = 0
  private var size = 0
  private var pending = ByteText()
  /// Takes a known key out of a line; nil where none is known.
  private let redact: (([UInt8]) -> [UInt8])?
  /// Takes lines with their ends, all that there are in one piece; nil where nothing is kept outside.
  private let keep: (([UInt8]) -> Void)?

  init(redact: (([UInt8]) -> [UInt8])? = nil, keep: (([UInt8]) -> Void)?) {
    self.redact = redact
    self.keep = keep
  }

  /// - Parameter write: adds a line with its end.
  func append(_ write: (inout ByteText) -> Void) {
    let start = pending.count
    write(&pending)
    if let redact { pending.append(redact(pending.remove(from: start))) }
    let line = pending.array(from: start)
    if count == Self.limit { removeFirst() }
    let index = (first + count) % Self.limit
    if index < ring.count { ring[index] = line } else { ring.append(line) }
    count += 1
    size += line.count
    while size > Self.byteLimit, count > 1 { removeFirst() }
  }

  private func removeFirst() {
    size -= ring[first].count
    ring[first] = []
    first = (first + 1) % Self.limit
    count -= 1
  }

  /// Passes on what came since the last time.
  func flush() {
    guard pending.count > 0 else { return }
    keep?(pending.array)
    if pending.capacity <= 1 << 20 { pending.removeAll() } else { pending = ByteText() }
  }

  /// The lines, oldest first.
  var text: [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(size)
    for number in 0..<count { text += ring[(first + number) % Self.limit] }
    return text
  }

  func clear() {
    ring = []
    first = 0
    count = 0
    size = 0
  }
}
