import Foundation
import SKANBase
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

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

  /// Its device file as it was before answerers and warnings were kept.
  private static func old(_ world: World) throws -> String {
    let file = try JSONReader.read(Array((world["skan-state.json"] ?? "").utf8)).value
    guard case .object(let members) = file, case .array(let events)? = file["history"] else { return "" }
    let old = events.map { event -> JSON in
      guard case .object(let members) = event else { return event }
      return .object(members.filter { !["answered_by", "warnings"].contains($0.key) })
    }
    return JSONWriter.text(.object(members.map { ($0.key, $0.key == "history" ? .array(old) : $0.value) }))
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
            2  2026-01-01T00:00:05Z  session                  updated          The app calls Apple with fine 0, no coarse; Apple holds the values. Answered by the embedded test endpoint. [details-stale]
            3  2026-01-02T00:00:00Z  event level up           transport-error  No call reaches Apple: no answer came. Asked: the step's own answer.
            4  2026-01-02T02:00:00Z  revenue 9.99 USD         added            Added to the revenue that the app keeps.
            5  2026-01-02T02:00:00Z  event purchase           framework-error  The app calls Apple with fine 1, no coarse; refused by Apple; the app still keeps the values (SKANErrorDomain 10). Answered by the embedded test endpoint. [framework-error-kept] [details-stale]
            6  2026-01-03T00:00:00Z  the app is started anew  relaunched       A new app process; the kept values stay.

            """))
    #expect(world.takeLog() == ["read skan-state.json"])
  }

  @Test("history STEP is why STEP, of each step and of those that there are not", arguments: ["", " --json"])
  func ofStep(option: String) {
    let world = Self.phone()
    for step in ["1", "2", "3", "4", "5", "6", "0", "7", "x"] {
      var listed = world.run("history \(step)\(option)")
      let explained = world.run("why \(step)\(option)")
      #expect((listed.code == .ok) == (1...6).contains(Int(step) ?? 0))
      // A wrong command line names its command.
      listed.err = listed.err.replacing("skan history", with: "skan why")
      #expect(listed == explained && (listed.code != .ok || !listed.out.isEmpty), "\(step)")
    }
  }

  @Test("An update that may overlap others says when its request was sent, and how it ended without its values")
  func overlapping() throws {
    let world = World()
    for (list, texts) in [
      (
        "overlap/two-calls-at-once.jsonl",
        [
          "called at 2026-01-01T00:00:01Z; the request left at 2026-01-01T00:00:01Z, answered at 2026-01-01T00:00:04Z, "
            + "completed at 2026-01-01T00:00:04.05Z",
          "called at 2026-01-01T00:00:02Z; the request left at 2026-01-01T00:00:04Z, answered at 2026-01-01T00:00:07Z, "
            + "completed at 2026-01-01T00:00:07.05Z",
        ]
      ),
      (
        "overlap/killed.jsonl",
        [
          "No call reaches Apple: the app's process ended. The request left at 2026-01-01T00:00:10Z.",
          "No call reaches Apple: the app's process ended. No request left.", "A new app process",
          "The app's process ended before Apple's completion: the app keeps nothing from it. The request left at",
        ]
      ),
    ] {
      let text = try String(contentsOf: Checkout.fixtures.appending(path: list), encoding: .utf8)
      // The phone of the device file is installed already.
      let steps = text.split(separator: "\n").filter { !$0.contains(#""op":"device""#) }
      world["steps.jsonl"] = steps.joined(separator: "\n") + "\n"
      world["life.jsonl"] = text
      #expect(world.run("install --force --setting completion=deferred --state phone.json").code == .ok)
      #expect(world.run("replay -q --state phone.json steps.jsonl").code == .ok)
      for (index, text) in texts.enumerated() {
        let why = world.run("why \(index + 2) --state phone.json").out.split { $0.isWhitespace }.joined(separator: " ")
        #expect(why.contains(text), "\(why)")
      }
      // The drawing of the device file is that of the list.
      let drawn = world.run("timeline --state phone.json").out.split(separator: "\n")
      let listed = world.run("timeline life.jsonl").out.split(separator: "\n")
      #expect(drawn.filter { $0.hasPrefix("  session") } == listed.filter { $0.hasPrefix("  session") })
      #expect(drawn.contains { $0.hasPrefix("Updates that overlap") })
    }
    let json = world.run("history --json --state phone.json").out.split(separator: "\n")
    #expect(json[1].contains(#""called_at":1767225610"#) && json[1].contains(#""requested_at":1767225610"#), "\(json)")
    #expect(!json[0].contains("called_at"))
    #expect(world.run("install --force --setting completion=never --state phone.json").code == .ok)
    world["life.jsonl"] = #"""
      {"op":"register","at":"2026-01-01T00:00:00Z"}
      {"op":"session","at":"+1s","answer":{"json":{"conversion_value":1,"status":"ok"}}}

      """#
    #expect(world.run("replay -q --state phone.json life.jsonl").code == .ok)
    #expect(
      world.run("history --state phone.json").out.contains("Apple never completes the call: the app keeps nothing"))
  }

  @Test("Steps of an older file have neither, and only those")
  func older() throws {
    let world = Self.phone()
    world["skan-state.json"] = try Self.old(world)
    world.run("relaunch --at +3d")
    let lines = world.run("history").out.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[1].hasSuffix("Apple holds the values. Answerer and warnings are not kept."))
    #expect(lines[5].hasSuffix("the kept values stay. Answerer and warnings are not kept."))
    #expect(lines[6].hasSuffix("the kept values stay."))
    #expect(lines[7...] == [""])
    #expect(world.run("why 5").out.hasSuffix("  answered by  not kept\n  warnings     not kept\n"))
    #expect(world.run("why 7").out.hasSuffix("  answered by  no request was sent\n  warnings     none\n"))
    #expect(world.run("why 5 --json").out.contains(#""answered_by":null"#))
    #expect(world.run("why 5 --json").out.contains(#""warnings":null"#))
  }

  @Test("A replay that goes on with a device file keeps them, too")
  func replayed() {
    let world = Self.phone()
    world["more.jsonl"] = #"{"op":"session","at":"+3d","answer":{"text":"<html>"}}"#
    world.run("replay more.jsonl --state skan-state.json -q")
    #expect(
      world.run("why --json").out.contains(#""answered_by":"list""#)
        && world.run("why").out.contains("the step's own answer"))
  }

  @Test("One step, each warning with its meaning, and how to read more of the first finding")
  func why() {
    let world = Self.phone()
    #expect(
      world.run("why 5")
        == Consequences(
          out: """
            step 5 of 6  2026-01-02T02:00:00Z  event purchase
            framework-error  The app calls Apple with fine 1, no coarse; refused by Apple; the app still keeps the values (SKANErrorDomain 10).
              Apple        refused by Apple; the app still keeps the values (SKANErrorDomain 10)
              answered by  the embedded test endpoint
              warnings     finding: Apple refused the call, yet the app keeps its values. [framework-error-kept]
                           note: Reading getSkanDetails right after the call returns the values from before this update. [details-stale]

            """, err: "Try 'skan explain framework-error-kept'.\n"))
    #expect(world.run("why").out.hasPrefix("step 6 of 6  2026-01-03T00:00:00Z  the app is started anew\n"))
    #expect(
      world.run("why 3").out.contains(
        "  Apple        was not called\n  answered by  the step's own answer (no answer came)\n  warnings     none\n"))
    #expect(world.run("why 2").err.isEmpty, "a note is no finding")
  }

  @Test("For programs: who answered and the codes")
  func json() {
    let world = Self.phone()
    let lines = world.run("history --json").out.split(separator: "\n")
    #expect(lines.count == 6)
    #expect(
      world.run("why 3 --json").out
        == #"{"answered_by":"list","at":1767312000,"name":"level up","op":"event","outcome":"transport-error","#
        + #""sentence":"No call reaches Apple: no answer came.","step":3,"warnings":[]}"# + "\n")
    #expect(lines[2] + "\n" == world.run("why 3 --json").out)
    #expect(lines[3].contains(#""answered_by":null"#) && lines[3].contains(#""warnings":[]"#))
    #expect(world.run("why 5 --json").err.isEmpty)
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

  private static let calls = """
    "framework_calls":[{"at":1767225600,"call":"registerAppForAdNetworkAttribution"},
    {"at":1767225600,"call":"updatePostbackConversionValue","fine":1,"coarse":null,"lock":false}]
    """

  private func world(_ members: String, format: Int = 2) -> World {
    let world = World()
    world["skan-state.json"] =
      "{\"format\":\(format),\"profile\":{},\"kept\":{\"skan_current_conversion_value\":0},\(members)}"
    return world
  }

  @Test("What Apple made of a call, who answered, and calls without their steps")
  func calls() {
    let world = world(
      #"""
      "endpoint":{"answered_by":{"name":"model.json"}},\#(Self.calls),"history":[{"at":1767225600,"op":"session",
      "outcome":"updated","call":"updatePostbackConversionValue","fine":1,"coarse":null,"lock":false}]
      """#)
    #expect(
      world.run("history")
        == Consequences(
          out: """
            1  2026-01-01T00:00:00Z  session  updated  The app calls Apple with fine 1, no coarse. What Apple did with the call is not kept. Answerer and warnings are not kept.

            1 call into Apple's framework of an older device file came before, without the steps.
            Who answered last: model.json.

            """))
    #expect(
      world.run("why").out == """
        step 1 of 1  2026-01-01T00:00:00Z  session
        updated  The app calls Apple with fine 1, no coarse. What Apple did with the call is not kept.
          Apple        what it did with the call is not kept
          answered by  not kept
          warnings     not kept

        """)
  }

  @Test("Calls alone")
  func callsAlone() {
    #expect(
      world(Self.calls).run("history").out == """
        No step has run that is kept.
        2 calls into Apple's framework of an older device file came before, without the steps.

        """)
  }

  @Test("Each kind of step without a call")
  func kinds() {
    let events = [
      #""op":"session","outcome":"updated""#, #""op":"register","outcome":"registered""#,
      #""op":"event","name":"x","outcome":"set""#, #""op":"update","outcome":"set""#,
      #""op":"revenue","amount":1,"currency":"USD","outcome":"added""#, #""op":"relaunch","outcome":"relaunched""#,
      #""op":"s2s","outcome":"forwarded""#,
      #""op":"register","outcome":"registered","call":"registerAppForAdNetworkAttribution","apple":"registered""#,
    ]
    let history = events.map { "{\"at\":1767225600,\($0)}" }.joined(separator: ",")
    let run = world("\"history\":[\(history)]", format: 3).run("history --json")
    let sentences = run.out.matches(of: /"sentence":"([^"]*)"/).map { String($0.1) }
    #expect(
      sentences == [
        "Apple is not called.", "Apple is not called.", "Apple is not called.",
        "Apple is not called, and what the app keeps stays.", "Added to the revenue that the app keeps.",
        "A new app process; the kept values stay.", "The app's server gets a report, and Apple is not called.",
        "The app registers with Apple; Apple has registered the install.",
      ], "\(run)")
  }
}
