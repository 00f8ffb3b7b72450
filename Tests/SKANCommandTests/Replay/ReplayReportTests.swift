import SKANBase
import SKANCommand
import SKANHTTP
import Testing

@testable import SKANCommandLine

@Suite("replay --report-junit, --report-tap, --report-json")
struct ReplayReportTests {
  private static let all = " --report-junit r.xml --report-tap r.tap --report-json r.json"

  private func world(_ list: String, _ set: (inout World.State) -> Void = { _ in }) -> World {
    let world = World(set)
    world["a.jsonl"] = list
    return world
  }

  private func summary(_ world: World) throws -> JSON {
    let text = try #require(world["r.json"])
    return try #require(try JSONReader.read(Array(text.utf8)).value["summary"])
  }

  @Test(
    "No report takes the place of something else, and nothing runs",
    arguments: [
      ("--report-tap r --report-json r a.jsonl", "--report-json would replace the file of --report-tap"),
      ("--report-junit a.jsonl a.jsonl", "--report-junit would replace the list a.jsonl"),
      ("--report-tap s.json --state s.json a.jsonl", "--report-tap would replace the file of --state"),
      ("--report-tap r --record r --endpoint http://x a.jsonl", "--report-tap would replace the file of --record"),
      ("--report-tap m --model m a.jsonl", "--report-tap would replace the file of --model"),
      ("--report-tap k --sdk-key-file k a.jsonl", "--report-tap would replace the file of --sdk-key-file"),
      ("-q --report-tap - --record - --endpoint http://x a.jsonl", "--report-tap would replace the file of --record"),
      ("--report-tap= a.jsonl", #"--report-tap must be a file, it is """#),
      ("--report-tap - a.jsonl", "--report-tap - needs --quiet: the report goes to standard output"),
      ("-q --report-tap - --report-json - a.jsonl", "--report-json would replace the file of --report-tap"),
    ])
  func refused(line: String, words: String) {
    let world = world(#"{"op":"register"}"#)
    #expect(world.run("replay \(line)") == .usage(words, command: "replay"))
    // The key is known before a message is written, so that none holds it.
    #expect(world.takeLog() == (line.contains("--sdk-key-file k") ? ["read k"] : []))
  }

  @Test("As a page and in Markdown, with the failures that are alike and the time lines of their phones")
  func pages() throws {
    let list = """
      {"op":"device","device":"ann"}
      {"op":"device","device":"ben"}
      {"op":"register","device":"ann"}
      {"op":"register","device":"ben"}
      {"op":"session","device":"ben","expect":{"window":2}}
      {"op":"session","device":"ann"}

      """
    let world = world(list)
    let result = world.run("replay --test a.jsonl --report-html r.html --report-markdown r.md --annotate github")
    #expect(result.code == .expectationFailed)
    #expect(
      result.err.contains(
        "\n::error file=a.jsonl,line=5,title=skan replay::window: expected 2, got 0 (ben)%0Aupdated: "))
    let page = try #require(world["r.html"])
    #expect(page.contains("<h2>Failures that are alike</h2>") && page.contains("<article id=L5>"))
    #expect(page.contains("Time line of ben</summary>") && !page.contains("Time line of ann"))
    #expect(page.contains("1 phone is left out") && page.contains("id=\"life-1-1-title\""))
    #expect(try #require(world["r.md"]).contains("### Failures that are alike"))
    #expect(!world.run("replay --test a.jsonl").err.contains("::error"))
    world["b.jsonl"] = list.replacing(#","expect":{"window":2}"#, with: "")
    let passed = world.run("replay -q b.jsonl --report-html - --annotate github")
    #expect(passed.code == .ok && passed.err.isEmpty && passed.out.contains("<details><summary>ok b.jsonl: 6 steps"))
    #expect(passed.out.contains("Time line of ann") && passed.out.contains("Time line of ben"))
    #expect(world.run("replay -q b.jsonl --report-html -").out == passed.out)
  }

  @Test("A form of annotations that there is not")
  func annotations() {
    let world = world(#"{"op":"register"}"#)
    #expect(
      world.run("replay a.jsonl --annotate gitub")
        == .usage("--annotate must be github, it is \"gitub\"; did you mean github?", command: "replay"))
  }

  @Test("A report that cannot be written is reported before the first step", arguments: ["r.xml", "r.tap", "r.json"])
  func unwritable(name: String) {
    let world = world(#"{"op":"register"}"#) {
      $0.failures["check \(name)"] = .cannotWrite(file: name, reason: "no such directory")
    }
    #expect(
      world.run("replay a.jsonl\(Self.all)")
        == Consequences(.cannotWrite, err: "skan: cannot write \(name): no such directory\n"))
    #expect(!world.takeLog().contains { $0.hasPrefix("read a.jsonl") || $0.hasPrefix("replace") })
  }

  @Test("One that cannot be written after all does not stop the others")
  func lateFailure() {
    let world = world(#"{"op":"register","expect":{"outcome":"set"}}"#) {
      $0.failures["replace r.xml"] = .cannotWrite(file: "r.xml", reason: "the disk is full")
    }
    let result = world.run("replay -q a.jsonl\(Self.all)")
    #expect(result.code == .cannotWrite)
    #expect(result.err.hasSuffix("skan: cannot write r.xml: the disk is full\n"))
    #expect(world["r.tap"]?.contains("not ok 1") == true && world["r.json"] != nil)
  }

  @Test("Without one nothing is written")
  func none() {
    let result = world(#"{"op":"register"}"#).run("replay a.jsonl")
    #expect(result.changes == [])
  }

  @Test("Of an interrupted run what there was")
  func interrupted() throws {
    let world = world("{\"op\":\"register\"}\n{\"op\":\"session\"}")
    world.set {
      $0.network = { [weak world] _, _ in
        world?.set { $0.isInterrupted = true }
        return .failure(.interrupted)
      }
    }
    #expect(world.run("replay -q --endpoint http://x a.jsonl\(Self.all)").code == .interrupted)
    #expect(world["r.tap"] == "TAP version 14\n1..1\nok 1 - a.jsonl:1 register\nBail out! interrupted\n")
    #expect(world["r.xml"]?.contains(#"<error message="interrupted" type="run">"#) == true)
    #expect(try summary(world)["stopped"] == .string("interrupted"))
  }

  @Test(
    "Of a run that came to no step why",
    arguments: [
      ("--label none a.jsonl", ExitCode.noInput, "no step has a label that --label matches"),
      ("--model none.json a.jsonl", .noInput, "none.json does not exist"),
      ("--state none.json a.jsonl", .noInput, "none.json does not exist"),
      ("--endpoint production a.jsonl", .keyMissing, "production needs the SDK key"),
    ])
  func stopped(line: String, code: ExitCode, words: String) throws {
    let world = world(#"{"op":"register"}"#)
    #expect(world.run("replay \(line)\(Self.all)").code == code)
    #expect(world["r.tap"]?.contains("\nBail out! \(words)") == true)
    #expect(try summary(world)["passed"] == .bool(false))
  }

  @Test("A command line that is wrong leaves earlier reports alone")
  func usage() {
    let world = world(#"{"op":"register"}"#)
    world["r.tap"] = "earlier"
    #expect(world.run("replay --json --test a.jsonl --report-tap r.tap").code == .usage)
    #expect(world["r.tap"] == "earlier")
  }

  @Test("With --fail-fast the lists up to the failure")
  func failFast() throws {
    let world = world("{\"op\":\"register\",\"expect\":{\"outcome\":\"set\"}}\n{\"op\":\"details\"}")
    world["b.jsonl"] = #"{"op":"details"}"#
    #expect(world.run("replay -q --fail-fast --jobs 1 a.jsonl b.jsonl\(Self.all)").code == .expectationFailed)
    let summary = try summary(world)
    #expect(summary["files"] == .integer(1) && summary["steps"] == .integer(1))
    #expect(summary["stopped"] == .string("stopped at the first expectation that failed"))
  }

  @Test("With --label only what is selected")
  func label() throws {
    let world = world("{\"op\":\"register\"}\n{\"op\":\"details\",\"label\":\"x\"}")
    #expect(world.run("replay -q --label x a.jsonl\(Self.all)").code == .ok)
    #expect(world["r.tap"] == "TAP version 14\n1..1\nok 1 - a.jsonl:2 details: x\n")
  }

  @Test("A report on standard output is all of it")
  func standardOutput() {
    let result = world(#"{"op":"register"}"#).run("replay -q a.jsonl --report-tap -")
    #expect(result == Consequences(out: "TAP version 14\n1..1\nok 1 - a.jsonl:1 register\n"))
  }

  @Test("The SDK key is in none", arguments: ["r.xml", "r.tap", "r.json"])
  func key(name: String) throws {
    let world = world(
      #"{"op":"event","name":"top-secret","label":"top-secret","expect":{"query.n":"not top-secret"}}"#
    ) { $0.variables["SKAN_SDK_KEY"] = "top-secret" }
    #expect(world.run("replay -q a.jsonl\(Self.all)").code == .expectationFailed)
    let report = try #require(world[name])
    #expect(!report.contains("top-secret"))
    #expect(report.contains("REDACTED") || report.contains("query.n"))
  }

  @Test("Of a list from a pipe the steps before its mistake, too")
  func pipe() {
    let world = World { $0.streams["-"] = [#"{"op":"register"}"#, "{"] }
    #expect(world.run("replay -q - --report-tap r.tap").code == .badData)
    #expect(world["r.tap"]?.hasPrefix("TAP version 14\n1..2\nok 1 - -:1 register\nnot ok 2 - -: the list\n") == true)
  }
}
