import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

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
