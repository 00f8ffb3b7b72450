import Foundation
import SKANBase
import SKANDevice
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// The requests of lists whose calls overlap, as the original code sends them, in a capture.
@Suite("skan check of updates that overlap")
struct CheckOverlapTests {
  private static let lists: [String] = {
    let folder = Checkout.fixtures.appending(path: "conformance/overlap")
    let found = ["skan4", "skan4-beta", "skan3"].flatMap { snippet in
      ((try? FileManager.default.contentsOfDirectory(atPath: folder.appending(path: snippet).path)) ?? [])
        .filter { $0.hasSuffix(".jsonl") }.map { "conformance/overlap/\(snippet)/\($0)" }
    }
    return found.sorted() + ["overlap/two-calls-at-once.jsonl", "overlap/slow-server-across-p0.jsonl"]
  }()

  /// - Parameter hasTimes: whether the capture says how long each answer took.
  private func capture(_ list: String, hasTimes: Bool) throws -> (har: String, outcomes: Set<String>) {
    let world = World()
    world["life.jsonl"] = try String(contentsOf: Checkout.fixtures.appending(path: list), encoding: .utf8)
    let run = world.run("replay --json life.jsonl")
    let steps = (world["life.jsonl"] ?? "").split(separator: "\n")
    var outcomes: Set<String> = []
    var entries: [(at: Double, text: String)] = []
    for line in run.out.split(separator: "\n") {
      let result = try JSONReader.read(Array(line.utf8)).value
      if case .string(let outcome)? = result["outcome"] { outcomes.insert(outcome) }
      guard case .string(let url)? = result["request"]?["url"], let at = result["requested_at"]?.double,
        case .integer(let number)? = result["line"]
      else { continue }
      let step = try JSONReader.read(Array(steps[Int(number) - 1].utf8)).value
      guard let answer = step["answer"] else { continue }
      let took = step["took"].flatMap { took -> Double? in
        if case .string(let text) = took { TimeSpan(text: text)?.seconds } else { took.double }
      }
      let response =
        if let json = answer["json"] {
          #"{"status":200,"content":{"text":\#(JSONWriter.quoted(JSONWriter.text(json)))}}"#
        } else if case .string(let text)? = answer["text"] {
          #"{"status":200,"content":{"text":\#(JSONWriter.quoted(text))}}"#
        } else {
          #"{"status":0}"#
        }
      let start = try #require(Instant(unixSeconds: at))
      entries.append(
        (
          at,
          #"{"startedDateTime":"\#(start)","time":\#(hasTimes ? (took ?? 0) * 1000 : -1),"#
            + #""request":{"method":"GET","url":\#(JSONWriter.quoted(url))},"response":\#(response)}"#
        ))
    }
    let texts = entries.map(\.text).joined(separator: ",")
    return (#"{"log":{"entries":[\#(texts)]}}"#, outcomes)
  }

  private func rules(_ har: String, _ options: String = "") throws -> [String] {
    let world = World()
    world["capture.har"] = har
    return try world.run("check capture.har --json \(options)").out.split(separator: "\n").compactMap { line in
      guard case .string(let rule)? = try JSONReader.read(Array(line.utf8)).value["rule"] else { return nil }
      return rule
    }
  }

  @Test("The original code is not blamed where it stored every answer", arguments: lists)
  func notBlamed(list: String) throws {
    // Where the phone's clock was set back, nothing says how long before a request an answer came.
    if list.hasSuffix("27_clock_back.jsonl") { return }
    let (har, outcomes) = try capture(list, hasTimes: true)
    // A process that ended, a lock that leaked and a completion that never came lose values.
    let isWhole = outcomes.isDisjoint(with: ["killed", "uncompleted", "blocked", "crashed", "illegal-values"])
    guard isWhole, har.contains("startedDateTime") else { return }
    #expect(try !rules(har).contains("answer-not-shown"), "\(list) \(har)")
  }

  @Test("A waiter's request is stale-request; without a span for the completion it is answer-not-shown")
  func waiter() throws {
    let (har, _) = try capture("overlap/two-calls-at-once.jsonl", hasTimes: false)
    #expect(try rules(har) == ["stale-request"])
    #expect(try rules(har, "--max-completion 3s") == ["stale-request"])
    #expect(try rules(har, "--max-completion 2.999") == ["answer-not-shown"])
    let (timed, _) = try capture("overlap/two-calls-at-once.jsonl", hasTimes: true)
    #expect(try rules(timed, "--max-completion 0") == ["stale-request"])
    let world = World()
    world["capture.har"] = timed
    world.run("check -q --redacted shared.har capture.har")
    #expect(try rules(world["shared.har"] ?? "", "--max-completion 0") == ["stale-request"])
    #expect(world.run("check capture.har --max-completion soon").code == .usage)
  }
}
