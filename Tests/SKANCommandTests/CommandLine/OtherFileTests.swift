import Foundation
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

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
        "session --model skan-state.json",
        "skan-state.json:1:1: this is a device file; --state takes it: 'skan timeline --state skan-state.json' draws its "
          + "phone, and 'skan replay --state skan-state.json LIST' continues it\n"
      ),
      (
        "verify model.json",
        "model.json:1:1: this is a conversion model; 'skan model check model.json' checks it, --model takes it\n"
      ),
    ])
  func named(line: String, words: String) {
    #expect(world().run(line) == Consequences(.badData, err: words))
  }

  private static let har = #"{"log":{"version":"1.2","entries":[]}}"#
  private static let journal =
    #"{"answer":"{}","explanation":"","path":"/api/v2/conversion_value","query":"a=b","status":200}"#

  @Test(
    "In the place of a list",
    arguments: [
      (
        "skan-state.json",
        "a device file; --state takes it: 'skan timeline --state skan-state.json' draws its phone, "
          + "and 'skan replay --state skan-state.json LIST' continues it"
      ),
      ("model.json", "a conversion model; 'skan model check model.json' checks it, --model takes it"),
      ("short.json", "a conversion model; 'skan model check short.json' checks it, --model takes it"),
      ("life.har", "a capture (HAR); 'skan check life.har' checks it, and its --to-list makes a list from it"),
      ("long.har", "a capture (HAR); 'skan check long.har' checks it, and its --to-list makes a list from it"),
      ("journal", "a journal of 'skan serve'; 'skan check journal' checks it, and its --to-list makes a list from it"),
      ("received.jsonl", "a file of received postbacks; 'skan report received.jsonl' counts them"),
    ])
  func list(file: String, words: String) {
    let world = world()
    world["short.json"] = #"{"postback_mappings":[]}"#
    world["life.har"] = Self.har
    world["long.har"] = Self.har.replacing("{", with: "{\n")
    world["journal"] = Self.journal + "\n" + Self.journal
    world["received.jsonl"] = #"{"received_at":1,"body":"{}"}"#
    let expected = Consequences(.badData, err: "\(file):1:1: this is \(words)\n")
    #expect(world.run("replay \(file)") == expected)
    #expect(world.run("replay --test \(file)").err == expected.err)
    #expect(world.run("timeline \(file)") == expected)
    world["main.jsonl"] = #"{"op":"include","file":"\#(file)"}"#
    #expect(world.run("replay main.jsonl").err.hasPrefix("\(file):1:1: this is \(words) (included from main.jsonl:1)"))
  }

  @Test("A list with a mistake in its first line stays a list, and so does a pipe")
  func lists() {
    let world = world()
    world["list.jsonl"] = "{\"op\":\"sesion\"}\n"
    #expect(world.run("replay list.jsonl").err.contains("there is no op \"sesion\"; did you mean \"session\"?"))
    world["list.jsonl"] = "{\n\"op\":\"session\"}\n"
    #expect(world.run("replay list.jsonl").err.contains("this is a step over several lines"))
    world.set { $0.streams["-"] = [Self.journal] }
    #expect(world.run("replay -").err.hasPrefix("-:1:1: this is a journal of 'skan serve'; 'skan check -'"))
  }

  @Test(
    "A list that is not there: the nearest name beside it",
    arguments: [
      ("d/lits.jsonl", "did you mean d/list.jsonl?"), ("d/list", "did you mean d/list.jsonl?"),
      ("d/none.jsonl", "name an event list, or - for standard input"),
      ("d/other", "name an event list, or - for standard input"),
      ("none/list.jsonl", "name an event list, or - for standard input"),
    ])
  func missing(file: String, words: String) {
    let world = world()
    world["d/list.jsonl"] = #"{"op":"register"}"#
    let expected = Consequences(.noInput, err: "skan: \(file) does not exist; \(words)\n")
    #expect(world.run("replay \(file)") == expected)
    #expect(world.run("timeline \(file)") == expected)
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
