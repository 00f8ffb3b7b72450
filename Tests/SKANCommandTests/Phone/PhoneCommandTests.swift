import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("update, relaunch and reset")
struct PhoneCommandTests {
  @Test("An update starts the app anew and keeps what is kept")
  func update() {
    let world = World.registered("--ios 16.0")
    world.run("session --answer", Answer.illegal)
    #expect(
      world.run("update --ios 17.0 --app-version 2.0 --snippet skan4-beta --at +1h")
        == Consequences(
          out: "set                iOS 16.0 → 17.0, app version 1.0 → 2.0, snippet skan4 → skan4-beta; the app "
            + "restarts, and the kept values stay.\n",
          changes: [
            "profile.snippet: \"skan4\" → \"skan4-beta\"", "profile.ios: \"16.0\" → \"17.0\"",
            "profile.app_version: \"1.0\" → \"2.0\"", "process.lock_held: true → false", "process.launches: 1 → 2",
            "time.end: 1767225600 → 1767229200",
          ]))
    #expect(
      world.run("update --ios 17.0")
        == Consequences(
          out: "set                Nothing changed; the app restarts, and the kept values stay.\n",
          changes: ["process.launches: 2 → 3"]))
  }

  @Test("A phone is not put back to an earlier iOS; in a list it may be")
  func downgrade() {
    let world = World.registered("--ios 16.1")
    let words =
      "--ios: the phone has iOS 16.1, and a phone is not put back to 16.0.9; 'skan install --force --ios 16.0.9' "
      + "installs anew, and a step of an event list can do it"
    #expect(world.run("update --ios 16.0.9") == .usage(words, command: "update"))
    #expect(world.run("update --ios 16.1.0 -q").code == .ok)
    world["a.jsonl"] = #"{"op":"update","ios":"9"}"#
    #expect(world.run("replay -q --state skan-state.json a.jsonl").changes.contains("profile.ios: \"16.1.0\" → \"9\""))
  }

  @Test("The note that details read at once are old is shown once in an install; results keep it")
  func stale() {
    let world = World.registered()
    let second = "event a --after 1h --answer"
    #expect(world.run("session --answer", Answer.value("7")).out.contains(Line.stale))
    #expect(!world.run(second, Answer.value("8")).out.contains("details-stale"))
    #expect(world.run("\(second)", Answer.value("9"), "--json").out.contains("details-stale"))
    world.run("reset -q")
    world.run("register -q")
    #expect(world.run("session --answer", Answer.value("7")).out.contains(Line.stale))
    world["a.jsonl"] =
      #"{"op":"register"}"# + "\n"
      + (1...3).map { #"{"op":"session","answer":{"json":{"conversion_value":\#($0)}}}"# }.joined(separator: "\n")
    #expect(world.run("replay -v a.jsonl").out.ranges(of: "[details-stale]").count == 1)
    #expect(world.run("replay --json a.jsonl").out.ranges(of: "\"details-stale\"").count == 3)
  }

  @Test("From SKAN 3 to SKAN 4 the old start stays, and is reported")
  func migration() {
    let world = World.registered("--snippet skan3 --ios 17.0")
    world.run("session --answer", Answer.value("7"))
    #expect(
      world.run("update --snippet skan4 --at +10d")
        == Consequences(
          out: "set                snippet skan3 → skan4; the app restarts, and the kept values stay.\n"
            + "  note: Both snippets keep first call, last call and purchase revenue under the same keys: the first call "
            + "stays 2026-01-01T00:00:00Z, register will do nothing, and the windows count from then. "
            + "[old-first-call]\n",
          changes: [
            "profile.snippet: \"skan3\" → \"skan4\"", "process.launches: 1 → 2", "time.end: 1767225600 → 1768089600",
          ]))
    #expect(world.run("register").out.hasPrefix("already-registered "))
    #expect(world.run("session -q --expect window=2 --answer", Answer.value("3")).code == .ok)
    #expect(world[Changes.state]?.contains("\"skan_conversion_value\": 7") == true)
  }

  @Test("Relaunch") func relaunch() {
    #expect(
      World.registered().run("relaunch --after 1m")
        == Consequences(
          out: "relaunched         A new app process; the kept values stay.\n",
          changes: ["process.launches: 1 → 2", "time.end: 1767225600 → 1767225660"]))
  }

  @Test("A reset keeps the profile and nothing else")
  func reset() {
    let world = World()
    world.run("register --ios 16.0 --idfa 21DB6612-09B3-4ECC-84AC-B353B0AF1334 --organic")
    world.run("event buy --revenue 5 --currency USD --idempotency-key k")
    world.run("session --answer", Answer.illegal)
    world.run("relaunch")
    let result = world.run("reset")
    #expect(result.out == "set                A fresh install: skan4 on iOS 16.0, com.example.app 1.0, organic.\n")
    #expect(result.code == .ok)
    let fresh = World()
    fresh.run("install --ios 16.0 --idfa 21DB6612-09B3-4ECC-84AC-B353B0AF1334 --organic")
    // The clock on the wall goes on.
    #expect(
      world[Changes.state]
        == fresh[Changes.state]?.replacing("\"end\": null", with: "\"end\": 1780315200"))
  }

  @Test("A reset leaves the phone's time virtual")
  func resetTime() {
    let world = World.registered()
    world.run("session --at +1h --answer", Answer.ok)
    world.run("reset")
    #expect(
      world.run("register -q --expect at=1767229200")
        == Consequences(changes: [
          "kept.skan_current_conversion_value: + 0", "kept.skan_last_call_to_skadnetwork_timestamp: + 1767229200",
          "kept.skan_first_call_to_skadnetwork_timestamp: + 1767229200", "time.first: null → 1767229200",
          #"framework_calls.0: + {"at":1767229200,"call":"updatePostbackConversionValue","error":null,"fine":0}"#,
        ]))
  }

  @Test("Without a device file there is nothing to change", arguments: ["update --ios 16.0", "relaunch", "reset"])
  func missing(line: String) {
    let world = World()
    #expect(
      world.run(line)
        == Consequences(
          .noInput,
          err: "skan: skan-state.json does not exist; run 'skan register' (or 'skan install') first, or name another "
            + "file with --state\n"))
    #expect(world.takeLog() == [])
  }
}
