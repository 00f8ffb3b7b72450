import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The progress bar")
struct ProgressTests {
  /// A bar of this many bytes at a time that moves.
  private func bar(total: Int) -> (world: World, progress: ProgressBar, after: (Double) -> Void) {
    let world = World()
    let start = Instant.listStart
    world.set { $0.now = start }
    return (
      world, ProgressBar(world.environment, total: total),
      { seconds in
        world.set { $0.now = Instant(microseconds: start.microseconds + Int64(seconds * 1e6)) }
      }
    )
  }

  /// What was written to the terminal, each drawing by itself.
  private func drawings(_ world: World) -> [String] {
    world.errors.components(separatedBy: "\r\u{1B}[K").dropFirst().map { $0 }
  }

  @Test("Not in the first second, then with share, rate and time left")
  func appears() {
    let (world, progress, after) = bar(total: 1000)
    after(0.9)
    progress.advance(read: 100, steps: 10)
    #expect(world.errors == "")
    after(2)
    progress.advance(read: 400, steps: 4000)
    #expect(drawings(world) == ["[############............] 50%  2k steps/s  2s left"])
  }

  @Test("At most ten times a second")
  func rate() {
    let (world, progress, after) = bar(total: 100)
    for step in 0...50 {
      after(1 + Double(step) / 100)
      progress.advance(read: 1, steps: 1)
    }
    #expect((5...6).contains(drawings(world).count))
  }

  @Test(
    "Shares and rates",
    arguments: [
      (0, 0, "[........................] 0%  checking  33m20s left"),
      (10, 999, "[........................] 1%  499 steps/s  3m18s left"),
      (1000, 3_000_000, "[########################] 100%  1.5M steps/s  0s left"),
      // More than was there when it began: a file that grows.
      (5000, 2, "[########################] 100%  1.0 steps/s  0s left"),
      (1000, 1, "[########################] 100%  0.5 steps/s  0s left"),
      (1000, 20, "[########################] 100%  10 steps/s  0s left"),
    ])
  func shown(read: Int, steps: Int, text: String) {
    let (world, progress, after) = bar(total: 1000)
    after(2)
    progress.advance(read: read, steps: steps)
    #expect(drawings(world) == [text])
  }

  @Test("Of a pipe, whose length is not known, steps and rate")
  func pipe() {
    let (world, progress, after) = bar(total: 0)
    after(2)
    progress.advance(read: 77, steps: 10)
    #expect(drawings(world) == ["10 steps, 5.0/s"])
  }

  @Test("It is taken away before something else is printed and at the end, and comes back by itself")
  func hidden() {
    let (world, progress, after) = bar(total: 100)
    after(2)
    progress.advance(read: 50, steps: 2)
    progress.hidden { world.environment.printError(["told"]) }
    #expect(world.errors.hasSuffix("left\r\u{1B}[Ktold\n"))
    after(2.01)
    progress.advance(read: 1, steps: 1)
    #expect(drawings(world).count == 3)
    progress.end()
    #expect(world.errors.hasSuffix("\r\u{1B}[K"))
    let before = world.errors
    progress.end()
    #expect(world.errors == before)
  }

  @Test("The second begins anew after the check")
  func begins() {
    let (world, progress, after) = bar(total: 100)
    after(5)
    progress.begin()
    after(5.5)
    progress.advance(read: 50, steps: 1)
    #expect(world.errors == "")
  }
}
