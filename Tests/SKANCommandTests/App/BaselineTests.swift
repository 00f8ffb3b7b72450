import Foundation
import SKANBase
import TestSupport
import Testing

/// The benchmark's ratio means something only while the Python program does the same work.
@Suite("What the benchmark is measured against", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct BaselineTests {
  @Test(
    "A generated list leaves the same phones, outcomes and warnings",
    .enabled(if: Python.isThere, Python.isMissing),
    arguments: [(1, "mixed"), (2, "mixed"), (3, "all-revenue"), (4, "engagement")] as [(UInt64, String)])
  func generated(seed: UInt64, model: String) throws {
    let workspace = try Workspace()
    let makeEvents = "\(Python.script("make-events")) --events 600 --phones 20 --seed \(seed) > list.jsonl"
    let made = try workspace.shell(Python.line(makeEvents))
    try #require(made.code == 0, "\(made)")
    try compare(workspace, model)
  }

  @Test("A list with all that may stand in one does, too", .enabled(if: Python.isThere, Python.isMissing))
  func varied() throws {
    let workspace = try Workspace()
    try workspace.write("list.jsonl", Self.list)
    try compare(workspace, "mixed")
  }

  @Test(
    "What skan refuses is refused", .enabled(if: Python.isThere, Python.isMissing),
    arguments: [
      "{", "[]", "{}", #"{"op":"evnt"}"#, #"{"op":7}"#, #"{"op":"session","name":"a"}"#, #"{"op":"event"}"#,
      #"{"op":"event","name":7}"#, #"{"op":"session","device":"b"}"#, #"{"op":"session","device":7}"#,
      #"{"op":"session","at":"yesterday"}"#, #"{"op":"session","at":"2026-02-30T00:00:00Z"}"#,
      #"{"op":"session","at":true}"#, #"{"op":"session","at":1e12}"#, #"{"op":"session","after":"1w"}"#,
      #"{"op":"session","after":-7}"#, #"{"op":"session","at":"+"}"#,
      #"{"op":"session","at":"+1h","after":"1h"}"#, #"{"op":"revenue","amount":1}"#,
      #"{"op":"revenue","currency":"USD"}"#, #"{"op":"revenue","amount":"1","currency":"USD"}"#,
      #"{"op":"revenue","amount":1,"currency":7}"#, #"{"op":"revenue","amount":NaN,"currency":"USD"}"#,
      #"{"op":"revenue","amount":1,"currency":"USD","ad_monetization":1}"#, #"{"op":"session"} x"#,
      #"{"op":"device","device":"c","ios":"17.x"}"#, #"{"op":"device","device":"c","ios":17}"#,
      #"{"op":"device","device":"c","bundle_id":7}"#, #"{"op":"device","device":"c","build":"beta"}"#,
      #"{"op":"device","device":"c","seed":"1"}"#, #"{"op":"device","device":"c","clock":"slow"}"#,
    ])
  func refused(line: String) throws {
    let workspace = try Workspace()
    try workspace.write("list.jsonl", "{\"op\":\"device\",\"device\":\"a\"}\n" + line + "\n")
    let ours = try workspace.run(["replay", "--quiet", "list.jsonl"] + options("mixed"))
    let theirs = try Python.baseline(["list.jsonl"], model: "mixed", in: workspace)
    #expect(ours.code == 65 && ours.err.contains("list.jsonl:2:"), "\(ours)")
    #expect(theirs.code == 1 && theirs.err.hasPrefix("baseline: line 2: "), "\(theirs)")
  }

  /// Everything that the program knows: forms of times, names, revenue, phones that the endpoint refuses.
  private static let list = """
    # A comment, and a blank line.

    {"op":"device","device":"a","ios":"16.0","bundle_id":"com.example.a","app_version":"2.1","idfa":null}
    {"op":"session","device":"a","at":"2026-01-01T00:00:00Z"}
    {"op":"register","device":"a"}
    {"op":"register","device":"a","after":1.5}
    {"op":"revenue","device":"a","amount":1.99,"currency":"USD","after":"90.25s"}
    {"op":"revenue","device":"a","amount":-0.5,"currency":"usd"}
    {"op":"revenue","device":"a","amount":0,"currency":"USD"}
    {"op":"revenue","device":"a","amount":3,"currency":null}
    {"op":"event","device":"a","name":"purchase","at":"+1h"}
      {"op":"event","device":"a","name":"a+b","at":"2026-01-01T04:00:00.123456789+01:00"}
    {"op":"session","device":"a","at":1767232800.75}
    {"op":"session","device":"a","at":1767232700}
    {"op":"device","device":"b","idfv":null}
    {"op":"register","device":"b","at":1767225600}
    {"op":"session","device":"b","after":"1h"}
    {"op":"device","device":"c","ad":false,"ios":"18.1","build":"appstore","clock":"production","seed":7}
    {"op":"register","device":"c","at":1767225600}
    {"op":"event","device":"c","name":"","after":"1m"}
    {"op":"event","device":"c","name":"é","after":"1m"}
    {"op":"event","device":"c","name":"a name that is longer than 32 letters","after":"1m"}
    {"op":"event","device":"c","name":"purchase","after":"1m"}
    {"op":"revenue","device":"c","amount":20,"currency":"EUR","ad_monetization":true,"after":"1m"}
    {"op":"session","device":"c","after":"1m"}
    {"op":"revenue","device":"c","amount":1,"currency":"GBP","after":"1m"}
    {"op":"session","device":"c","after":"1m"}
    {"op":"session","device":"c","after":"2d3h"}
    {"op":"revenue","device":"c","amount":9.99,"currency":"","after":"100ms"}
    {"op":"session","device":"c","after":"5d"}
    {"op":"event","device":"c","name":"purchase","after":"40d"}
    {"op":"revenue","device":"c","amount":2.5,"currency":"USD"}
    {"op":"device","device":"f","ios":"16.1"}
    {"op":"register","device":"f","at":1767225600.75}
    {"op":"revenue","device":"f","amount":30,"currency":"USD","at":1767225601}
    {"op":"event","device":"f","name":"purchase"}
    {"op":"session","device":"f","at":1767398400.25}
    {"op":"session","device":"f","at":1767398401}
    {"op":"session","device":"f","at":1767300000}
    {"op":"session","device":"f","at":1770249600.5}
    {"op":"session","device":"f","at":1770249601}
    {"op":"device","device":"g","ios":"15.4"}
    {"op":"register","device":"g","at":1767225600}
    {"op":"event","device":"g","name":"tutorial_done","after":"2h"}
    {"op":"revenue","device":"g","amount":30,"currency":"USD"}
    {"op":"event","device":"g","name":"purchase","after":"2h"}
    {"op":"session","device":"g","after":"23h"}
    {"op":"session","device":"g","after":"23h"}
    {"op":"session","device":"g","after":"23h"}
    {"op":"device","device":"d","ios":"15.3"}
    {"op":"register","device":"d","at":1767225600}
    {"op":"device","device":"e","ios":"15.4","bundle_id":"","app_version":"1"}
    {"op":"register","device":"e"}
    {"op":"session","device":"e"}
    {"op":"device"}
    {"op":"register"}
    {"op":"session","at":"+0s"}
    {"op":"device","device":"a","at":"2026-02-01T00:00:00Z"}
    {"op":"register","device":"a"}

    """

  /// Runs `list.jsonl` both ways.
  private func compare(_ workspace: Workspace, _ model: String) throws {
    let ours = try workspace.run(["replay", "--json", "list.jsonl"] + options(model))
    let states = try Python.baseline(["--states", "list.jsonl"], model: model, in: workspace)
    let counts = try Python.baseline(["list.jsonl"], model: model, in: workspace)
    try #require(ours.code == 0 && states.code == 0 && counts.code == 0, "\(ours.err) \(states) \(counts)")
    let results = Results(try lines(of: ours.out))
    #expect(results.counts == (try lines(of: counts.out)).first)
    let theirs = try lines(of: states.out)
    #expect(theirs.count == results.phones.count)
    for phone in theirs {
      guard case .string(let name)? = phone["device"] else { continue }
      #expect(phone["details"] == results.phones[name]?.details, "\(name)")
      #expect(phone["apple"] == results.phones[name]?.apple, "\(name)")
    }
  }

  private func options(_ model: String) -> [String] {
    ["--model", Python.model(model), "--rates", Python.model("rates")]
  }

  private func lines(of text: String) throws -> [JSON] {
    try text.split(separator: "\n").map { try JSONReader.read(Array($0.utf8)).value }
  }
}

/// What the results of a list come to.
private struct Results {
  /// The last details of each phone, and what Apple holds of it.
  var phones: [String: (details: JSON?, apple: JSON)] = [:]
  private var outcomes: [String: Int64] = [:]
  private var warnings: [String: Int64] = [:]
  private var findings: Int64 = 0

  init(_ results: [JSON]) {
    for result in results {
      if case .string(let name)? = result["device"] { phones[name] = (result["details"], Self.held(result)) }
      if case .string(let outcome)? = result["outcome"] { outcomes[outcome, default: 0] += 1 }
      guard case .array(let reported)? = result["warnings"] else { continue }
      for warning in reported {
        if case .string(let code)? = warning["code"] { warnings[code, default: 0] += 1 }
      }
      if reported.contains(where: { $0["level"] == .string("finding") }) { findings += 1 }
    }
  }

  var counts: JSON {
    .object([
      ("findings", .integer(findings)), ("outcomes", Self.json(outcomes)), ("warnings", Self.json(warnings)),
    ])
  }

  /// What is Apple's memory of a phone, without what is only said of it.
  private static func held(_ result: JSON) -> JSON {
    guard case .object(let members)? = result["apple"] else { return .null }
    return .object(members.filter { !["says", "window"].contains($0.key) })
  }

  private static func json(_ counts: [String: Int64]) -> JSON {
    .object(counts.map { ($0.key, .integer($0.value)) })
  }
}
