import SKANBase

/// Distributes numbered parts of work to threads and delivers their results in the order of the parts.
///
/// Results of the first part that has not ended are delivered at once. Those of later parts are kept, up to a size at
/// which their threads wait. A held queue delivers nothing until ``release()``.
///
/// `Failure` is why delivering or taking parts stopped; only the first is kept.
package final class OrderedQueue<Element, Failure: Error>: @unchecked Sendable {
  private struct Part {
    var pending: [Element] = []
    var size = 0
    var hasEnded = false
    var isLast = false
  }

  private struct State {
    /// The parts that have state, by number.
    var parts: [Int: Part] = [:]
    /// The first part that has not ended.
    var head = 0
    /// The number of parts taken.
    var taken = 0
    var isHeld: Bool
    /// Whether nothing more is delivered.
    var isOver = false
    var failure: Failure?
  }

  private let state: Monitor<State>
  private let room: Int
  /// Called while ``state`` is locked.
  private let deliver: (Element) throws(Failure) -> Void

  /// - Parameters:
  ///   - room: the size of the results that a part may keep; beyond it the thread of the part waits.
  ///   - isHeld: whether everything is kept until ``release()``.
  ///   - deliver: receives the results; called by one thread at a time, in order.
  package init(room: Int, isHeld: Bool = false, deliver: @escaping (Element) throws(Failure) -> Void) {
    self.room = room
    self.deliver = deliver
    state = Monitor(State(isHeld: isHeld))
  }

  // MARK: Parts

  /// Takes the next part, which `next` returns while it has exclusive access to the queue; nil after the last part and
  /// after a failure. An error of `next` is a failure.
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

  /// Marks a part as ended.
  ///
  /// - Parameter isLast: whether later parts have no results either.
  package func end(_ number: Int, isLast: Bool = false) {
    state.change { state in
      state.parts[number, default: Part()].hasEnded = true
      state.parts[number, default: Part()].isLast = isLast
      if !state.isHeld { advance(&state) }
    }
  }

  // MARK: Delivery

  /// Delivers a result of a part, or keeps it for later.
  ///
  /// - Throws: the failure of this or an earlier delivery.
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

  /// Waits until a part is the first that has not ended, calls `body` with exclusive access to the queue, and ends the
  /// part.
  ///
  /// After a failure `body` is not called. An error of `body` is a failure.
  package func inTurn(of number: Int, _ body: () throws(Failure) -> Void) {
    state.wait(until: { $0.failure != nil || $0.head == number }) { state in
      if state.failure != nil { return }
      do throws(Failure) { try body() } catch { state.failure = error }
    }
    end(number)
  }

  /// Drops the results kept for a part, if the queue is held.
  package func discard(_ number: Int) {
    state.withLock { state in if state.isHeld { state.parts[number]?.pending = [] } }
  }

  /// Delivers what was held, and everything that follows.
  package func release() throws(Failure) {
    try state.change { (state) throws(Failure) in
      state.isHeld = false
      advance(&state)
      if let failure = state.failure { throw failure }
    }
  }

  /// Stops taking and delivering.
  package func fail(_ failure: Failure) { state.change { $0.failure = $0.failure ?? failure } }

  /// The first failure.
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
  /// A queue for parts without results; see ``inTurn(of:_:)``.
  package convenience init() { self.init(room: 0, deliver: { _ throws(Failure) in }) }
}
