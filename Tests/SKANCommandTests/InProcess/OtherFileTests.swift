import SKANCommand
import Testing

@Suite("A file in the place of another")
struct OtherFileTests {
  private func world() -> World {
    let world = World.registered()
    world["list.jsonl"] = "# a life\n{\"op\":\"register\"}\n{\"op\":\"session\"}\n"
    world["model.json"] = "{\n\"postback_mappings\":[]\n}"
    return world
  }

  @Test(
    "It is named as what it is",
    arguments: [
      ("session --model list.jsonl", "list.jsonl:1:1: this is an event list; 'skan replay list.jsonl' runs it\n"),
      ("model explain list.jsonl", "list.jsonl:1:1: this is an event list; 'skan replay list.jsonl' runs it\n"),
      (
        "session --model skan-state.json", "skan-state.json:1:1: this is a device file; --state takes it\n"
      ),
      (
        "verify model.json",
        "model.json:1:1: this is a conversion model; 'skan model check model.json' checks it, --model takes it\n"
      ),
    ])
  func named(line: String, words: String) {
    #expect(world().run(line) == Consequences(.badData, err: words))
  }

  @Test("A device file that breaks off", arguments: [0, 1, 100, -3])
  func truncated(length: Int) {
    let world = world()
    let text = world[Changes.state] ?? ""
    world[Changes.state] = String(length < 0 ? text.dropLast(-length) : text.prefix(length))
    let result = world.run("session")
    #expect(result.code == .badData)
    #expect(result.err.contains(": not JSON: the text ends too early; 'skan install --force' starts anew\n"))
    #expect(world.run("install --force").code == .ok)
  }
}
