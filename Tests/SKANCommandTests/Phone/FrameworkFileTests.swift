import SKANBase
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Apple's part of the device file")
struct FrameworkFileTests {
  /// A file as it was written before there was a framework in it.
  private static func format1(_ world: World) throws -> String {
    let text = world["skan-state.json"] ?? ""
    let file = try JSONReader.read(Array(text.utf8)).value
    guard case .object(let members) = file, case .array(let events)? = file["history"] else { return "" }
    let calls = events.filter { $0["call"] != nil }.map { event -> JSON in
      guard case .object(let members) = event else { return event }
      return .object(members.filter { ["at", "call", "fine", "coarse", "lock", "error"].contains($0.key) })
    }
    let old = members.filter { !["framework", "history", "deliveries"].contains($0.key) }
      .map { ($0.key, $0.key == "format" ? .integer(1) : $0.value) }
    return JSONWriter.text(.object(old + [("framework_calls", .array(calls))]), layout: .file)
  }

  @Test("A file of format 1 is read as it is, and written as format 3")
  func upgrade() throws {
    let world = World.measured()
    let (table, postbacks) = (world.run("details --table"), world.run("postbacks --at +60d"))
    world["skan-state.json"] = try Self.format1(world)
    #expect(world.run("details --table") == table && world.run("postbacks --at +60d") == postbacks)
    #expect(world["skan-state.json"]?.hasPrefix("{\n  \"format\": 1,") ?? false, "who reads writes nothing")
    world.run("relaunch")
    #expect(world["skan-state.json"]?.hasPrefix("{\n  \"format\": 3,") ?? false)
    #expect(world.run("details --table") == table && world.run("postbacks --at +60d") == postbacks)
  }

  @Test("A dump of a real phone: what Apple holds is assumed, and goes on from there")
  func dump() {
    let world = World()
    world["dump.json"] = """
      {"skan_current_conversion_value":"12","p0_coarse":"1","p1_coarse":"2","p1_window_lock":"1767500000",
       "skan_first_call_to_skadnetwork_timestamp":"1767225600","skan_last_call_to_skadnetwork_timestamp":"1767500000"}
      """
    #expect(world.run("install --details dump.json --at 1767500000").code == .ok)
    #expect(!world.run("details --table").out.contains("differs"))
    let session = world.run("session --after 1h --answer", Answer.value("13", "\"skan_updated_coarse_value\":0"))
    #expect(session.out.contains("[ignored-after-lock]"))
    let expect = "--expect postbacks.0.body.conversion-value=12 --expect postbacks.1.body.coarse-conversion-value=high"
    #expect(world.run("postbacks --at 1780000000 -q \(expect)") == Consequences())
  }

  @Test("History: every step that did something, whatever command it was")
  func history() throws {
    let world = World.measured()
    world.run("revenue 1 USD")
    world.run("event level_up --answer", Answer.ok)
    world.run("update --ios 17.5")
    world.run("relaunch")
    for line in ["details", "postbacks", "session --dry-run", "register --ios x"] { world.run(line) }
    let file = try JSONReader.read(Array((world["skan-state.json"] ?? "").utf8)).value
    guard case .array(let events)? = file["history"] else {
      Issue.record("no history")
      return
    }
    let texts = events.map { event in
      ["op", "outcome", "apple"].map { if case .string(let text)? = event[$0] { text } else { "-" } }
        .joined(separator: " ")
    }
    #expect(
      texts == [
        "register registered taken", "session updated taken", "session updated taken", "revenue added -",
        "event no-update -", "update set -", "relaunch relaunched -",
      ])
  }

  @Test("A list that goes on with a file leaves its history there, and deliveries stay")
  func replay() {
    let world = World.measured()
    world.takePostbacks(200)
    world.run("postbacks --at +60d --send http://localhost/ --developer none")
    let deliveries = world.deliveries
    world["more.jsonl"] = "{\"op\":\"relaunch\"}\n{\"op\":\"postbacks\",\"expect\":{\"postbacks.0.state\":\"sent\"}}\n"
    #expect(world.run("replay more.jsonl --state skan-state.json -q").code == .ok)
    #expect(world.deliveries == deliveries && deliveries.count == 2)
    #expect(world["skan-state.json"]?.contains("\"op\": \"relaunch\"") ?? false)
  }

  @Test("A mistake in what Apple holds is reported with its location, and the file is left as it is")
  func mistake() {
    let world = World.measured()
    let text = (world["skan-state.json"] ?? "").replacing("\"coarse\": \"high\"", with: "\"coarse\": \"higher\"")
    world["skan-state.json"] = text
    for line in ["postbacks", "relaunch", "postbacks --send http://localhost/p"] {
      let run = world.run(line)
      #expect(run.code == .badData && run.changes == [])
      #expect(
        run.err.contains("\"coarse\" must be one of \"low\", \"medium\", \"high\", \"none\", this is \"higher\"\n"))
      #expect(run.err.hasPrefix("skan-state.json:"))
    }
    #expect(world.posts == [])
  }
}
