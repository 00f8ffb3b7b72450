import SKANDevice
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The phone's time")
struct TimeTests {
  /// 2026-06-01T12:00:00Z, the real clock of the tests.
  private let now = 1_780_315_200

  private func beginning(_ world: World, _ options: String = "") -> String {
    let out = world.run("relaunch --json \(options)").out
    return out.firstMatch(of: /"at":([-0-9.]+),/).map { String($0.output.1) } ?? out
  }

  private func real() -> World {
    let world = World()
    world.run("register")
    return world
  }

  @Test("The real clock runs until a time is given")
  func realClock() {
    let world = real()
    world.set { $0.now = Instant(microseconds: 1_780_315_200_250_000) }
    #expect(beginning(world) == "\(now).25")
    #expect(world[Changes.state]?.contains("\"virtual\": false") == true)
  }

  @Test("From the first time on each step begins where the last one ended", arguments: ["--at +2d", "--after 2d"])
  func virtual(option: String) {
    let world = real()
    #expect(beginning(world, option) == "\(now + 172_800)")
    #expect(beginning(world) == "\(now + 172_800)")
    world.run("session --took 1500ms --answer", Answer.ok)
    #expect(beginning(world) == "\(now + 172_801).5")
  }

  @Test("--at now goes back to the real clock")
  func atNow() {
    let world = World.registered()
    #expect(beginning(world) == "\(World.start)")
    #expect(beginning(world, "--at now") == "\(now)")
    world.set { $0.now = Instant(microseconds: 1_780_315_300_000_000) }
    #expect(beginning(world) == "\(now + 100)")
    #expect(beginning(world, "--after 1h") == "\(now + 3700)")
    #expect(beginning(world) == "\(now + 3700)")
  }

  @Test("--at +… counts from the first step that had a time, --after from the end of the last")
  func origins() {
    let world = real()
    #expect(beginning(world, "--at 2026-07-01T00:00:00Z") == "1782864000")
    #expect(beginning(world, "--at +1h") == "1782867600")
    #expect(beginning(world, "--at +2h") == "1782871200")
    #expect(beginning(world, "--after 30m") == "1782873000")
    #expect(beginning(world, "--after 30m") == "1782874800")
    #expect(beginning(world, "--at +1h") == "1782867600")
  }

  @Test("The first +… of a phone without times counts from its first step")
  func firstOffset() {
    let world = real()
    world.set { $0.now = Instant(microseconds: 1_780_400_000_000_000) }
    #expect(beginning(world, "--at +1d") == "\(now + 86_400)")
    #expect(beginning(world, "--at +1d1h") == "\(now + 90_000)")
  }

  @Test(
    "Forms of an instant",
    arguments: [
      ("1767229200", "1767229200"), ("1767229200.5", "1767229200.5"), ("0", "0"),
      ("2026-01-01T01:00:00Z", "1767229200"), ("2026-01-01T03:00:00+02:00", "1767229200"),
      ("2025-12-31T20:30:00.125-04:30", "1767229200.125"), ("+1h", "1767229200"), ("+0.5h30m", "1767229200"),
      ("+1d500ms", "1767312000.5"),
    ])
  func forms(text: String, seconds: String) {
    #expect(beginning(.registered(), "--at=\(text)") == seconds)
  }

  @Test("A clock that is set back is reported")
  func back() {
    let world = World.registered()
    #expect(
      world.run("relaunch --at 2025-12-30T21:00:00Z")
        == Consequences(
          out: "relaunched         A new app process; the kept values stay.\n"
            + "  note: The phone's clock went back by 1d3h. [clock-went-back]\n",
          changes: ["process.launches: 1 → 2", "time.end: \(World.start) → \(World.start - 97_200)"]))
  }

  @Test("An answer by the real clock takes what it took, by a virtual one only --took")
  func took() {
    let ended = { (world: World) in
      world.set { state in
        state.network = { [weak world] url, _ in
          world?.set { $0.now = Instant(microseconds: $0.now.microseconds + 2_000_000) }
          return .failure(.noSuchHost)
        }
      }
      let out = world.run("session --endpoint http://h --json").out
      return out.firstMatch(of: /"at":([0-9]+),.*"ended_at":([0-9]+),/).map { (String($0.1), String($0.2)) }
    }
    #expect(ended(real()) ?? ("", "") == ("\(now)", "\(now + 2)"))
    #expect(ended(World.registered()) ?? ("", "") == ("\(World.start)", "\(World.start)"))
  }

  @Test("details asks about a moment and moves no clock")
  func details() {
    let world = World.registered()
    #expect(world.run("details --at +3d --expect window=1 --expect at=1767484800 -q").code == .ok)
    #expect(beginning(world) == "\(World.start)")
  }
}
