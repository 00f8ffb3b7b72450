import Testing

@testable import SKANCommand

@Suite("skan history and skan why")
struct HistoryTests {
  /// A phone with some steps behind it.
  private static func phone() -> World {
    let world = World()
    world.run("register --at 2026-01-01T00:00:00Z")
    world.run("session --at +5s")
    world.run("event", arguments: ["level up", "--at", "+1d", "--answer", #"{"error":"The request timed out."}"#])
    world.run("event purchase --revenue 9.99 --currency USD --framework-error 10 --at +1d2h")
    world.run("relaunch --at +2d")
    return world
  }

  @Test("Every step that is kept, in columns as wide as their texts")
  func history() {
    let world = Self.phone()
    _ = world.takeLog()
    let result = world.run("history")
    #expect(
      result
        == Consequences(
          out: """
            1  2026-01-01T00:00:00Z  register                 registered       The app calls Apple with fine 0; Apple holds the values.
            2  2026-01-01T00:00:05Z  session                  updated          The app calls Apple with fine 0, no coarse; Apple holds the values.
            3  2026-01-02T00:00:00Z  event level up           transport-error  No call reaches Apple: no answer came.
            4  2026-01-02T02:00:00Z  revenue 9.99 USD         added            Added to the revenue that the app keeps.
            5  2026-01-02T02:00:00Z  event purchase           framework-error  The app calls Apple with fine 1, no coarse; refused by Apple; the app keeps the values all the same (SKANErrorDomain 10).
            6  2026-01-03T00:00:00Z  the app is started anew  relaunched       A new app process; what was kept stays.

            Who answered each step and its warnings are not kept; 'skan why N' says what is kept of one.

            """))
    #expect(world.takeLog() == ["read skan-state.json"])
  }

  @Test("One step, with what is not kept of it")
  func why() {
    let world = Self.phone()
    #expect(
      world.run("why 5").out == """
        step 5 of 6  2026-01-02T02:00:00Z  event purchase
        framework-error    The app calls Apple with fine 1, no coarse; refused by Apple; the app keeps the values all the same (SKANErrorDomain 10).
          Apple        refused by Apple; the app keeps the values all the same (SKANErrorDomain 10)
          answered by  not kept
          warnings     not kept

        """)
    #expect(world.run("why").out.hasPrefix("step 6 of 6  2026-01-03T00:00:00Z  the app is started anew\n"))
    #expect(world.run("why 3").out.contains("  Apple        was not called\n"))
  }

  @Test("For programs: null for what is not kept")
  func json() {
    let world = Self.phone()
    let lines = world.run("history --json").out.split(separator: "\n")
    #expect(lines.count == 6)
    #expect(
      world.run("why 3 --json").out
        == #"{"answered_by":null,"at":1767312000,"name":"level up","op":"event","outcome":"transport-error","#
        + #""sentence":"No call reaches Apple: no answer came.","step":3,"warnings":null}"# + "\n")
    #expect(lines[2] + "\n" == world.run("why 3 --json").out)
  }

  @Test("The SDK key that an event's name holds is not printed")
  func redacted() {
    let world = World { $0.variables = ["SKAN_SDK_KEY": "sekret-key"] }
    world.run("register")
    world.run("event sekret-key --at +1h")
    for line in ["history", "why", "history --json", "why --json"] {
      #expect(!world.run(line).out.contains("sekret"), "\(line)")
    }
  }

  @Test("Without a file, without steps, and with a number that is none")
  func wrong() {
    let world = World()
    let missing =
      "skan: skan-state.json does not exist; run 'skan register' (or 'skan install') first, or name another file with --state\n"
    #expect(world.run("history") == Consequences(.noInput, err: missing))
    #expect(world.run("why") == Consequences(.noInput, err: missing))
    world.run("install")
    #expect(world.run("history") == Consequences(out: "No step has run that is kept.\n"))
    #expect(world.run("history --json") == Consequences())
    #expect(world.run("why") == Consequences(.badData, err: "skan: skan-state.json keeps no step yet\n"))
    world.run("session --at 2026-01-01T00:00:00Z")
    #expect(world.run("why 2") == .usage(#"STEP must be 1: one step is kept; it is "2""#, command: "why"))
    world.run("session --at +1d")
    for text in ["0", "3", "-1", "two", "1.5", ""] {
      #expect(
        world.run("why", text)
          == .usage(#"STEP must be from 1 to 2, the steps that are kept; it is "\#(text)""#, command: "why"), "\(text)")
    }
  }
}
