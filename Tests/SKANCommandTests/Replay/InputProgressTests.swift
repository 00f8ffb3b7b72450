import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The progress bar of inputs")
struct InputProgressTests {
  @Test("A terminal shows how much of the inputs is read, and the bar goes at the end")
  func progress() throws {
    let world = World { $0.isTerminal = true }
    world["a"] = String(repeating: "x", count: 4 << 20)
    let start = Instant.listStart
    world.set { $0.now = start }
    do {
      let inputs = PackedInputs(count: 2, mostUnpacked: 1 << 30, isWatched: true, world.environment)
      let source = try inputs.open("a")
      #expect(try source.beginning(1 << 20).count == 1 << 20)
      #expect(world.errors.isEmpty)
      world.set { $0.now = Instant(microseconds: start.microseconds + 2_000_000) }
      #expect(try source.beginning(1 << 20).count == 1 << 20)
      #expect(world.errors == "\r\u{1B}[K[######..................] 25%  1 MiB/s  6s left")
      // The bar stays as long as the source is used.
      #expect(try source.beginning(0).isEmpty)
    }
    #expect(world.errors.hasSuffix("left\r\u{1B}[K"))
    for isPiped in [false, true] {
      let world = World {
        ($0.isTerminal, $0.isPiped) = (true, isPiped)
        $0.now = start
      }
      world["a"] = String(repeating: "x", count: 4 << 20)
      let inputs = PackedInputs(count: 1, mostUnpacked: 1 << 30, isWatched: isPiped, world.environment)
      let source = try inputs.open("a")
      world.set { $0.now = Instant(microseconds: start.microseconds + 2_000_000) }
      #expect(try source.beginning(1 << 20).count == 1 << 20)
      #expect(world.errors.isEmpty)
    }
  }
}
