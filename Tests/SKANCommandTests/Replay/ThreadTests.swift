import SKANBase
import SKANDevice
import SKANHTTP
import SKANSystem
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The threads of a replay", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ThreadTests {
  private static let names = (1...8).map { "list\($0).jsonl" }

  @Test("Where the system gives none or few, those that there are live every list", arguments: [0, 1, 2, 7])
  func few(available: Int) {
    let world = World { $0.cores = 8 }
    for name in Self.names { world[name] = #"{"op":"register"}"# + "\n" + #"{"op":"session"}"# + "\n" }
    let left = Atomic(available)
    var environment = world.environment
    environment.startThread = { body in
      guard left.wrappingSubtract(1, ordering: .relaxed).oldValue > 0 else { return false }
      return WorkerThread.start(body)
    }
    let code = CommandLineTool.run(["replay", "--jobs", "8"] + Self.names, in: environment)
    #expect(code == .ok)
    #expect(world.output.contains("16 steps"), "\(world.output)")
  }
}
