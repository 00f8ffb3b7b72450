import Foundation

/// What several lists print, in the order of the lists, although they run at the same time.
///
/// The first list that has not ended prints at once; what others print waits, up to a size at which they wait
/// themselves. A held output waits altogether, until all lists are known to be right.
///
/// `Failure` is why a result cannot be written.
package final class OrderedOutput<Failure: Error>: @unchecked Sendable {
  package enum Stream { case out, err }

  /// How many bytes of a list wait for the lists before it.
  private static var mostPending: Int { 32 << 20 }

  private struct Slot {
    var pending: [(stream: Stream, bytes: [UInt8])] = []
    var size = 0
    var hasEnded = false
    var isLast = false
  }

  private let writeOutput: ([UInt8]) throws(Failure) -> Void
  private let writeError: ([UInt8]) -> Void
  private let condition = NSCondition()
  private var slots: [Slot]
  private var head = 0
  private var isHeld: Bool
  /// Nothing more is printed.
  private var isOver = false
  private var failure: Failure?

  /// - Parameters:
  ///   - count: of the lists.
  ///   - isHeld: whether everything waits for ``release()``.
  ///   - writeOutput: writes results; called by one thread at a time, as the next one.
  ///   - writeError: writes everything else.
  package init(
    count: Int, isHeld: Bool, writeOutput: @escaping ([UInt8]) throws(Failure) -> Void,
    writeError: @escaping ([UInt8]) -> Void
  ) {
    self.writeOutput = writeOutput
    self.writeError = writeError
    self.isHeld = isHeld
    slots = Array(repeating: Slot(), count: count)
  }

  /// Prints for a list.
  ///
  /// - Throws: what hindered the output, now or before.
  package func write(_ bytes: [UInt8], to stream: Stream, of list: Int) throws(Failure) {
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
  package func end(_ list: Int, isLast: Bool = false) {
    condition.lock()
    slots[list].hasEnded = true
    slots[list].isLast = isLast
    if !isHeld { advance() }
    condition.broadcast()
    condition.unlock()
  }

  /// Drops what is held of a list, if output is held.
  package func discard(_ list: Int) {
    condition.lock()
    defer { condition.unlock() }
    if isHeld { slots[list].pending = [] }
  }

  /// Prints what was held.
  package func release() throws(Failure) {
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
    switch stream {
    case .err: writeError(bytes)
    case .out: do throws(Failure) { try writeOutput(bytes) } catch { failure = failure ?? error }
    }
  }
}
