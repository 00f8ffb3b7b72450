import SKANBase
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

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
      "INTERACTION": "click",
    ]
    let arguments = spec.arguments.compactMap { examples[$0] }.filter { !$0.isEmpty }
    return ([spec.name] + arguments + (spec.name == CommandName.update.rawValue ? ["--ios", "16.0"] : [])).joined(
      separator: " ")
  }

  @Test(
    "Missing: 66, and what to type",
    arguments: commands.filter { !["register", "impression click"].contains($0) } + [
      "session --dry-run", "event a --curl",
    ])
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
