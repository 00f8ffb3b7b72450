import SKANBase
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Which lists a command line names")
struct ListNameTests {
  private func world(_ names: String...) -> World {
    let world = World()
    for name in names { world[name] = #"{"op":"details"}"# }
    return world
  }

  /// The lists of a replay, in their order.
  private func lists(_ world: World, _ arguments: String) -> [String] {
    let result = world.run("replay --test \(arguments)")
    if result.code != .ok { return [result.err] }
    return result.out.split(separator: "\n").dropLast().map { $0.split(separator: " ")[1] }.map(String.init)
  }

  @Test("All lists of a directory and those below, in the order of their paths")
  func directory() {
    let world = world("d/b.jsonl", "d/a.jsonl", "d/sub/c.jsonl", "d/B.jsonl", "e/x.jsonl")
    #expect(lists(world, "d") == ["d/B.jsonl", "d/a.jsonl", "d/b.jsonl", "d/sub/c.jsonl"])
    #expect(lists(world, "d/") == ["d/B.jsonl", "d/a.jsonl", "d/b.jsonl", "d/sub/c.jsonl"])
    #expect(lists(world, "e d/sub e") == ["e/x.jsonl", "d/sub/c.jsonl", "e/x.jsonl"])
  }

  @Test("What is no list, hidden, or there to be included is passed over in a directory, not when it is named")
  func passedOver() {
    let world = world(
      "d/a.jsonl", "d/model.json", "d/README.md", "d/_start.jsonl", "d/.hidden.jsonl", "d/_parts/b.jsonl",
      "d/.git/c.jsonl", "d/jsonl")
    #expect(lists(world, "d") == ["d/a.jsonl"])
    #expect(lists(world, "d/_start.jsonl d/jsonl") == ["d/_start.jsonl", "d/jsonl"])
  }

  @Test("A pattern stands for what matches it; a name that exists for itself")
  func pattern() {
    let world = world("a1.jsonl", "a2.jsonl", "b.jsonl", "what?.jsonl")
    #expect(lists(world, "a*.jsonl") == ["a1.jsonl", "a2.jsonl"])
    #expect(lists(world, "a?.jsonl b.jsonl") == ["a1.jsonl", "a2.jsonl", "b.jsonl"])
    #expect(lists(world, "what?.jsonl") == ["what?.jsonl"])
  }

  @Test("Nothing found is an error, unless --allow-empty")
  func nothing() {
    let world = world("a.jsonl", "empty/model.json")
    #expect(
      lists(world, "empty") == ["skan: no list (*.jsonl) is under empty; --allow-empty lets that pass\n"])
    #expect(lists(world, "x*") == ["skan: nothing matches x*; --allow-empty lets that pass\n"])
    #expect(world.run("replay --test empty").code == .noInput)
    #expect(lists(world, "empty x* a.jsonl --allow-empty") == ["a.jsonl"])
    #expect(
      world.run("replay --test empty --allow-empty")
        == Consequences(out: "0 files, 0 steps, 0 expectations, 0 failed; 0 ms\n"))
    // A name that is meant is one that has to be there.
    #expect(world.run("replay --test none.jsonl --allow-empty").code == .noInput)
  }

  @Test("Everything that is not found is reported")
  func all() {
    let result = world("a.jsonl").run("replay none.jsonl x* a.jsonl")
    #expect(
      result
        == Consequences(
          .noInput,
          err: """
            skan: none.jsonl does not exist; name an event list, or - for standard input
            skan: nothing matches x*; --allow-empty lets that pass

            """))
  }

  @Test(
    "Refused",
    arguments: [
      ("**/a.jsonl", "\"**\" stands for no directories; name one: it stands for all lists below it"),
      ("- -", "standard input can be one list only"),
      ("- --sdk-key-file -", "standard input cannot be both the list and the SDK key"),
    ])
  func refused(arguments: String, words: String) {
    #expect(world("a.jsonl").run("replay \(arguments)") == .usage(words, command: "replay"))
  }

  @Test("An empty argument")
  func empty() {
    #expect(
      world("a.jsonl").run("replay", "") == .usage("an argument is empty: name an event list", command: "replay"))
  }

  @Test("A directory that cannot be read")
  func locked() {
    let world = world("d/a.jsonl")
    world.set { $0.failures["entries d"] = .unreadable(file: "d", reason: "Permission denied") }
    #expect(world.run("replay d") == Consequences(.noInput, err: "skan: cannot read d: Permission denied\n"))
  }

  @Test(
    "Lists include what is below their own folder, or below one that is named",
    arguments: [
      ("d/parts/x", "", true), ("d/x", "", true), ("d/../x", "", false), ("d/parts/../../x", "", false),
      ("/x", "", false),
      ("d/../x", "--allow-include .", true), ("d/../e/x", "--allow-include e", true),
      ("d/../f/x", "--allow-include e", false), ("/e/x", "--allow-include /e", true),
      ("/f/x", "--allow-include /e --allow-include /f/", true), ("/ex", "--allow-include /e", false),
    ])
  func includes(path: String, options: String, isAllowed: Bool) {
    let world = World()
    world["d/a.jsonl"] = #"{"op":"include","file":"\#(path.hasPrefix("d/") ? String(path.dropFirst(2)) : path)"}"#
    world[path] = #"{"op":"register"}"#
    let result = world.run("replay -q d/a.jsonl \(options)")
    #expect(result.code == (isAllowed ? .ok : .badData))
    #expect(isAllowed || result.err.contains("is not below the list's own folder; --allow-include DIR"))
  }
}
