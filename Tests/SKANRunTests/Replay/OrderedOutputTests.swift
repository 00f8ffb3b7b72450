import Foundation
import SKANRun
import Synchronization
import Testing

@Suite("The order of what lists print")
struct OrderedOutputTests {
  private struct Full: Error, Equatable {}

  /// What was printed.
  private final class Printed: Sendable {
    private let texts = Mutex((output: "", errors: ""))

    var output: String { texts.withLock { $0.output } }
    var errors: String { texts.withLock { $0.errors } }

    func ordered(_ count: Int, isHeld: Bool = false, isFull: Bool = false) -> OrderedOutput<Full> {
      OrderedOutput(
        count: count, isHeld: isHeld,
        writeOutput: { [self] (bytes) throws(Full) in
          if isFull { throw Full() }
          texts.withLock { $0.output += String(decoding: bytes, as: UTF8.self) }
        },
        writeError: { [self] bytes in
          // What is only there to be large.
          if bytes.first == UInt8(ascii: ".") { return }
          texts.withLock { $0.errors += String(decoding: bytes, as: UTF8.self) }
        })
    }
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("The first that has not ended prints at once, the others when those before them have ended")
  func order() throws {
    let printed = Printed()
    let output = printed.ordered(3)
    try output.write(bytes("c1 "), to: .out, of: 2)
    try output.write(bytes("b1 "), to: .out, of: 1)
    #expect(printed.output == "")
    try output.write(bytes("a1 "), to: .out, of: 0)
    #expect(printed.output == "a1 ")
    output.end(2)
    output.end(0)
    #expect(printed.output == "a1 b1 ")
    try output.write(bytes("b2 "), to: .out, of: 1)
    #expect(printed.output == "a1 b1 b2 ")
    output.end(1)
    #expect(printed.output == "a1 b1 b2 c1 ")
  }

  @Test("Both streams, each piece where it belongs")
  func streams() throws {
    let printed = Printed()
    let output = printed.ordered(2)
    try output.write(bytes("b\n"), to: .err, of: 1)
    try output.write(bytes("a\n"), to: .err, of: 0)
    output.end(0)
    output.end(1)
    #expect(printed.errors == "a\nb\n" && printed.output == "")
  }

  @Test("A held output waits altogether")
  func held() throws {
    let printed = Printed()
    let output = printed.ordered(2, isHeld: true)
    try output.write(bytes("a"), to: .out, of: 0)
    output.end(0)
    try output.write(bytes("b"), to: .out, of: 1)
    output.end(1)
    #expect(printed.output == "")
    try output.release()
    #expect(printed.output == "ab")
  }

  @Test("What a list has printed is dropped while it is held, and only then")
  func discarded() throws {
    let printed = Printed()
    let output = printed.ordered(2, isHeld: true)
    try output.write(bytes("a"), to: .out, of: 0)
    try output.write(bytes("b"), to: .out, of: 1)
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
    let output = printed.ordered(3)
    try output.write(bytes("c"), to: .out, of: 2)
    try output.write(bytes("b"), to: .out, of: 1)
    output.end(1, isLast: true)
    try output.write(bytes("a"), to: .out, of: 0)
    output.end(0)
    try output.write(bytes("c"), to: .out, of: 2)
    output.end(2)
    #expect(printed.output == "ab")
  }

  @Test("What hinders the output is thrown to every list that prints after it")
  func failure() throws {
    let printed = Printed()
    let output = printed.ordered(2, isFull: true)
    try output.write(bytes("waits"), to: .err, of: 1)
    #expect(throws: Full()) { try output.write(bytes("a"), to: .out, of: 0) }
    #expect(throws: Full()) { try output.write(bytes("b"), to: .out, of: 1) }
    output.end(0)
    output.end(1)
    #expect(printed.errors == "")
  }

  @Test("From many threads at once, also with more than may wait")
  func threads() throws {
    let printed = Printed()
    let output = printed.ordered(8)
    let block = bytes(String(repeating: ".", count: 3 << 20))
    DispatchQueue.concurrentPerform(iterations: 8) { list in
      for piece in 0..<14 {
        try? output.write(bytes("\(list)-\(piece)\n"), to: .err, of: list)
        if list % 4 == 1 { try? output.write(block, to: .err, of: list) }
      }
      output.end(list)
    }
    #expect(
      printed.errors.split(separator: "\n").map(String.init)
        == (0..<8).flatMap { list in (0..<14).map { "\(list)-\($0)" } })
  }
}
