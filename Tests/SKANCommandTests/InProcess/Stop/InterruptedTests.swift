import SKANCommand
import Testing

/// The user stops a command at each moment at which it looks whether that is so.
@Suite("Interrupted")
struct InterruptedTests {
  private static let events = """
    device,time,name,revenue,currency
    a,1767225600,install,,
    a,1767229200,purchase,5,USD
    b,1767225600,install,,
    b,1767312000,tutorial_done,,
    c,1767225600,install,,
    c,1771000000,purchase,9,USD

    """
  private static let list = """
    {"op":"device","device":"a"}
    {"op":"register","device":"a","at":1767225600}
    {"op":"revenue","device":"a","after":"1h","amount":7,"currency":"USD"}
    {"op":"event","device":"a","name":"purchase"}

    """

  private func world() throws -> World {
    let world = try World.withPostbacks()
    world["model.json"] = try Workspace.exampleModel("mixed")
    world["events.csv"] = Self.events
    world["list.jsonl"] = Self.list
    world["received.jsonl"] = ""
    return world
  }

  @Test(
    "Nothing is printed and nothing is written, or all of it",
    arguments: [
      "import --quiet -o out.jsonl events.csv", "import --quiet -o - events.csv", "import --quiet --check events.csv",
      "backtest --model model.json events.csv", "backtest --model model.json --grouped events.csv",
      "backtest --model model.json list.jsonl", "backtest --model model.json --grouped list.jsonl",
      "model fit --quiet --values 3 --events purchase events.csv",
      "model fit --quiet --values 3 --events purchaze events.csv", "timeline list.jsonl", "report received.jsonl",
      "verify --key public.pem 1.json", "receive --key public.pem --into new.jsonl 1.json 2.json",
    ])
  func anyMoment(line: String) throws {
    let whole = try world().run(line)
    // A name that no device has is looked for in the whole input.
    #expect(whole.code == (line.contains("purchaze") ? .badData : .ok), "\(whole)")
    var moments = 0
    while moments < 100_000 {
      let world = try world()
      world.set { $0.looksBeforeInterrupt = moments }
      let run = world.run(line)
      if run == whole { break }
      #expect(run.code == .interrupted && run.out.isEmpty, "\(moments): \(run)")
      // The file of received postbacks is made before the first of them is looked at.
      #expect(run.changes.isEmpty || world["new.jsonl"] == "", "\(moments): \(run)")
      #expect(run.err.hasSuffix("skan: interrupted\n"))
      moments += max(1, moments / 4)
    }
    #expect((1..<100_000).contains(moments))
  }
}
