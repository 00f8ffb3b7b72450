import SKANBase
import SKANCommand
import Testing

@testable import SKANCommandLine

@Suite("Who answered")
struct AnsweredByTests {
  private func world() throws -> World {
    let world = try World.withModels(registered: true)
    world.answer("{\"conversion_value\":9,\"status\":\"ok\"}")
    return world
  }

  private func result(_ world: World, _ line: String, _ more: [String] = []) throws -> JSON {
    let out = world.run("session --json \(line)", arguments: more).out
    return try JSONReader.read(Array(out.utf8)).value
  }

  @Test(
    "A result says it",
    arguments: [
      ("", "embedded"), ("--model mixed.json", "model mixed.json"),
      ("--model engagement.json --model com.example.app=mixed.json", "model mixed.json"),
      ("--model engagement.json --model com.example.other=mixed.json", "model engagement.json"),
      ("--endpoint testing", "testing"), ("--endpoint http://localhost:8080", "http://localhost:8080"),
      ("--endpoint http://h/x/conversion_value", "http://h/x/conversion_value"), ("--answer {\"text\":\"\"}", "list"),
    ])
  func said(options: String, name: String) throws {
    #expect(try result(world(), options)["answered_by"] == .string(name))
  }

  @Test("No endpoint is asked")
  func nobody() throws {
    #expect(try result(world(), "--at +60d")["answered_by"] == .null)
  }

  @Test("A step for which --model is forgotten is noted, every time")
  func forgotten() throws {
    let world = try world()
    let note = { (line: String) in
      world.run(line).out.split(separator: "\n").map(String.init).first { $0.contains("[answerer-changed]") }
    }
    let words =
      "  note: This step was answered by the embedded test endpoint, earlier ones by model mixed.json: is --model "
      + "forgotten? [answerer-changed]"
    #expect(note("session --model mixed.json") == nil)
    #expect(note("session --model mixed.json") == nil)
    for _ in 1...2 {
      #expect(note("session") == words)
    }
    #expect(note("session --answer \(Answer.empty)") == nil)
    #expect(note("session --model mixed.json") == nil)
    #expect(
      note("session --model engagement.json")
        == "  note: This step was answered by engagement.json, earlier ones by model mixed.json. [answerer-changed]")
    #expect(note("session --model engagement.json") == nil)
    #expect(note("session --endpoint http://h") != nil)
    #expect(note("session")?.contains("is --endpoint forgotten?") == true)
    world.run("reset")
    world.run("register")
    #expect(note("session") == nil)
  }

  @Test("A model that has changed is noted once")
  func changed() throws {
    let world = try world()
    world.run("session --model mixed.json")
    world["mixed.json"] = world["engagement.json"]
    #expect(
      world.run("session --model mixed.json").out.contains(
        "  note: mixed.json has changed since it last answered. [model-changed]\n"))
    #expect(!world.run("session --model mixed.json").out.contains("[model-changed]"))
  }

  @Test("A dry run shows the address that the run itself shows", arguments: ["", "--model mixed.json"])
  func dryRun(options: String) throws {
    let world = try world()
    let shown = world.run("session --dry-run \(options)").out.split(separator: "\n").first
    let result = try result(world, options)
    guard case .string(let url)? = result["request"]?["url"] else { throw Missing() }
    #expect(shown == "GET \(url)")
  }

  private struct Missing: Error {}
}
