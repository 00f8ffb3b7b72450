import SKANBase
import Testing

@testable import SKANCommand

@Suite("details")
struct DetailsTests {
  private func world() -> World {
    let world = World.registered()
    world.run("session --answer", Answer.value("1.7", "\"skan_updated_coarse_value\":2"))
    world.run("revenue 9.99 a/b")
    world.run("revenue 1 USD")
    _ = world.takeLog()
    return world
  }

  @Test("The dictionary with sorted keys, numbers as texts")
  func json() {
    let world = world()
    let expected = Consequences(
      out: """
        {
          "p0_coarse": "2",
          "p0_total_iap_revenue": {
            "USD": 1,
            "a/b": 9.989999771118164
          },
          "prev_fine_value": "0",
          "skan_current_conversion_value": "1.7",
          "skan_first_call_to_skadnetwork_timestamp": "1767225600",
          "skan_last_call_to_skadnetwork_timestamp": "1767225600",
          "skan_total_revenue_by_currency": {
            "USD": 1,
            "a/b": 9.989999771118164
          }
        }

        """)
    #expect(world.run("details") == expected)
    #expect(world.takeLog() == ["read skan-state.json"], "neither lock nor write")
    #expect(world.run("details --quiet") == expected)
  }

  @Test("As the query of a server-to-server call")
  func query() {
    let revenue = "%7B%22USD%22:1,%22a%5C/b%22:9.9899997711181641%7D"
    #expect(
      world().run("details --query")
        == Consequences(
          out:
            "skan_current_conversion_value=1.7&prev_fine_value=0&p0_coarse=2&skan_total_revenue_by_currency=\(revenue)"
            + "&p0_total_iap_revenue=\(revenue)&skan_last_call_to_skadnetwork_timestamp=1767225600"
            + "&skan_first_call_to_skadnetwork_timestamp=1767225600\n"))
  }

  @Test func table() {
    #expect(
      world().run("details --table")
        == Consequences(
          out: """
            skan_current_conversion_value             1.7
            prev_fine_value                           0
            p0_coarse                                 2
            skan_total_revenue_by_currency            USD 1, a/b 9.989999771118164
            p0_total_iap_revenue                      USD 1, a/b 9.989999771118164
            skan_last_call_to_skadnetwork_timestamp   1767225600  2026-01-01T00:00:00Z
            skan_first_call_to_skadnetwork_timestamp  1767225600  2026-01-01T00:00:00Z

                             the app keeps         Apple holds
            first call       2026-01-01T00:00:00Z  2026-01-01T00:00:00Z
            fine value       1                     1
            P0 coarse value  high                  high

            """))
  }

  @Test("Nothing kept")
  func empty() {
    let world = World()
    world.run("install --snippet skan3")
    #expect(world.run("details --table") == Consequences())
    world.run("install --force")
    #expect(world.run("details") == Consequences(out: "{}\n"))
    #expect(world.run("details --query") == Consequences())
    #expect(world.run("details --table") == Consequences())
    #expect(world.run("details --expect details.p0_coarse=null --expect outcome=read -q") == Consequences(out: "{}\n"))
  }

  @Test("Beside what Apple holds, with the reason where they differ")
  func differences() {
    let world = World.registered("--seed 1")
    world.run(
      "session --after 1h --answer",
      Answer.value("5", #""skan_updated_coarse_value":1,"skan_updated_lock_window_value":true"#))
    world.run("session --after 1h --answer", Answer.value("6"))
    #expect(
      world.run("details --table").out.hasSuffix(
        """

                         the app keeps         Apple holds
        first call       2026-01-01T00:00:00Z  2026-01-01T00:00:00Z
        fine value       6                     5                     differs: locked at 2026-01-01T01:00:00Z: Apple keeps the values from that moment
        P0 coarse value  -                     medium                differs: locked at 2026-01-01T01:00:00Z: Apple keeps the values from that moment
        P0 lock          2026-01-01T01:00:00Z  2026-01-01T01:00:00Z

        """))
  }

  @Test("SKAN 3 forwards its values under other names")
  func skan3() {
    let world = World.registered("--snippet skan3 --ios 15.0")
    let times = "skan_first_call_timestamp=1767225600&skan_last_call_timestamp=1767225600\n"
    #expect(
      world.run("details --query")
        == Consequences(
          out: times,
          err: "skan: no conversion value is set yet; the guide's sample would crash on a phone here\n"))
    world.run("session --answer", Answer.value("3"))
    #expect(world.run("details --query") == Consequences(out: "skan_conversion_value=3&\(times)"))
    #expect(
      world.run("details")
        == Consequences(
          out: """
            {
              "skan_conversion_value": "3",
              "skan_first_call_to_skadnetwork_timestamp": "1767225600",
              "skan_last_call_to_skadnetwork_timestamp": "1767225600"
            }

            """))
  }

  @Test("A currency that is empty is shown as one")
  func emptyCurrency() {
    let world = World.registered()
    world.run("revenue 1", "")
    #expect(world.run("details --table").out.contains("\np0_total_iap_revenue                      \"\" 1\n"))
  }

  @Test("A poisoned install has no details", arguments: ["", "--query", "--table", "-q"])
  func poisoned(option: String) {
    let world = World.registered()
    world.run("session --answer", Answer.poison)
    #expect(
      world.run("details \(option)")
        == Consequences(
          .badAnswer,
          err: "skan: skan_current_conversion_value holds the string \"5\" instead of a number: reading the details "
            + "crashes the app, now and after every relaunch.\n"))
    world.run("relaunch")
    #expect(world.run("details").code == .badAnswer)
    #expect(world.run("session").out.hasPrefix("crashed "))
    world.run("reset")
    #expect(world.run("details") == Consequences(out: "{}\n"))
  }

  @Test("Expectations about what is kept")
  func expectations() {
    let world = world()
    #expect(world.run("details --expect details.p0_coarse=2 -q").code == .ok)
    let failed = world.run("details --query --expect details.p0_coarse=1")
    #expect(failed.code == .expectationFailed)
    #expect(failed.out == world.run("details --query").out)
    #expect(
      failed.err
        == """
        expectation failed: details.p0_coarse
          expected  1
          actual    "2"
          step      read: 7 entries are kept.

        """)
  }
}

@Suite("A device file that cannot be used")
struct DeviceFileErrorTests {
  /// The commands that need a phone, each with what it needs beside one.
  static let specs = CommandLineTool.commands.filter { spec in
    spec.options.contains { $0 == .state && $0.hasVariable && $0.file?.replacingFlag == nil }
  }

  static let commands = specs.map(line)

  private static func line(_ spec: CommandSpec) -> String {
    let examples = [
      "NAME": "a", "AMOUNT": "1", "CURRENCY": "USD", "FINE": "5", "URL": "https://example.com/", "STEP": "", "LIST": "",
    ]
    let arguments = spec.arguments.compactMap { examples[$0] }.filter { !$0.isEmpty }
    return ([spec.name] + arguments + (spec.name == CommandName.update.rawValue ? ["--ios", "16.0"] : [])).joined(
      separator: " ")
  }

  @Test(
    "Missing: 66, and what to type",
    arguments: commands.filter { $0 != "register" } + ["session --dry-run", "event a --curl"])
  func missing(line: String) {
    let world = World()
    #expect(
      world.run("\(line) --state phone.json")
        == Consequences(
          .noInput,
          err: "skan: phone.json does not exist; run 'skan register' (or 'skan install') first, or name another file "
            + "with --state\n"))
    #expect([[], ["read phone.json"]].contains(world.takeLog()), "no lock is left behind")
  }

  @Test("Broken: 65, the place with a caret, and the file stays", arguments: commands)
  func broken(line: String) {
    let world = World.registered()
    world[Changes.state] = """
      {
        "format": 1,
        "profil": {},
        "kept": {"p0_coarse": null, "skan_total_revenue_by_currency": {"USD": 1e39}},
        "time": {"virtual": "yes"}
      }
      """
    #expect(
      world.run(line)
        == Consequences(
          .badData,
          err: """
            skan-state.json:1:1: a device file needs the key "profile"
              {
              ^
            skan-state.json:3:3: a device file has no key "profil"; did you mean "profile"?
                "profil": {},
                ^^^^^^^^
            skan-state.json:4:25: "p0_coarse" must be a number, a boolean or a string, this is null
                "kept": {"p0_coarse": null, "skan_total_revenue_by_currency": {"USD": 1e39}},
                                      ^^^^
            skan-state.json:4:73: a sum must fit a single-precision number (up to 3.4e38)
                "kept": {"p0_coarse": null, "skan_total_revenue_by_currency": {"USD": 1e39}},
                                                                                      ^^^^
            skan-state.json:5:23: "virtual" must be true or false, this is "yes"
                "time": {"virtual": "yes"}
                                    ^^^^^

            """))
  }

  @Test("What is no device file gets no lock beside it; one that this program wrote is read once")
  func otherFiles() {
    let world = World.registered()
    world["list.jsonl"] = #"{"op":"register"}"#
    for line in ["session", "register", "relaunch", "replay --allow-empty -q - "] {
      _ = world.takeLog()
      world.set { $0.input = "" }
      let run = world.run("\(line) --state list.jsonl")
      #expect(run.code == .badData && run.changes.isEmpty, "\(run)")
      #expect(!world.takeLog().contains { $0.hasPrefix("lock") }, "\(line)")
    }
    _ = world.takeLog()
    world.set { $0.failures["lock skan-state.json 30.0"] = .interrupted }
    #expect(world.run("relaunch").code == .interrupted)
    #expect(world.takeLog() == ["read skan-state.json", "lock skan-state.json 30.0"])
  }

  @Test("No JSON at all, and a newer format")
  func others() {
    let world = World()
    world[Changes.state] = "{\"format\": 1,\n \"profile\" {}}"
    #expect(
      world.run("session")
        == Consequences(
          .badData,
          err: """
            skan-state.json:2:12: not JSON: expected a colon after the key; 'skan install --force' starts anew
               "profile" {}}
                         ^

            """))
    world[Changes.state] = "{\"format\": 4, \"wonders\": true}"
    #expect(
      world.run("session")
        == Consequences(
          .badData,
          err: """
            skan-state.json:1:12: format 4 is newer than this skan, which reads up to 3
              {"format": 4, "wonders": true}
                         ^

            """))
    world[Changes.state] = ""
    #expect(world.run("details").code == .badData)
  }

  @Test("Held by another run: 75, and by whom")
  func held() {
    let world = World.registered()
    world.set {
      $0.failures["lock skan-state.json 0.1"] = .lockHeld(file: "skan-state.json", by: 42, seconds: 0.125)
      $0.failures["lock skan-state.json 30.0"] = .lockHeld(file: "skan-state.json", by: nil, seconds: 30)
    }
    // Postbacks are shown without a lock.
    for line in Self.specs.filter({ $0.declares(.lockTimeout) && $0.name != "postbacks" }).map(Self.line) {
      #expect(
        world.run("\(line) --lock-timeout 100ms")
          == Consequences(
            .locked, err: "skan: skan-state.json is in use by process 42; waited 0.1 s (--lock-timeout)\n"))
    }
    #expect(
      world.run("install --force")
        == Consequences(
          .locked, err: "skan: skan-state.json is in use by another process; waited 30 s (--lock-timeout)\n"))
    #expect(world.run("details -q").code == .ok)
  }

  @Test("Unwritable: 73, unreadable: 66")
  func failures() {
    let world = World.registered()
    world.set {
      $0.failures["replace skan-state.json"] = .cannotWrite(file: "skan-state.json", reason: "No space left on device")
      $0.failures["read other.json"] = .unreadable(file: "other.json", reason: "Is a directory")
    }
    #expect(
      world.run("session")
        == Consequences(.cannotWrite, err: "skan: cannot write skan-state.json: No space left on device\n"))
    #expect(
      world.run("session --state other.json")
        == Consequences(.noInput, err: "skan: cannot read other.json: Is a directory\n"))
    #expect(world.takeLog().last == "read other.json")
  }

  @Test("A lock whose file was removed while it was held: nothing is saved")
  func lostLock() {
    let world = World.registered()
    world.set { $0.losesLocks = true }
    let words = "was removed or replaced while this run held it, so another one may have changed skan-state.json"
    let lost = Consequences(.locked, err: "skan: skan-state.json.lock \(words); it is left as it is\n")
    #expect(world.run("relaunch") == lost)
    #expect(world.run("install --force") == lost)
  }

  @Test("Output without a reader, after the file is saved")
  func output() {
    let world = World.registered()
    world.set { $0.outputFailure = .outputFailed(reason: "No space left on device") }
    let full = world.run("relaunch")
    let words = "what was done is saved in skan-state.json, and would be done twice if it were repeated"
    #expect(full.err == "skan: cannot write the output: No space left on device; \(words)\n")
    #expect(full.code == .cannotWrite && full.changes == ["process.launches: 1 → 2"])
    #expect(world.run("details").err == "skan: cannot write the output: No space left on device\n")
    world.set { $0.outputFailure = .outputClosed }
    #expect(world.run("relaunch") == Consequences(changes: ["process.launches: 2 → 3"]))
    world["a.jsonl"] = "{\"op\":\"register\"}\n"
    #expect(world.run("replay a.jsonl") == Consequences())
  }

  @Test("--state names another file, an empty name is none")
  func state() {
    let world = World.registered()
    #expect(world.run("register --state b.json -q").changes.first == "b.json created")
    #expect(world.run("relaunch --state=b.json").changes == ["b.json process.launches: 1 → 2"])
    #expect(world.run("session --state=") == .usage("--state must be a file, it is \"\"", command: "session"))
  }
}

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
