import Foundation
import Testing

@testable import SKANCommand

@Suite("The order of what lists print")
struct OrderedOutputTests {
  private func output(_ world: World, lists: Int, isHeld: Bool = false) -> OrderedOutput {
    OrderedOutput(world.environment, lists: lists, isHeld: isHeld)
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test("The first that has not ended prints at once, the others when those before them have ended")
  func order() throws {
    let world = World()
    let output = output(world, lists: 3)
    try output.write(bytes("c1 "), to: .out, of: 2)
    try output.write(bytes("b1 "), to: .out, of: 1)
    #expect(world.output == "")
    try output.write(bytes("a1 "), to: .out, of: 0)
    #expect(world.output == "a1 ")
    output.end(2)
    output.end(0)
    #expect(world.output == "a1 b1 ")
    try output.write(bytes("b2 "), to: .out, of: 1)
    #expect(world.output == "a1 b1 b2 ")
    output.end(1)
    #expect(world.output == "a1 b1 b2 c1 ")
  }

  @Test("Both streams, each piece where it belongs")
  func streams() throws {
    let world = World()
    let output = output(world, lists: 2)
    try output.write(bytes("b\n"), to: .err, of: 1)
    try output.write(bytes("a\n"), to: .err, of: 0)
    output.end(0)
    output.end(1)
    #expect(world.errors == "a\nb\n" && world.output == "")
  }

  @Test("A held output waits altogether")
  func held() throws {
    let world = World()
    let output = output(world, lists: 2, isHeld: true)
    try output.write(bytes("a"), to: .out, of: 0)
    output.end(0)
    try output.write(bytes("b"), to: .out, of: 1)
    output.end(1)
    #expect(world.output == "")
    try output.release()
    #expect(world.output == "ab")
  }

  @Test("After the last list nothing is printed, whenever it came")
  func last() throws {
    let world = World()
    let output = output(world, lists: 3)
    try output.write(bytes("c"), to: .out, of: 2)
    try output.write(bytes("b"), to: .out, of: 1)
    output.end(1, isLast: true)
    try output.write(bytes("a"), to: .out, of: 0)
    output.end(0)
    try output.write(bytes("c"), to: .out, of: 2)
    output.end(2)
    #expect(world.output == "ab")
  }

  @Test("What hinders the output is told to every list that prints after it")
  func failure() throws {
    let world = World { $0.outputFailure = .outputClosed }
    let output = output(world, lists: 2)
    #expect(throws: CommandError.outputClosed) { try output.write(bytes("a"), to: .out, of: 0) }
    #expect(throws: CommandError.outputClosed) { try output.write(bytes("b"), to: .out, of: 1) }
  }

  @Test("From many threads at once, also with more than may wait")
  func threads() throws {
    let world = World()
    let output = output(world, lists: 8)
    let block = bytes(String(repeating: ".", count: 3 << 20))
    DispatchQueue.concurrentPerform(iterations: 8) { list in
      for piece in 0..<14 {
        try? output.write(bytes("\(list)-\(piece)\n"), to: .err, of: list)
        if list % 4 == 1 { try? output.write(block, to: .err, of: list) }
      }
      output.end(list)
    }
    #expect(
      world.errors.replacing(".", with: "").split(separator: "\n").map(String.init)
        == (0..<8).flatMap { list in (0..<14).map { "\(list)-\($0)" } })
  }
}
