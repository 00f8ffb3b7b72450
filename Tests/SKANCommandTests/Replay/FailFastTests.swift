import SKANBase
import SKANCommand
import SKANHTTP
import SKANSigning
import Testing

@testable import SKANCommandLine

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
