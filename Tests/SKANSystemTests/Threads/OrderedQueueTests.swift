import Foundation
import SKANSystem
import Synchronization
import TestSupport
import Testing

@Suite("The order of what threads make", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct OrderedQueueTests {
  fileprivate enum Stream { case out, err }
  fileprivate typealias Queue = OrderedQueue<(stream: Stream, bytes: [UInt8]), Full>

  fileprivate struct Full: Error, Equatable {}

  /// What was printed.
  private final class Printed: Sendable {
    private let texts = Mutex((output: "", errors: ""))

    var output: String { texts.withLock { $0.output } }
    var errors: String { texts.withLock { $0.errors } }

    func ordered(isHeld: Bool = false, isFull: Bool = false) -> Queue {
      Queue(room: 32 << 20, isHeld: isHeld) { [self] (piece) throws(Full) in
        if isFull { throw Full() }
        // What is only there to be large.
        if piece.bytes.first == UInt8(ascii: ".") { return }
        let text = String(decoding: piece.bytes, as: UTF8.self)
        texts.withLock { if piece.stream == .out { $0.output += text } else { $0.errors += text } }
      }
    }
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("The first that has not ended prints at once, the others when those before them have ended")
  func order() throws {
    let printed = Printed()
    let output = printed.ordered()
    try output.put(bytes("c1 "), to: .out, of: 2)
    try output.put(bytes("b1 "), to: .out, of: 1)
    #expect(printed.output == "")
    try output.put(bytes("a1 "), to: .out, of: 0)
    #expect(printed.output == "a1 ")
    output.end(2)
    output.end(0)
    #expect(printed.output == "a1 b1 ")
    try output.put(bytes("b2 "), to: .out, of: 1)
    #expect(printed.output == "a1 b1 b2 ")
    output.end(1)
    #expect(printed.output == "a1 b1 b2 c1 ")
  }

  @Test("Both streams, each piece where it belongs")
  func streams() throws {
    let printed = Printed()
    let output = printed.ordered()
    try output.put(bytes("b\n"), to: .err, of: 1)
    try output.put(bytes("a\n"), to: .err, of: 0)
    output.end(0)
    output.end(1)
    #expect(printed.errors == "a\nb\n" && printed.output == "")
  }

  @Test("A held output waits altogether")
  func held() throws {
    let printed = Printed()
    let output = printed.ordered(isHeld: true)
    try output.put(bytes("a"), to: .out, of: 0)
    output.end(0)
    try output.put(bytes("b"), to: .out, of: 1)
    output.end(1)
    #expect(printed.output == "")
    try output.release()
    #expect(printed.output == "ab")
  }

  @Test("What a list has printed is dropped while it is held, and only then")
  func discarded() throws {
    let printed = Printed()
    let output = printed.ordered(isHeld: true)
    try output.put(bytes("a"), to: .out, of: 0)
    try output.put(bytes("b"), to: .out, of: 1)
    output.discard(0)
    try output.release()
    output.discard(1)
    output.end(0)
    output.end(1)
    #expect(printed.output == "b")
  }

  @Test("After the last list nothing is printed, whenever it came")
  func last() throws {
    let printed = Printed()
    let output = printed.ordered()
    try output.put(bytes("c"), to: .out, of: 2)
    try output.put(bytes("b"), to: .out, of: 1)
    output.end(1, isLast: true)
    try output.put(bytes("a"), to: .out, of: 0)
    output.end(0)
    try output.put(bytes("c"), to: .out, of: 2)
    output.end(2)
    #expect(printed.output == "ab")
  }

  @Test("What hinders the output is thrown to every list that prints after it")
  func failure() throws {
    let printed = Printed()
    let output = printed.ordered(isFull: true)
    try output.put(bytes("waits"), to: .err, of: 1)
    #expect(throws: Full()) { try output.put(bytes("a"), to: .out, of: 0) }
    #expect(throws: Full()) { try output.put(bytes("b"), to: .out, of: 1) }
    output.end(0)
    output.end(1)
    #expect(printed.errors == "")
  }

  @Test("Of what waits nothing is delivered after a failure")
  func failedWhileWaiting() throws {
    let delivered = Monitor<[Int]>([])
    let queue = OrderedQueue<Int, Full>(room: 9) { number throws(Full) in
      delivered.withLock { $0.append(number) }
      if number == 2 { throw Full() }
    }
    for number in 1...3 { try queue.put(number, size: 1, of: 1) }
    queue.end(0)
    #expect(delivered.withLock { $0 } == [1, 2] && queue.failure == Full())
  }

  @Test("From many threads at once, also with more than may wait")
  func threads() throws {
    let printed = Printed()
    let output = printed.ordered()
    let block = bytes(String(repeating: ".", count: 3 << 20))
    DispatchQueue.concurrentPerform(iterations: 8) { list in
      for piece in 0..<14 {
        try? output.put(bytes("\(list)-\(piece)\n"), to: .err, of: list)
        if list % 4 == 1 { try? output.put(block, to: .err, of: list) }
      }
      output.end(list)
    }
    var expected: [Substring] = []
    for list in 0..<8 { for piece in 0..<14 { expected.append("\(list)-\(piece)") } }
    #expect(printed.errors.split(separator: "\n") == expected)
  }

  @Test(
    "What waits of a part is no more than there is room for: its thread goes on when it is the first, or at a failure")
  func room() throws {
    for isFailing in [false, true] {
      let queue = OrderedQueue<Int, Full>(room: 1) { _ throws(Full) in if isFailing { throw Full() } }
      try queue.put(1, size: 2, of: 1)
      let outcome = Monitor<Bool?>(nil)
      let threads = ThreadGroup()
      #expect(
        threads.start {
          let isIn = (try? queue.put(2, size: 1, of: 1)) != nil
          outcome.change { $0 = isIn }
        })
      #expect(!outcome.wait(seconds: 0.1) { $0 != nil })
      if isFailing { queue.fail(Full()) } else { queue.end(0) }
      threads.join()
      #expect(outcome.withLock { $0 } == !isFailing)
    }
  }

  @Test("Parts are taken in order by several threads, and ended in order", arguments: [1, 2, 8])
  func turns(threads: Int) {
    let queue = OrderedQueue<Never, Full>()
    let (input, ended) = (Monitor(0..<200), Monitor<[Int]>([]))
    ThreadGroup.run(threads) {
      while let (number, item) = queue.take({ input.withLock { $0.popFirst() } }) {
        if item % 7 == 0 { SystemClock.sleep(0.001) }
        queue.inTurn(of: number) { ended.withLock { $0.append(number) } }
      }
    }
    #expect(ended.withLock { $0 } == Array(0..<200))
  }

  @Test("After a failure nothing is taken and no turn comes, and the first one counts", arguments: [1, 4])
  func failedTurn(threads: Int) {
    let queue = OrderedQueue<Never, Full>()
    let ended = Monitor<[Int]>([])
    ThreadGroup.run(threads) {
      while let (number, _) = queue.take({ () throws(Full) in true }) {
        queue.inTurn(of: number) { () throws(Full) in
          if number == 3 { throw Full() }
          ended.withLock { $0.append(number) }
        }
      }
    }
    #expect(queue.failure == Full() && ended.withLock { $0 } == [0, 1, 2])
    let broken = OrderedQueue<Never, Full>()
    #expect(broken.take { () throws(Full) -> Int? in throw Full() } == nil && broken.failure == Full())
    #expect(broken.take { 1 } == nil)
  }
}

extension OrderedQueueTests.Queue {
  fileprivate func put(_ bytes: [UInt8], to stream: OrderedQueueTests.Stream, of number: Int) throws {
    try put((stream, bytes), size: bytes.count, of: number)
  }
}

/// A number that several threads change.
final class Counter: @unchecked Sendable {
  private let lock = NSLock()
  private var count: Int

  init(_ count: Int) {
    self.count = count
  }

  var value: Int { lock.withLock { count } }

  /// Takes one away; false when there is none left.
  func takeOne() -> Bool {
    lock.withLock {
      guard count > 0 else { return false }
      count -= 1
      return true
    }
  }

  func add(_ more: Int) {
    lock.withLock { count += more }
  }
}
