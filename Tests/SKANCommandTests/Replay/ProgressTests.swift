import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The progress bar")
struct ProgressTests {
  /// A bar of this many bytes at a time that moves.
  private func bar(total: Int) -> (world: World, progress: ProgressBar, after: (Double) -> Void) {
    let world = World()
    let start = Instant.listStart
    world.set { $0.now = start }
    return (
      world, ProgressBar(world.environment, total: total),
      { seconds in
        world.set { $0.now = Instant(microseconds: start.microseconds + Int64(seconds * 1e6)) }
      }
    )
  }

  /// What was written to the terminal, each drawing by itself.
  private func drawings(_ world: World) -> [String] {
    world.errors.components(separatedBy: "\r\u{1B}[K").dropFirst().map { $0 }
  }

  @Test("Not in the first second, then with share, rate and time left")
  func appears() {
    let (world, progress, after) = bar(total: 1000)
    after(0.9)
    progress.advance(read: 100, steps: 10)
    #expect(world.errors == "")
    after(2)
    progress.advance(read: 400, steps: 4000)
    #expect(drawings(world) == ["[############............] 50%  2k steps/s  2s left"])
  }

  @Test("At most ten times a second")
  func rate() {
    let (world, progress, after) = bar(total: 100)
    for step in 0...50 {
      after(1 + Double(step) / 100)
      progress.advance(read: 1, steps: 1)
    }
    #expect((5...6).contains(drawings(world).count))
  }

  @Test(
    "Shares and rates",
    arguments: [
      (0, 0, "[........................] 0%  checking  33m20s left"),
      (10, 999, "[........................] 1%  499 steps/s  3m18s left"),
      (1000, 3_000_000, "[########################] 100%  1.5M steps/s  0s left"),
      // More than was there when it began: a file that grows.
      (5000, 2, "[########################] 100%  1.0 steps/s  0s left"),
      (1000, 1, "[########################] 100%  0.5 steps/s  0s left"),
      (1000, 20, "[########################] 100%  10 steps/s  0s left"),
    ])
  func shown(read: Int, steps: Int, text: String) {
    let (world, progress, after) = bar(total: 1000)
    after(2)
    progress.advance(read: read, steps: steps)
    #expect(drawings(world) == [text])
  }

  @Test("Of a pipe, whose length is not known, steps and rate")
  func pipe() {
    let (world, progress, after) = bar(total: 0)
    after(2)
    progress.advance(read: 77, steps: 10)
    #expect(drawings(world) == ["10 steps, 5.0/s"])
  }

  @Test("It is taken away before something else is printed and at the end, and comes back by itself")
  func hidden() {
    let (world, progress, after) = bar(total: 100)
    after(2)
    progress.advance(read: 50, steps: 2)
    progress.hidden { world.environment.printError(["told"]) }
    #expect(world.errors.hasSuffix("left\r\u{1B}[Ktold\n"))
    after(2.01)
    progress.advance(read: 1, steps: 1)
    #expect(drawings(world).count == 3)
    progress.end()
    #expect(world.errors.hasSuffix("\r\u{1B}[K"))
    let before = world.errors
    progress.end()
    #expect(world.errors == before)
  }

  @Test("The second begins anew after the check")
  func begins() {
    let (world, progress, after) = bar(total: 100)
    after(5)
    progress.begin()
    after(5.5)
    progress.advance(read: 50, steps: 1)
    #expect(world.errors == "")
  }
}

@Suite("The progress bar of inputs")
struct InputProgressTests {
  @Test("A terminal shows how much of the inputs is read, and the bar goes at the end")
  func progress() throws {
    let world = World { $0.isTerminal = true }
    world["a"] = String(repeating: "x", count: 4 << 20)
    let start = Instant.listStart
    world.set { $0.now = start }
    do {
      let inputs = PackedInputs(count: 2, mostUnpacked: 1 << 30, isWatched: true, world.environment)
      let source = try inputs.open("a")
      #expect(try source.beginning(1 << 20).count == 1 << 20)
      #expect(world.errors.isEmpty)
      world.set { $0.now = Instant(microseconds: start.microseconds + 2_000_000) }
      #expect(try source.beginning(1 << 20).count == 1 << 20)
      #expect(world.errors == "\r\u{1B}[K[######..................] 25%  1 MiB/s  6s left")
      // The bar stays as long as the source is used.
      #expect(try source.beginning(0).isEmpty)
    }
    #expect(world.errors.hasSuffix("left\r\u{1B}[K"))
    for isPiped in [false, true] {
      let world = World {
        ($0.isTerminal, $0.isPiped) = (true, isPiped)
        $0.now = start
      }
      world["a"] = String(repeating: "x", count: 4 << 20)
      let inputs = PackedInputs(count: 1, mostUnpacked: 1 << 30, isWatched: isPiped, world.environment)
      let source = try inputs.open("a")
      world.set { $0.now = Instant(microseconds: start.microseconds + 2_000_000) }
      #expect(try source.beginning(1 << 20).count == 1 << 20)
      #expect(world.errors.isEmpty)
    }
  }
}

@Suite("A replay that a person watches")
struct WatchedReplayTests {
  private static let list = """
    {"op":"register"}
    {"op":"session"}
    {"op":"session"}

    """
  private static let clear = "\r\u{1B}[K"

  /// A world whose endpoint takes a second for each answer.
  private func world() -> World {
    let world = World { $0.isTerminal = true }
    world["a.jsonl"] = Self.list
    world.set {
      $0.network = { [unowned world] url, _ in
        world.set { $0.now = Instant(microseconds: $0.now.microseconds + 1_000_000) }
        return .success(HTTPExchange(HTTPResponse(body: Array(#"{"status":"ok"}"#.utf8)), url: url))
      }
    }
    return world
  }

  /// What was drawn, without the marks that clear the line.
  private func drawings(_ run: Consequences) -> [String] {
    run.err.components(separatedBy: Self.clear).filter { !$0.isEmpty }
  }

  @Test("Of a remote endpoint the bar is drawn after each answer, and is gone at the end")
  func bar() {
    let run = world().run("replay --test a.jsonl --endpoint http://h")
    #expect(run.code == .ok)
    #expect(
      drawings(run) == [
        // Of so short a list all is read before the first answer.
        "[########################] 100%  2.0 steps/s  0s left",
        "[########################] 100%  1.5 steps/s  0s left",
      ])
    #expect(run.err.hasSuffix(Self.clear))
  }

  @Test("Messages take its place and it comes back")
  func message() {
    let world = world()
    world["a.jsonl"] = Self.list.replacing(
      "{\"op\":\"session\"}", with: "{\"op\":\"session\",\"expect\":{\"window\":2}}")
    let run = world.run("replay --test a.jsonl --endpoint http://h")
    #expect(run.code == .expectationFailed)
    let parts = drawings(run)
    #expect(parts.count == 4 && parts[0].hasPrefix("a.jsonl:2: expectation failed: window\n"), "\(parts)")
    #expect(parts.dropFirst().first?.hasPrefix("[####") ?? false, "\(parts)")
  }

  @Test("A try that is made again is no step")
  func retry() {
    let world = world()
    world.set {
      $0.network = { [unowned world] _, _ in
        world.set { $0.now = Instant(microseconds: $0.now.microseconds + 1_000_000) }
        return .failure(.noSuchHost)
      }
    }
    let run = world.run("replay --test a.jsonl --endpoint http://h --retry 1 --retry-interval 250ms")
    #expect(run.out.hasPrefix("FAIL  a.jsonl  3 steps, "))
    #expect(
      drawings(run).map { $0.prefix { $0 != "\n" } } == [
        "a.jsonl:2: no answer (no such host: h); asked again after 0.25s (1 of 1)",
        "[########################] 100%  1.0 steps/s  0s left",
        "a.jsonl:3: no answer (no such host: h); asked again after 0.25s (1 of 1)",
        "[########################] 100%  0.8 steps/s  0s left", "Try 'skan explain exit-69'.",
      ])
  }

  @Test("With -v the requests of each try are shown")
  func verboseRetry() {
    let world = world()
    world.fail(.noSuchHost)
    let run = world.run("replay -v a.jsonl --endpoint http://h --retry 1 --retry-interval 250ms")
    #expect(run.err.components(separatedBy: "> GET http://h/api/v2/conversion_value").count == 5, "\(run.err)")
  }

  @Test(
    "Without a terminal, quiet, and beside steps that a pager shows there is none", arguments: ["-q", "--test", ""])
  func none(option: String) {
    let world = world()
    world.set { $0.isPiped = true }
    if option == "--test" { world.set { $0.isTerminal = false } }
    let run = world.run("replay \(option) a.jsonl --endpoint http://h")
    #expect(run.code == .ok && !run.err.contains(Self.clear))
  }

  @Test("One list on two threads prints what it prints unwatched", arguments: ["-q", "--test", "--summary"])
  func divided(mode: String) {
    let phones = (0..<3000).map {
      "{\"op\":\"device\",\"device\":\"p\($0)\"}\n{\"op\":\"register\",\"device\":\"p\($0)\"}\n"
    }
    let world = World { $0.isTerminal = true }
    world["many.jsonl"] = phones.joined()
    let watched = world.run("replay \(mode) --jobs 2 many.jsonl")
    world.set { $0.isTerminal = false }
    #expect(world.run("replay \(mode) --jobs 2 many.jsonl") == watched)
    #expect(watched.code == .ok && watched.err.isEmpty)
  }

  @Test("An output that cannot be written ends it, with its bar away", arguments: [1, 2])
  func outputFails(jobs: Int) {
    let world = World {
      $0.isTerminal = true
      $0.outputFailure = .outputFailed(reason: "No space left on device")
    }
    world["a.jsonl"] = Self.list
    world["wrong.jsonl"] = "{\"op\":\"sesion\"}\n"
    let message = "skan: cannot write the output: No space left on device\n"
    for lists in ["a.jsonl", "a.jsonl wrong.jsonl"] {
      let run = world.run("replay --test --jobs \(jobs) \(lists)")
      #expect(run.code == .cannotWrite && run.err.contains(message), "\(run)")
    }
    #expect(world.run("replay --jobs \(jobs) a.jsonl") == Consequences(.cannotWrite, err: message))
  }
}

@Suite("--summary")
struct SummaryTests {
  private static let list = """
    {"op":"device","device":"ann"}
    {"op":"device","device":"ben"}
    {"op":"register","device":"ann"}
    {"op":"register","device":"ben"}
    {"op":"session","device":"ann","label":"first","expect":{"window":2}}
    {"op":"event","device":"ben","name":"","expect":{"window":2}}
    {"op":"session","device":"ben","answer":{"json":{"status":"error","reason":"no such app"}}}
    {"op":"session","device":"ben","skip":"not now"}

    """

  private func world() -> World {
    let world = World()
    world["a.jsonl"] = Self.list
    world["b.jsonl"] = Self.list
    world["wrong.jsonl"] = "{\"op\":\"sesion\"}\n"
    return world
  }

  private func object(_ arguments: String) throws -> JSON {
    try JSONReader.read(Array(world().run("replay \(arguments)").out.utf8)).value
  }

  @Test("In the place of the lines of steps, with failures on stderr as before")
  func text() {
    let result = world().run("replay --summary a.jsonl")
    #expect(result.code == .expectationFailed)
    #expect(result.err.contains("a.jsonl:5: expectation failed on ann (first): window"))
    #expect(result.out.hasPrefix("7 steps, 2 expectations, 2 failed, 1 skipped; 1 step with findings\n\nOutcomes\n"))
    for line in [
      "server-error      1  12.5 %  ############\n", "empty-name      1", "server-error      1  no such app",
    ] {
      #expect(result.out.contains(line), "\(line)\n\(result.out)")
    }
    #expect(result.out.contains(/2  a\.jsonl:5  window: expected 2, got 0 +ann, ben\n/))
  }

  @Test("The same on every form and any number of threads; lists are added")
  func json() throws {
    let one = try object("--summary --json a.jsonl")
    #expect(one["failures"] == .integer(2) && one["phones"] == .integer(2) && one["skipped"] == .integer(1))
    #expect(
      one["outcomes"]
        == .object([
          ("registered", .integer(2)), ("server-error", .integer(1)), ("set", .integer(2)), ("updated", .integer(2)),
        ]))
    #expect(one["findings_by_code"] == .object([("empty-name", .integer(1))]))
    #expect(try object("-q --summary --json a.jsonl") == one)
    let two = try object("--summary --json --jobs 2 a.jsonl b.jsonl")
    #expect(two["files"] == .integer(2) && two["phones"] == .integer(4) && two["steps"] == .integer(14))
    guard case .array(let groups)? = two["failures_alike"], case .array(let phones)? = groups.first?["phones"] else {
      Issue.record("no groups")
      return
    }
    #expect(phones.map { $0["file"] } == ["a.jsonl", "a.jsonl", "b.jsonl", "b.jsonl"].map(JSON.string))
  }

  @Test("Beside --test, below its lines; of --strict findings are failures")
  func test() throws {
    let plain = world().run("replay --test a.jsonl b.jsonl")
    let result = world().run("replay --test --summary --strict a.jsonl b.jsonl")
    #expect(result.out.hasPrefix("FAIL  a.jsonl") && result.out.contains("0 ms\n\nOutcomes\n"))
    #expect(plain.out.hasSuffix("0 ms\n"))
    let finding = try #require(
      result.out.split(separator: "\n").first { $0.contains("finding: The event name is empty. [empty-name]") })
    #expect(finding.contains("  a.jsonl:6  finding: ") && finding.hasSuffix("  a.jsonl ben, b.jsonl ben"))
  }

  @Test("Lists with mistakes, and phones of a list that was stopped, are left out")
  func leftOut() throws {
    let wrong = world().run("replay --summary a.jsonl wrong.jsonl")
    #expect(wrong.code == .badData)
    #expect(wrong.out.hasPrefix("1 list, 7 steps") && wrong.out.contains("1 list with mistakes"))
    let stopped = try object("--summary --json --fail-fast a.jsonl")
    #expect(stopped["phones"] == .integer(0) && stopped["unfinished"] == .integer(1))
    #expect(stopped["steps"] == .integer(5))
    #expect(world().run("replay --summary wrong.jsonl").out.isEmpty)
  }

  @Test("Of --label only the selected steps count, and all phones")
  func label() throws {
    let selected = try object("--summary --json --label first a.jsonl")
    #expect(selected["steps"] == .integer(1) && selected["phones"] == .integer(2))
  }

  @Test("The SDK key is in none of it")
  func key() {
    let world = world()
    world["key"] = "such"
    world["k.jsonl"] = """
      {"op":"register","device":"such"}
      {"op":"session","device":"such","answer":{"json":{"status":"error","reason":"no such app"}},"expect":{"device":"ann"}}

      """
    for form in ["", "--json"] {
      let result = world.run("replay --summary \(form) k.jsonl --sdk-key-file key --endpoint production")
      #expect(!result.out.contains("such") && result.out.contains("REDACTED"), "\(result)")
    }
  }

  @Test(
    "Refused",
    arguments: [
      (
        "--summary -q --report-json -",
        "--report-json - needs --quiet without --summary: the report goes to standard output"
      ), ("--summary --json --test", "--json and --test exclude each other"),
    ])
  func refused(arguments: String, message: String) {
    #expect(world().run("replay a.jsonl \(arguments)") == .usage(message, command: "replay"))
  }

  @Test("Of many errors and failures the first fifty are printed, and the others counted")
  func many() {
    let world = World()
    let steps = (0..<53).map {
      #"{"op":"session","answer":{"json":{"status":"error","reason":"reason \#($0)"}},"expect":{"at":\#($0)}}"#
    }
    let untold = #"{"op":"session","answer":{"json":{"status":"error","reason":""}}}"#
    world["many.jsonl"] = (["{\"op\":\"register\"}", untold, untold] + steps).joined(separator: "\n")
    let out = world.run("replay --summary many.jsonl").out
    #expect(out.contains(/server-error +2  \(no text\)\n/), "\(out)")
    #expect(out.contains("\n  4 steps more with other texts.\n"), "\(out)")
    #expect(out.contains("\n  3 failures more of other kinds.\n"), "\(out)")
  }

  @Test("Phones of a list that did not run to the end are said to be left out, and no phone is no table")
  func unfinished() {
    let world = world()
    world["good.jsonl"] = "{\"op\":\"register\"}\n"
    world["none.jsonl"] = "# nothing\n"
    let out = world.run("replay --summary --fail-fast good.jsonl a.jsonl").out
    #expect(out.contains("\n  The phones of 1 list that did not run to the end are left out.\n"), "\(out)")
    let none = world.run("replay --summary --allow-empty none.jsonl")
    #expect(none.code == .ok && none.out.hasPrefix("0 steps"), "\(none)")
    #expect(!none.out.contains("Fine values") && !none.out.contains("Coarse values"))
  }
}
