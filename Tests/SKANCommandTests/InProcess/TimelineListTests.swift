import SKANCommand
import Testing

@Suite("skan timeline: lists")
struct TimelineListTests {
  private static let register = "{\"op\":\"register\",\"at\":\"2026-01-01T00:00:00Z\"}"

  @Test("Of many phones the first five are named")
  func manyPhones() {
    let world = World()
    world["many.jsonl"] = (0..<7).map { "{\"op\":\"device\",\"device\":\"p\($0)\"}\n" }.joined()
    let names = #""p0", "p1", "p2", "p3", "p4" and 2 more"#
    #expect(
      world.run("timeline many.jsonl")
        == .usage("many.jsonl has 7 phones; choose one with --device: \(names)", command: "timeline"))
    #expect(
      world.run("timeline many.jsonl --device x")
        == .usage("many.jsonl has no phone \"x\"; it has \(names)", command: "timeline"))
  }

  @Test("A list that includes another is drawn as the whole")
  func included() {
    let world = World()
    world["outer.jsonl"] = "{\"op\":\"include\",\"file\":\"inner.jsonl\"}\n"
    world["inner.jsonl"] = Self.register + "\n"
    let drawn = world.run("timeline inner.jsonl")
    #expect(drawn.code == .ok && world.run("timeline outer.jsonl") == drawn)
  }

  @Test("Mistakes in a pipe are found on the way; standard input is one, and not for the key, too")
  func pipes() {
    let world = World { $0.streams["pipe"] = [Self.register, "{\"op\":\"sesion\"}"] }
    let run = world.run("timeline pipe")
    #expect(run.code == .badData && run.out.isEmpty && run.err.hasPrefix("pipe:2:7: "), "\(run)")
    world.set { $0.streams["pipe"] = [Self.register] }
    world["list.jsonl"] = Self.register + "\n"
    #expect(world.run("timeline pipe") == world.run("timeline list.jsonl"))
    #expect(
      world.run("timeline - --sdk-key-file -")
        == .usage("standard input cannot be both the list and the SDK key", command: "timeline"))
    #expect(world.run("timeline", "") == .usage("an argument is empty: name an event list", command: "timeline"))
  }

  @Test(
    "A drawing does not take the place of a file of options",
    arguments: ["event-aliases-file", "rates", "sdk-key-file", "variables-file"])
  func replaced(option: String) {
    let world = World()
    world["list.jsonl"] = Self.register + "\n"
    world["x"] = "before"
    #expect(
      world.run("timeline list.jsonl --\(option) x --svg x")
        == .usage("--svg would replace the file of --\(option)", command: "timeline"))
  }

  @Test("A phone that lives by the real clock is drawn as of now; a time beyond all years is refused")
  func clock() {
    let world = World()
    world.run("install")
    #expect(world.run("timeline").out.contains("Times count from 2026-06-01T12:00:00Z, the moment of this drawing."))
    #expect(
      world.run("timeline --at +3652058d") == .usage("--at leaves the years 1 to 9999", command: "timeline"))
  }

  @Test("A wrong time is reported before a device file that does not exist")
  func wrongTime() {
    #expect(World().run("timeline --at yesterdy").err.hasPrefix("skan: --at must be an ISO 8601 instant"))
  }
}
