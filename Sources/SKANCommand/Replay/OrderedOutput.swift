import Foundation

/// What several lists print, in the order of the lists, although they run at the same time.
///
/// The first list that has not ended prints at once; what others print waits, up to a size at which they wait
/// themselves. A held output waits altogether, until all lists are known to be right.
final class OrderedOutput: @unchecked Sendable {
  enum Stream { case out, err }

  /// How many bytes of a list wait for the lists before it.
  private static let mostPending = 32 << 20

  private struct Slot {
    var pending: [(stream: Stream, bytes: [UInt8])] = []
    var size = 0
    var hasEnded = false
    var isLast = false
  }

  private let environment: Environment
  private let progress: ReplayProgress?
  private let condition = NSCondition()
  private var slots: [Slot]
  private var head = 0
  private var isHeld: Bool
  /// Nothing more is printed.
  private var isOver = false
  private var failure: CommandError?

  init(_ environment: Environment, lists: Int, isHeld: Bool, progress: ReplayProgress? = nil) {
    self.environment = environment
    self.progress = progress
    self.isHeld = isHeld
    slots = Array(repeating: Slot(), count: lists)
  }

  /// Prints for a list.
  ///
  /// - Throws: what hindered the output, now or before.
  func write(_ bytes: [UInt8], to stream: Stream, of list: Int) throws(CommandError) {
    condition.lock()
    defer { condition.unlock() }
    while failure == nil, !isHeld, !isOver, list != head, slots[list].size > Self.mostPending { condition.wait() }
    if isOver { return }
    if failure == nil, !isHeld, list == head {
      print(bytes, to: stream)
    } else {
      slots[list].pending.append((stream, bytes))
      slots[list].size += bytes.count
    }
    if let failure { throw failure }
  }

  /// The list prints nothing more.
  ///
  /// - Parameter isLast: the lists after it print nothing at all.
  func end(_ list: Int, isLast: Bool = false) {
    condition.lock()
    slots[list].hasEnded = true
    slots[list].isLast = isLast
    if !isHeld { advance() }
    condition.broadcast()
    condition.unlock()
  }

  /// Drops what is held of a list, if output is held.
  func discard(_ list: Int) {
    condition.lock()
    defer { condition.unlock() }
    if isHeld { slots[list].pending = [] }
  }

  /// Prints what was held.
  func release() throws(CommandError) {
    condition.lock()
    defer { condition.unlock() }
    isHeld = false
    advance()
    if let failure { throw failure }
  }

  private func advance() {
    while head < slots.count {
      for (stream, bytes) in slots[head].pending where failure == nil { print(bytes, to: stream) }
      slots[head].pending = []
      slots[head].size = 0
      guard slots[head].hasEnded else { return }
      if slots[head].isLast { isOver = true }
      head = isOver ? slots.count : head + 1
    }
  }

  private func print(_ bytes: [UInt8], to stream: Stream) {
    guard let progress else { return emit(bytes, to: stream) }
    progress.hidden { emit(bytes, to: stream) }
  }

  private func emit(_ bytes: [UInt8], to stream: Stream) {
    switch stream {
    case .err: environment.writeError(String(decoding: bytes, as: UTF8.self))
    case .out: do throws(CommandError) { try environment.writeOutput(bytes) } catch { failure = failure ?? error }
    }
  }
}

/// What one list prints: whole lines, the SDK key taken out, in pieces of some size.
struct ListOutput {
  private static let pieceSize = 1 << 16

  let output: OrderedOutput
  let list: Int
  let redactor: Redactor
  /// Whether each line is printed at once: a reader may wait for it.
  let isEager: Bool
  private var bytes: [UInt8] = []

  init(_ output: OrderedOutput, list: Int, redactor: Redactor, isEager: Bool) {
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
