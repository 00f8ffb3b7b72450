import SKANDevice
import Testing

@testable import SKANCommand

@Suite("skan timeline")
struct TimelineCommandTests {
  private static let phones = #"""
    {"op":"device","device":"a"}
    {"op":"device","device":"b","bundle_id":"com.example.second"}
    {"op":"register","device":"a","at":"2026-01-01T00:00:00Z"}
    {"op":"register","device":"b"}

    """#

  @Test("The phone of the device file, which stays as it is")
  func deviceFile() {
    let world = World.registered()
    let drawn = world.run("timeline")
    #expect(drawn == Consequences(out: drawn.out))
    #expect(drawn.out.hasPrefix("com.example.app 1.0\nSKAN 4 snippet on iOS 17.4, ad of version 4.0\n"))
    #expect(world.takeLog() == ["read skan-state.json"])
    #expect(world.run("timeline --at +3d").out.contains("Told as of 2026-01-04T00:00:00Z, which is +3d."))
  }

  @Test("Without a device file there is nothing to draw")
  func nothingInstalled() {
    let hint = "run 'skan register' (or 'skan install') first, or name another file with --state"
    #expect(World().run("timeline") == Consequences(.noInput, err: "skan: skan-state.json does not exist; \(hint)\n"))
  }

  @Test("Of several phones one is named")
  func severalPhones() {
    let world = World()
    world["two.jsonl"] = Self.phones
    let missing = world.run("timeline two.jsonl")
    #expect(missing.err.hasPrefix(#"skan: two.jsonl has 2 phones; choose one with --device: "a", "b""#))
    #expect(missing.code == .usage)
    #expect(world.run("timeline two.jsonl --device b").out.hasPrefix("com.example.second 1.0\n"))
    let other = world.run("timeline two.jsonl --device c")
    #expect(other.err.hasPrefix(#"skan: two.jsonl has no phone "c"; it has "a", "b""#))
    #expect(World.registered().run("timeline --device a").err.hasPrefix("skan: --device belongs to a list"))
  }

  @Test("A list's mistakes are told all at once, before anything is drawn")
  func wrongList() {
    let world = World()
    world["list.jsonl"] = "{\"op\":\"sesion\"}\n{\"op\":\"register\",\"att\":1}\n"
    let drawn = world.run("timeline list.jsonl")
    #expect(drawn.code == .badData && drawn.out.isEmpty)
    #expect(drawn.err.contains("list.jsonl:1:") && drawn.err.contains("list.jsonl:2:"))
    world["empty.jsonl"] = "# nothing\n"
    #expect(world.run("timeline empty.jsonl").err.hasPrefix("skan: empty.jsonl has no step: there is no phone to draw"))
    #expect(world.run("timeline none.jsonl").code == .noInput)
  }

  @Test(
    "A drawing does not take the place of what it is drawn from",
    arguments: [
      ("skan-state.json", "the device file skan-state.json"), ("list.jsonl", "the list list.jsonl"),
      ("model.json", "the file of --model"),
    ])
  func overwriting(path: String, words: String) throws {
    let world = World.registered()
    world["list.jsonl"] = "{\"op\":\"register\"}\n"
    world["model.json"] = try Workspace.exampleModel("mixed")
    let refused = world.run("timeline list.jsonl --model model.json --svg \(path)")
    #expect(refused == .usage("--svg would replace \(words)", command: "timeline"))
    for _ in 1...2 { #expect(world.run("timeline --svg life.svg").out.isEmpty) }
    #expect(world["life.svg"]?.hasPrefix("<svg ") ?? false)
    #expect(world.run("timeline list.jsonl --svg -").out.hasPrefix("<svg "))
  }

  @Test("A drawing never shows the SDK key")
  func key() {
    let world = World()
    world.set { $0.variables["SKAN_SDK_KEY"] = "secret-key" }
    world["list.jsonl"] = #"""
      {"op":"register","at":0}
      {"op":"event","name":"secret-key","answer":{"json":{"conversion_value":1,"status":"ok"}}}

      """#
    #expect(world.run("timeline list.jsonl").out.contains("event REDACTED"))
    #expect(!world.run("timeline list.jsonl --svg -").out.contains("secret-key"))
  }

  @Test("A model and variables serve a list as they do in a replay")
  func modelAndVariables() throws {
    let world = World()
    world["model.json"] = try Workspace.exampleModel("mixed")
    world["list.jsonl"] = #"""
      {"op":"register","at":"2026-01-01T00:00:00Z"}
      {"op":"revenue","amount":3,"currency":"USD"}
      {"op":"event","name":"${NAME}"}

      """#
    let drawn = world.run("timeline list.jsonl --model model.json --variable NAME=purchase")
    #expect(drawn.code == .ok && drawn.out.contains("event purchase") && drawn.out.contains("fine 12, medium"))
  }

  @Test func help() {
    let help = World().run("timeline --help")
    #expect(help.out.contains("Usage: skan timeline [LIST] [OPTIONS]\n"))
    #expect(World().run("help timeline") == help)
    for line in help.out.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
  }
}
