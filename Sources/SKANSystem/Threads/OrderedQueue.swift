import SKANBase

/// Numbered parts of work that several threads take, and what they make of them in the order of the parts.
///
/// What the first part that has not ended makes is handed on at once; what others make waits, up to a size at which their
/// threads wait themselves. A held queue hands on nothing, until ``release()``.
///
/// `Failure` is why nothing more can be handed on, or taken; the first one counts.
package final class OrderedQueue<Element, Failure: Error>: @unchecked Sendable {
  private struct Part {
    var pending: [Element] = []
    var size = 0
    var hasEnded = false
    var isLast = false
  }

  private struct State {
    /// Those with anything to remember, by number.
    var parts: [Int: Part] = [:]
    /// The first part that has not ended.
    var head = 0
    /// How many parts were taken.
    var taken = 0
    var isHeld: Bool
    /// Nothing more is handed on.
    var isOver = false
    var failure: Failure?
  }

  private let state: Monitor<State>
  private let room: Int
  /// Called with the lock of ``state`` alone.
  private let deliver: (Element) throws(Failure) -> Void

  /// - Parameters:
  ///   - room: the size of what waits of a part; with more its thread waits.
  ///   - isHeld: whether everything waits for ``release()``.
  ///   - deliver: takes what is handed on; called by one thread at a time, as the next one.
  package init(room: Int, isHeld: Bool = false, deliver: @escaping (Element) throws(Failure) -> Void) {
    self.room = room
    self.deliver = deliver
    state = Monitor(State(isHeld: isHeld))
  }

  // MARK: Parts

  /// Takes the next part, as `next` gives it while no other thread has the queue; nil after the last, and after a failure,
  /// which what `next` throws is.
  package func take<Item>(_ next: () throws(Failure) -> Item?) -> (number: Int, item: Item)? {
    state.change { state in
      guard state.failure == nil else { return nil }
      do throws(Failure) {
        guard let item = try next() else { return nil }
        defer { state.taken += 1 }
        return (state.taken, item)
      } catch {
        state.failure = error
        return nil
      }
    }
  }

  /// Nothing more comes of a part.
  ///
  /// - Parameter isLast: nothing comes of the parts after it either.
  package func end(_ number: Int, isLast: Bool = false) {
    state.change { state in
      state.parts[number, default: Part()].hasEnded = true
      state.parts[number, default: Part()].isLast = isLast
      if !state.isHeld { advance(&state) }
    }
  }

  // MARK: What is handed on

  /// Hands on an element of a part, or keeps it for later.
  ///
  /// - Throws: what hinders that, now or before.
  package func put(_ element: Element, size: Int, of number: Int) throws(Failure) {
    try state.wait(until: { [room] state in
      state.failure != nil || state.isHeld || state.isOver || number == state.head
        || state.parts[number]?.size ?? 0 <= room
    }) { (state) throws(Failure) in
      if state.isOver { return }
      if state.failure == nil, !state.isHeld, number == state.head {
        handOn(element, &state)
      } else {
        state.parts[number, default: Part()].pending.append(element)
        state.parts[number, default: Part()].size += size
      }
      if let failure = state.failure { throw failure }
    }
  }

  /// Waits until a part is the first that has not ended, calls `body` while no other thread has the queue, and ends the part.
  ///
  /// Not after a failure, which what `body` throws is.
  package func inTurn(of number: Int, _ body: () throws(Failure) -> Void) {
    state.wait(until: { $0.failure != nil || $0.head == number }) { state in
      if state.failure != nil { return }
      do throws(Failure) { try body() } catch { state.failure = error }
    }
    end(number)
  }

  /// Drops what is held of a part, if the queue is held.
  package func discard(_ number: Int) {
    state.withLock { state in if state.isHeld { state.parts[number]?.pending = [] } }
  }

  /// Hands on what was held.
  package func release() throws(Failure) {
    try state.change { (state) throws(Failure) in
      state.isHeld = false
      advance(&state)
      if let failure = state.failure { throw failure }
    }
  }

  /// Nothing more is taken or handed on.
  package func fail(_ failure: Failure) { state.change { $0.failure = $0.failure ?? failure } }

  /// The first that failed.
  package var failure: Failure? { state.withLock { $0.failure } }

  private func advance(_ state: inout State) {
    while !state.isOver, let part = state.parts[state.head] {
      for element in part.pending where state.failure == nil { handOn(element, &state) }
      guard part.hasEnded else {
        state.parts[state.head] = nil
        return
      }
      state.parts[state.head] = nil
      state.head += 1
      if part.isLast { state.isOver = true }
    }
  }

  private func handOn(_ element: Element, _ state: inout State) {
    do throws(Failure) { try deliver(element) } catch { state.failure = state.failure ?? error }
  }
}

extension OrderedQueue where Element == Never {
  /// For parts that are only waited for; see ``inTurn(of:_:)``.
  package convenience init() { self.init(room: 0, deliver: { _ throws(Failure) in }) }
}
