import Foundation
import SKANDevice
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

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
    #expect(world.run("timeline --at +3d").out.contains("Seen as of 2026-01-04T00:00:00Z, which is +3d."))
  }

  @Test("The drawing takes the terminal's width, and says where that is too little")
  func width() {
    let world = World.registered()
    let piped = world.run("timeline")
    for (columns, width) in [(80, 80), (60, 60), (120, 120), (200, 200), (40, 60)] {
      world.set { $0.columns = columns }
      let drawn = world.run("timeline --color never")
      #expect(drawn.out.split(separator: "\n").map(\.count).max() == width)
      #expect(columns != 80 || drawn == piped)
      let note = "skan: the drawing needs 60 columns, and the terminal has 40\n"
      let words = drawn.err.split { $0.isWhitespace }.joined(separator: " ")
      #expect(words + (columns < 60 ? "\n" : "") == (columns < 60 ? note : ""))
    }
  }

  @Test("Of several phones one is named")
  func severalPhones() {
    let world = World()
    world["two.jsonl"] = Self.phones
    #expect(world.run("timeline two.jsonl --device b").out.hasPrefix("com.example.second 1.0\n"))
    #expect(World.registered().run("timeline --device a").err.hasPrefix("skan: --device belongs to a list"))
  }

  @Test("A page has the life of each phone to open, the first open, and no script")
  func page() {
    let world = World()
    world["two.jsonl"] = Self.phones
    let page = world.run("timeline two.jsonl --html -").out
    #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<h1>The lives of 2 phones</h1>"))
    #expect(page.contains("<details open=\"\">\n<summary>a, com.example.app 1.0, SKAN 4 snippet"))
    #expect(page.contains("<details>\n<summary>b, com.example.second 1.0, "))
    #expect(page.components(separatedBy: "<svg ").count == 3 && !page.contains("<script"))
    #expect(world.run("timeline two.jsonl --device b --html -").out.components(separatedBy: "<svg ").count == 2)
    #expect(World.registered().run("timeline --html life.html").code == .ok)
    #expect(world.run("timeline two.jsonl --device c --html -").err.contains("has no phone \"c\""))
    #expect(
      world.run("timeline two.jsonl --html a.html --svg b.svg").err.contains("--svg and --html exclude each other"))
    #expect(world.run("timeline two.jsonl --html").code == .usage)
  }

  @Test("Updates that overlap are bars: the wait for the lock, the request and Apple's completion")
  func overlapping() throws {
    let world = World()
    let fixture = Checkout.fixtures.appending(path: "overlap/two-calls-at-once.jsonl")
    world["life.jsonl"] = try String(contentsOf: fixture, encoding: .utf8)
    let lines = world.run("timeline life.jsonl").out.split(separator: "\n").map(String.init)
    func characters(_ parts: (Character, Int)...) -> String { parts.map { String(repeating: $0, count: $1) }.joined() }
    let start = try #require(lines.firstIndex { $0.hasPrefix("Updates that overlap (┄┄ waits") }, "\(lines)")
    let bars = try #require(lines[start...].firstIndex { $0.hasPrefix("  session  ") }, "\(lines)")
    #expect(
      lines[bars..<bars + 4] == [
        "  session     " + characters(("─", 32), ("═", 1)),
        "  event tuto… " + characters((" ", 11), ("┄", 21), ("─", 31), ("═", 1)),
        "  Apple holds fine 0" + characters((" ", 26)) + "fine 1, low" + characters((" ", 20)) + "4",
        "  app keeps   fine 0" + characters((" ", 26)) + "fine 1, low" + characters((" ", 21)) + "4",
      ])
    let svg = world.run("timeline life.jsonl --svg -").out
    for text in ["waits for the lock: 2s", "request under way: 3s", "until Apple's completion: 0.05s"] {
      #expect(svg.contains("<title>\(text)</title>"), "\(svg)")
    }
    // As of a moment within them.
    let then = world.run("timeline life.jsonl --at +3s").out.split { $0.isWhitespace }.joined(separator: " ")
    #expect(then.contains("2 updates are still in progress: they are not drawn"), "\(then)")
    #expect(world.run("timeline life.jsonl --at +5s").out.contains("An update is still in progress"))
    // Without the setting one comes after the other.
    world["life.jsonl"] = world["life.jsonl"]?.replacing(#","settings":{"completion":"deferred"}"#, with: "")
      .replacing("requested_at", with: "at").replacing("stale-request", with: "overlaps")
    let plain = world.run("timeline life.jsonl")
    #expect(plain.code == .ok && !plain.out.contains("overlap"), "\(plain)")
  }

  @Test("An update that is killed has a bar to its end, also alone")
  func killed() throws {
    let world = World()
    let fixture = Checkout.fixtures.appending(path: "overlap/killed.jsonl")
    world["life.jsonl"] = try String(contentsOf: fixture, encoding: .utf8)
    let lines = world.run("timeline life.jsonl").out.split(separator: "\n").map(String.init)
    let bars = lines.filter { $0.contains("killed") && ($0.contains("──") || $0.contains("┄┄")) }
    #expect(bars.count == 3 && bars[1].contains("┄┄") && bars[2].contains("══"), "\(lines)")
    let page = world.run("replay -q --report-html report.html life.jsonl")
    #expect(page.code == .ok && world["report.html"]?.contains("Updates that overlap") == true, "\(page)")
  }

  @Test("The SDK key is in no drawing, wherever the phone has it", arguments: ["com.k3yk3y.app", "k3yk3y"])
  func key(name: String) {
    let world = World()
    world.set { $0.variables["SKAN_SDK_KEY"] = "k3yk3y" }
    #expect(world.run("register --bundle-id \(name) --app-version k3yk3y --at 2026-01-01T00:00:00Z").code == .ok)
    world.run("event k3yk3y --at +1h")
    for option in ["", "--svg -", "--html -"] {
      let drawn = world.run("timeline \(option)")
      #expect(drawn.code == .ok && drawn.out.contains("REDACTED") && !drawn.out.contains("k3yk3y"), "\(drawn)")
    }
  }

  private static let life = #"""
    {"op":"device"}
    {"op":"register","at":"2026-01-01T00:00:00Z"}
    {"op":"session","at":"+1h","answer":{"json":{"conversion_value":12,"skan_updated_coarse_value":1,"status":"ok"}}}
    {"op":"session","at":"+3d","answer":{"json":{"conversion_value":20,"skan_updated_coarse_value":2,"status":"ok"}}}
    {"op":"device","at":"+20d"}
    {"op":"register","at":"2026-01-21T00:00:00Z"}

    """#

  @Test("A list as of a moment: what comes later has not happened")
  func listAtMoment() {
    let world = World()
    world["list.jsonl"] = Self.life
    let early = world.run("timeline list.jsonl --at +1d")
    #expect(early.code == .ok && early.out.contains("Seen as of 2026-01-02T00:00:00Z, which is +1d."))
    #expect(early.out.contains("fine 12") && !early.out.contains("high") && !early.out.contains("+3d  "))
    world["cut.jsonl"] = Self.life.split(separator: "\n").prefix(3).joined(separator: "\n")
    #expect(early == world.run("timeline cut.jsonl --at +1d"))
    // The very moment of a step belongs to it, and a list that ends before is told as of later.
    #expect(world.run("timeline list.jsonl --at 2026-01-04T00:00:00Z").out.contains("high"))
    world["cut.jsonl"] = Self.life.split(separator: "\n").prefix(4).joined(separator: "\n")
    #expect(world.run("timeline list.jsonl --at +19d") == world.run("timeline cut.jsonl --at +19d"))
    // From the second install on its own life is reported.
    let again = world.run("timeline list.jsonl --at 2026-01-21T00:00:00Z")
    #expect(again.out.contains("Times count from 2026-01-21T00:00:00Z") && !again.out.contains("fine 12"))
    #expect(
      world.run("timeline list.jsonl --at 2025-12-31T00:00:00Z")
        == .usage(
          "--at: at 2025-12-31T00:00:00Z nothing has happened yet to the phone; its first step is at "
            + "2026-01-01T00:00:00Z", command: "timeline"))
  }

  @Test("Options that make no sense with a list, or without one, are refused")
  func senselessOptions() {
    let world = World.registered()
    world["list.jsonl"] = Self.life
    #expect(
      world.run("timeline list.jsonl --state other.json")
        == .usage(
          "--state names a device file, and a list has phones of its own: leave out one of them", command: "timeline"))
    for option in ["endpoint http://127.0.0.1:1", "model m.json", "rates r.json", "variable a=b", "max-time 3s"] {
      let name = option.split(separator: " ")[0]
      #expect(
        world.run("timeline --\(option)")
          == .usage("--\(name) belongs to a list: 'skan timeline LIST --\(name) …'", command: "timeline"))
    }
    world.set { $0.variables["SKAN_ENDPOINT"] = "http://127.0.0.1:1" }
    #expect(world.run("timeline").code == .ok)
    let past = world.run("timeline --at 2025-12-31T00:00:00Z")
    #expect(past.code == .usage && past.out.isEmpty, "\(past)")
    #expect(
      past.err.hasPrefix(
        "skan: --at: skan-state.json holds its phone's state at 2026-01-01T00:00:00Z, not at 2025-12-31"
      ))
  }

  @Test("A list's mistakes are reported all at once, before anything is drawn")
  func wrongList() {
    let world = World()
    world["list.jsonl"] = "{\"op\":\"sesion\"}\n{\"op\":\"register\",\"att\":1}\n"
    let drawn = world.run("timeline list.jsonl")
    #expect(drawn.code == .badData && drawn.out.isEmpty)
    #expect(drawn.err.contains("list.jsonl:1:") && drawn.err.contains("list.jsonl:2:"))
    world["empty.jsonl"] = "# nothing\n"
    #expect(
      world.run("timeline empty.jsonl")
        == Consequences(.badData, err: "empty.jsonl:1:1: the list holds no step\n"))
    world.set { $0.input = "" }
    #expect(world.run("timeline -") == Consequences(.badData, err: "-:1:1: the list holds no step\n"))
    world["skipped.jsonl"] = #"{"op":"session","skip":"later"}"#
    #expect(
      world.run("timeline skipped.jsonl")
        == Consequences(.badData, err: "skipped.jsonl:1:1: no step runs: there is no phone to draw\n"))
  }

  @Test(
    "A drawing does not take the place of what it is drawn from",
    arguments: [
      ("skan-state.json", "the file of --state"), ("list.jsonl", "the list list.jsonl"),
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

  @Test("A name that ends like another kind of picture is refused, as SVG would be in it")
  func otherForms() {
    let world = World.registered()
    for (name, form) in [("x.png", "png"), ("a.b.JPEG", "jpeg"), ("life.svg.pdf", "pdf")] {
      let message =
        "--svg writes SVG, and \(name) ends like \(form.uppercased()): name it .svg, and convert that, as in "
        + "'rsvg-convert life.svg -o life.\(form)'"
      #expect(world.run("timeline --svg \(name)") == .usage(message, command: "timeline"))
      #expect(world[name] == nil)
    }
    for name in ["life", "life.SVG", "png", "life.png.svg", "life.txt", "dir.png/life"] {
      #expect(world.run("timeline --svg \(name)").code == .ok && world[name]?.hasPrefix("<svg ") == true, "\(name)")
    }
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

  @Test("Help") func help() {
    let help = World().run("timeline --help")
    #expect(help.out.contains("Usage: skan timeline [LIST] [OPTIONS]\n"))
    #expect(World().run("help timeline") == help)
    for line in help.out.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
  }

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
    arguments: [("event-alias", "@x"), ("rates", "x"), ("sdk-key-file", "x"), ("variable", "@x")])
  func replaced(option: String, value: String) {
    let world = World()
    world["list.jsonl"] = Self.register + "\n"
    world["x"] = "before"
    #expect(
      world.run("timeline list.jsonl --\(option) \(value) --svg x")
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
