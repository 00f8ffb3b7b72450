import Foundation
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("An output does not take the place of what cannot be made again")
struct OutputProtectionTests {
  private static let received =
    #"{"received_at":1767225600,"source_address":null,"signature":"valid","body":"{}"}"# + "\n"

  private static func world() -> World {
    let world = World.registered()
    world["received.jsonl"] = received
    world["list.jsonl"] = #"{"op":"session"}"# + "\n"
    world["events.csv"] = "device,time,name\na,2026-01-01T00:00:00Z,x\n"
    world["plan.csv"] = "window,value,coarse,event,min_revenue\n0,1,,__SESSION__,\n"
    return world
  }

  @Test(
    "A device file, and received postbacks",
    arguments: [
      "import --preset plain events.csv -o", "model convert plan.csv --currency USD -o",
      "replay list.jsonl --report-tap",
      "replay list.jsonl --report-json", "report received.jsonl --html",
    ])
  func refused(line: String) {
    for file in ["skan-state.json", "received.jsonl"] where !line.contains(file) {
      let world = Self.world()
      let before = world[file]
      let run = world.run("\(line) \(file)")
      #expect(run.code == .cannotWrite, "\(run)")
      #expect(run.err.contains("which would be lost; name another file"), "\(run)")
      #expect(world[file] == before)
    }
  }

  @Test("Any other file is replaced, an earlier output among them")
  func replaced() {
    let world = Self.world()
    for text in ["", "x", "{}", "{\n}", #"{"op":"session"}"#, #"{"profile":1}"#] {
      world["out"] = text
      #expect(world.run("import --preset plain events.csv -o out --quiet").code == .ok)
      #expect(world["out"]?.hasPrefix(#"{"op":"device""#) == true)
    }
  }
}
