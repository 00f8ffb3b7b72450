import SKANBase
import SKANCommand
import SKANHTTP
import SKANSigning
import Testing

@Suite("--test and --fail-fast")
struct FailFastTests {
  private static let good = #"{"op":"register","expect":{"outcome":"registered"}}"# + "\n"
  private static let bad = #"{"op":"details","label":"l","expect":{"outcome":"set"}}"# + "\n"
  private static let failure = """
    expectation failed (l): outcome
      expected  "set"
      actual    "read"
      step      read: Nothing is kept yet.

    """

  private func world(_ cores: Int = 1) -> World {
    let world = World { $0.cores = cores }
    world["1.jsonl"] = Self.good
    world["2.jsonl"] = Self.bad + Self.bad + Self.good
    world["3.jsonl"] = Self.good + Self.good
    world["4.jsonl"] = Self.bad
    return world
  }

  @Test("One line a list and a summary; failures on stderr", arguments: [1, 3])
  func test(cores: Int) {
    #expect(
      world(cores).run("replay --test 1.jsonl 2.jsonl 3.jsonl")
        == Consequences(
          .expectationFailed,
          out: """
            ok    1.jsonl  1 step, 1 expectation, 0 failed
            FAIL  2.jsonl  3 steps, 3 expectations, 2 failed
            FAIL  3.jsonl  2 steps, 2 expectations, 1 failed
            3 files (2 failed), 6 steps, 6 expectations, 3 failed; 0 ms

            """,
          err: "2.jsonl:1: \(Self.failure)2.jsonl:2: \(Self.failure)3.jsonl:2: "
            + """
            expectation failed: outcome
              expected  "registered"
              actual    "already-registered"
              step      already-registered: A first call is on record since 2026-01-01T00:00:00Z, so register does nothing \
            and the windows go on counting from then.

            """))
  }

  @Test("It stops at the first failure: nothing is reported of what comes after it", arguments: [1, 2, 4])
  func failFast(cores: Int) {
    #expect(
      world(cores).run("replay --test --fail-fast 1.jsonl 2.jsonl 3.jsonl 4.jsonl")
        == Consequences(
          .expectationFailed,
          out: """
            ok    1.jsonl  1 step, 1 expectation, 0 failed
            FAIL  2.jsonl  1 step, 1 expectation, 1 failed
            2 files (1 failed), 2 steps, 2 expectations, 1 failed; 0 ms

            """, err: "2.jsonl:1: \(Self.failure)"))
    #expect(world(cores).run("replay -q --fail-fast 4.jsonl 1.jsonl").err == "4.jsonl:1: \(Self.failure)")
    let steps = world(cores).run("replay --fail-fast 4.jsonl 1.jsonl").out
    #expect(steps.split(separator: "\n").count == 3 && !steps.contains("1.jsonl"))
  }

  @Test("More than 100 failures of a list are counted")
  func many() {
    let world = World()
    world["a.jsonl"] = (0..<130).map { #"{"op":"details","expect":{"at":\#($0)}}"# }.joined(separator: "\n")
    let result = world.run("replay --test a.jsonl")
    #expect(result.err.components(separatedBy: "expectation failed").count == 101)
    #expect(result.err.hasSuffix("\na.jsonl: … and 30 more\n"))
    #expect(result.out.hasPrefix("FAIL  a.jsonl  130 steps, 130 expectations, 130 failed\n"))
  }

  @Test("Equal failures are reported three times, and then counted", arguments: ["--test", "-q", "", "--json"])
  func equal(mode: String) {
    let world = World()
    world["a.jsonl"] = String(repeating: Self.bad, count: 130) + #"{"op":"details","expect":{"window":0}}"#
    let result = world.run("replay \(mode) a.jsonl")
    #expect(result.err.components(separatedBy: "expectation failed").count == 5)
    let words = #"outcome: expected "set", got "read""#
    #expect(result.err.hasSuffix("\na.jsonl: the same 127 times more, from a.jsonl:4 to a.jsonl:130: \(words)\n"))
    world["a.jsonl"] = String(repeating: Self.bad, count: 4)
    #expect(
      world.run("replay \(mode) a.jsonl").err.hasSuffix("\na.jsonl: the same once more, at a.jsonl:4: \(words)\n"))
  }

  @Test("A failure names its phone")
  func phone() {
    let world = World()
    world["a.jsonl"] = """
      {"op":"device","device":"alice"}
      {"op":"session","device":"alice","label":"first","expect":{"window":0}}

      """
    let result = world.run("replay --test --strict a.jsonl")
    #expect(result.err.hasPrefix("a.jsonl:2: expectation failed on alice (first): window\n"))
    #expect(result.err.contains("\na.jsonl:2: finding on alice (first): Dropped silently: "))
  }

  @Test("--strict counts and names findings")
  func strict() {
    let world = World()
    world["a.jsonl"] = #"{"op":"session","label":"too early"}"#
    #expect(world.run("replay --test a.jsonl").code == .ok)
    #expect(
      world.run("replay --test --strict a.jsonl")
        == Consequences(
          .expectationFailed,
          out: """
            FAIL  a.jsonl  1 step, 0 expectations, 0 failed; 1 step with findings
            1 file (1 failed), 1 step, 0 expectations, 0 failed; 0 ms

            """,
          err: "a.jsonl:1: finding (too early): Dropped silently: call register before the first session or "
            + "event. [dropped-unregistered]\nTry 'skan explain dropped-unregistered'.\n"))
  }

  @Test("A list with a mistake does not hide what became of the others")
  func mistake() {
    let world = world()
    world["bad.jsonl"] = Self.good + #"{"op":"sesion"}"#
    let test = world.run("replay --test 4.jsonl bad.jsonl 1.jsonl")
    #expect(test.code == .badData)
    #expect(
      test.out == """
        FAIL  4.jsonl  1 step, 1 expectation, 1 failed
        FAIL  bad.jsonl  has mistakes
        ok    1.jsonl  1 step, 1 expectation, 0 failed
        3 files (1 failed, 1 with mistakes), 2 steps, 2 expectations, 1 failed; 0 ms

        """)
    let words =
      "bad.jsonl:2:7: there is no op \"sesion\"; did you mean \"session\"?\n  {\"op\":\"sesion\"}\n        ^^^^^^^^\n"
    #expect(test.err == "4.jsonl:1: \(Self.failure)\(words)")
    let quiet = world.run("replay -q 4.jsonl bad.jsonl 1.jsonl")
    #expect(quiet == Consequences(.badData, err: test.err))
    let steps = world.run("replay 4.jsonl bad.jsonl 1.jsonl")
    #expect(steps.code == .badData && steps.err == "\(words)4.jsonl:1: \(Self.failure)")
    #expect(steps.out.hasSuffix("\n2 lists, 2 steps, 2 expectations, 1 failed; 1 list with mistakes\n"))
    #expect(!steps.out.contains("bad.jsonl"))
    #expect(world.run("replay --json 1.jsonl bad.jsonl").out.split(separator: "\n").count == 1)
    // Then nothing is left, or it was to end with the first failure.
    #expect(world.run("replay --test bad.jsonl bad.jsonl").out == "")
    #expect(world.run("replay --test --fail-fast 1.jsonl bad.jsonl") == Consequences(.badData, err: words))
  }

  @Test("--test and --json exclude each other")
  func forms() {
    #expect(
      world().run("replay --test --json 1.jsonl") == .usage("--json and --test exclude each other", command: "replay"))
  }
}

@Suite("replay --send")
struct ReplaySendTests {
  /// Two phones, of which the second is measured first.
  private static let list = #"""
    {"device":"a","op":"device","seed":1}
    {"device":"b","op":"device","seed":2}
    {"device":"b","op":"register","at":"2026-01-01T00:00:00Z"}
    {"device":"a","op":"register","at":"2026-01-03T00:00:00Z"}
    {"device":"c","op":"device","seed":3}
    {"device":"a","op":"session","at":"+1h","answer":{"json":{"conversion_value":5}}}

    """#

  private func world(_ list: String = list) -> World { World { $0.files["list.jsonl"] = Array(list.utf8) } }

  /// Transaction and recipient of what was sent.
  private func sent(_ world: World) throws -> [String] {
    try world.posts.map { post in
      let body = try JSONReader.read(Array(post.body.utf8)).value
      return "\(body["transaction-id"] ?? .null) \(post.recipient ?? "")"
    }
  }

  @Test("Those of all phones in the order of their departure, and copies of winning ones")
  func order() throws {
    let world = world()
    world.takePostbacks(200)
    let run = world.run("replay list.jsonl --send http://localhost:9/in?x=1")
    #expect(run.code == .ok && run.err.isEmpty)
    let lines = run.out.split(separator: "\n").map(String.init)
    let attempts = lines.filter { $0.contains("HTTP 200") }
    #expect(attempts == attempts.sorted { $0.prefix(20) < $1.prefix(20) } && attempts.count == world.posts.count)
    #expect(Set(attempts.map { $0.split(separator: " ")[1] }) == ["a", "b"])
    #expect(attempts.first?.contains("  b P0  to the ad network at http://localhost:9/in: HTTP 200") ?? false)
    #expect(
      lines.last == "\(world.posts.count / 2) postbacks of 2 phones: \(world.posts.count) of \(world.posts.count) "
        + "deliveries arrived, in \(world.posts.count) attempts")
    #expect(world.posts.map(\.url).first == "http://localhost:9/in?x=1")
    #expect(run.changes.isEmpty)
  }

  @Test("What is sent is what 'skan postbacks' of one phone sends")
  func same() throws {
    let one = World.measured()
    one.takePostbacks(200)
    one.run("postbacks --at +60d --send http://localhost:9/")
    let list = World { world in
      world.files["list.jsonl"] = Array(
        #"""
        {"op":"register","at":\#(World.start)}
        {"op":"session","at":"+1h","answer":{"json":{"conversion_value":12,"skan_updated_coarse_value":2}}}
        {"op":"session","at":"+3d","answer":{"json":{"conversion_value":12,"skan_updated_coarse_value":2}}}

        """#.utf8)
    }
    list.takePostbacks(200)
    #expect(list.run("replay list.jsonl --send http://localhost:9/ -q").code == .ok)
    #expect(list.posts.count == 4 && one.posts.count == 4)
    #expect(list.posts.map(\.recipient) == one.posts.map(\.recipient))
  }

  @Test("Again every day of the phone's time, ten times in all; the exit code; an expectation that fails comes first")
  func retries() throws {
    let world = world()
    world.takePostbacks(503, 200)
    let run = world.run("replay --test list.jsonl --developer none --send http://localhost:9/")
    #expect(run.code == .ok && world.posts.count == Set(world.posts.map(\.body)).count + 1)
    let refused = self.world()
    refused.takePostbacks(404)
    #expect(refused.run("replay -q list.jsonl --developer none --send http://localhost:9/").code == .badAnswer)
    let count = refused.posts.count
    #expect(count == 10 * Set(refused.posts.map(\.body)).count)
    refused.takeNoPostbacks(.connectionRefused(proxy: nil))
    #expect(refused.run("replay -q list.jsonl --send http://localhost:9/").code == .unavailable)
    refused.takeNoPostbacks(.interrupted)
    #expect(refused.run("replay -q list.jsonl --send http://localhost:9/").code == .interrupted)
    let failing = self.world(Self.list.replacing(#""answer""#, with: #""expect":{"outcome":"window-over"},"answer""#))
    failing.takePostbacks(404)
    #expect(failing.run("replay -q list.jsonl --send http://localhost:9/").code == .expectationFailed)
    #expect(!failing.posts.isEmpty)
  }

  @Test("Nothing is sent of lists with a mistake, and without --send; none of a phone that never called the framework")
  func nothing() {
    let world = world(Self.list + "{\n")
    #expect(world.run("replay list.jsonl --send http://localhost:9/").code == .badData && world.posts.isEmpty)
    let other = self.world()
    #expect(other.run("replay list.jsonl -q").code == .ok && other.posts.isEmpty)
    other["list.jsonl"] = #"{"op":"details"}"# + "\n"
    let run = other.run("replay list.jsonl --send http://localhost:9/")
    #expect(run.code == .ok && run.out.hasSuffix("0 postbacks of 0 phones: 0 of 0 deliveries arrived, in 0 attempts\n"))
  }

  @Test("Several lists: merged by time, each attempt with its list; as JSON with file and phone")
  func several() throws {
    let world = world()
    world["b.jsonl"] = Self.list.replacing("2026-01-01", with: "2026-01-02")
    world.takePostbacks(200)
    let run = world.run("replay list.jsonl b.jsonl --developer none --send http://localhost:9/ --jobs 2")
    let attempts = run.out.split(separator: "\n").filter { $0.contains("HTTP 200") }
    #expect(
      attempts.contains { $0.contains("  list.jsonl b P0  to") }
        && attempts.contains { $0.contains("  b.jsonl b P0  to") })
    #expect(attempts.map { $0.prefix(20) } == attempts.map { $0.prefix(20) }.sorted())
    let json = world.run("replay --json b.jsonl --developer none --send http://localhost:9/")
    let last = try JSONReader.read(Array(json.out.split(separator: "\n").last.map(String.init)?.utf8 ?? "".utf8)).value
    #expect(
      last["file"] == .string("b.jsonl") && last["status"] == .integer(200) && last["recipient"] == .string("network"))
  }

  @Test("Signed with the tester's key, each body once", .enabled(if: World.canCheckSignatures))
  func signed() throws {
    let world = world()
    world.set { $0.signatures = .platform() }
    world["key.pem"] = SigningKey.privatePEM
    world.takePostbacks(503, 200)
    #expect(
      world.run("replay -q list.jsonl --developer none --sign key.pem --send http://localhost:9/").code == .ok)
    #expect(world.posts.allSatisfy { $0.body.contains("attribution-signature") })
    #expect(Set(world.posts.map(\.body)).count == world.posts.count - 1)
  }

  @Test(
    "Wrong options",
    arguments: [
      ("--developer none", "--developer goes with --send"), ("--sign key.pem", "--sign goes with --send"),
      ("--send none", "--send: it must begin with http:// or https://"),
      (
        "--send http://a/ --state phone.json", "--state and --send exclude each other: 'skan postbacks --send' delivers"
      ),
      ("--send http://a/ --tier 1", "'skan replay' has no option --tier"),
    ])
  func usage(options: String, message: String) {
    let run = world().run("replay list.jsonl \(options)")
    #expect(run.code == .usage && run.err.contains(message), "\(run.err)")
  }
}

@Suite("replay --state")
struct ReplayStateTests {
  @Test("Starts from the device file and saves it once at the end")
  func state() {
    let world = World.registered()
    world["a.jsonl"] = """
      {"op":"revenue","amount":1.5,"currency":"USD","at":"+1h"}
      {"op":"session","answer":{"json":{"conversion_value":3}},"took":0.5}
      {"op":"session","device":"","expect":{"query.skan_current_conversion_value":"3"}}
      """
    let result = world.run("replay -q --state skan-state.json a.jsonl")
    #expect(
      result
        == Consequences(
          changes: [
            "kept.prev_fine_value: + 3", "kept.skan_total_revenue_by_currency.USD: + 1.5",
            "kept.p0_total_iap_revenue.USD: + 1.5",
            "kept.skan_last_call_to_skadnetwork_timestamp: 1767225600 → 1767229200",
            "endpoint.test_calls: 0 → 1", "time.end: 1767225600 → 1767229200.5",
            #"framework_calls.1: + {"at":1767229200.5,"call":"updatePostbackConversionValue","coarse":null,"#
              + #""error":null,"fine":3,"lock":false}"#,
            #"framework_calls.2: + {"at":1767229200.5,"call":"updatePostbackConversionValue","coarse":null,"#
              + #""error":null,"fine":0,"lock":false}"#,
          ]))
    #expect(
      world.takeLog() == [
        "read a.jsonl", "read skan-state.json", "lock skan-state.json 30.0", "read skan-state.json", "read a.jsonl",
        "replace skan-state.json", "unlock skan-state.json",
      ])
    // The next command goes on from there.
    #expect(world.run("relaunch -q --expect at=1767229200.5").code == .ok)
  }

  @Test("Also when an expectation fails")
  func unmet() {
    let world = World.registered()
    world["a.jsonl"] = #"{"op":"relaunch","device":"any name","expect":{"outcome":"read"}}"#
    let result = world.run("replay -q --state skan-state.json a.jsonl")
    #expect(result.code == .expectationFailed)
    #expect(result.changes == ["process.launches: 1 → 2"])
  }

  @Test(
    "A report or a recording that cannot be written: the device file is saved, and the message says so",
    arguments: ["--report-json full", "--endpoint http://h --record full"])
  func fullDisk(options: String) {
    let world = World.registered()
    world.answer(#"{"conversion_value":5,"status":"ok"}"#)
    world["a.jsonl"] = #"{"op":"revenue","amount":1.5,"currency":"USD"}"#
    world.set {
      $0.fullFile = "full"
      $0.failures["replace full"] = .cannotWrite(file: "full", reason: "Input/output error")
    }
    let run = world.run("replay -q --state skan-state.json a.jsonl \(options)")
    #expect(run.code == .cannotWrite && run.changes.contains("kept.skan_total_revenue_by_currency.USD: + 1.5"))
    let done = "what was done is saved in skan-state.json, and would be done twice if it were repeated"
    #expect(run.err == "skan: cannot write full: Input/output error; \(done)\n")
    // Without a device file nothing would be done twice.
    #expect(
      world.run("replay -q a.jsonl \(options)").err == "skan: cannot write full: Input/output error\n")
  }

  @Test("A report whose name the disk does not confirm, behind the device file")
  func notFlushed() {
    let world = World.registered()
    world["a.jsonl"] = #"{"op":"relaunch"}"#
    world.set { $0.failures["replace r.json"] = .notFlushed(file: "r.json", reason: "Input/output error") }
    let run = world.run("replay -q --state skan-state.json a.jsonl --report-json r.json")
    let done = "what was done is saved in skan-state.json, and would be done twice if it were repeated"
    #expect(
      run.err == "skan: cannot write r.json: Input/output error; its new content is in place; \(done)\n", "\(run)")
  }

  @Test("Needs one list and a device file")
  func refused() {
    let world = World.registered()
    world["a.jsonl"] = #"{"op":"relaunch"}"#
    #expect(
      world.run("replay --state skan-state.json a.jsonl a.jsonl")
        == .usage("--state goes with exactly one list", command: "replay"))
    #expect(
      world.run("replay --state none.json a.jsonl")
        == Consequences(
          .noInput,
          err: "skan: none.json does not exist; run 'skan register' (or 'skan install') first, or name another file "
            + "with --state\n"))
  }

  @Test("A problem in the middle of a stream leaves the file as it was")
  func brokenStream() {
    let world = World.registered()
    world.set { $0.streams["-"] = [#"{"op":"relaunch"}"#, "{"] }
    let result = world.run("replay -q --state skan-state.json -")
    #expect(result.code == .badData)
    #expect(result.changes == [])
    #expect(world.takeLog().last == "unlock skan-state.json")
  }

  @Test("A phone that ran by the real clock runs with the steps from here on")
  func realClock() {
    let world = World()
    world.run("register")
    world["a.jsonl"] = #"{"op":"relaunch","after":"1h"}"# + "\n" + #"{"op":"relaunch","expect":{"at":1780318800}}"#
    #expect(
      world.run("replay -q --state skan-state.json a.jsonl")
        == Consequences(
          changes: [
            "process.launches: 1 → 3", "time.virtual: false → true", "time.first: 1780315200 → 1780318800",
            "time.first_given: false → true", "time.end: 1780315200 → 1780318800",
          ]))
  }
}
