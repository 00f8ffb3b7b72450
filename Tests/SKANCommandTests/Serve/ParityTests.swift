import Foundation
import SKANBase
import SKANHTTP
import TestSupport
import Testing
import skan_http

/// The endpoint in process and the one behind HTTP are the same: one life, run both ways.
@Suite("A model embedded and served", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ParityTests {
  /// 36 days: sessions, events, revenue in two currencies in every window, and what comes after the last.
  private static func life(_ snippet: String) -> String {
    var steps = [
      #"{"op":"device","snippet":"\#(snippet)","idfv":"21DB6612-09B3-4ECC-84AC-B353B0AF1334"}"#,
      #"{"op":"register","at":"2026-01-01T00:00:00Z"}"#,
    ]
    let day = [
      #""op":"session""#, #""op":"event","name":"tutorial_done""#, #""op":"revenue","amount":1.99,"currency":"USD""#,
      #""op":"event","name":"purchase""#, #""op":"revenue","amount":3.49,"currency":"EUR""#, #""op":"session""#,
    ]
    // From the hours of day 0 across both borders of windows, exactly on one, to the end and beyond it.
    for gap in ["1h", "4h", "23h", "27h", "100h", "500h"] {
      for (index, step) in day.enumerated() {
        steps.append("{\(step),\"after\":\"\(index == 0 ? gap : "90.25s")\"}")
      }
    }
    steps += [
      #"{"op":"revenue","amount":20,"currency":"EUR","after":"1m"}"#, #"{"op":"event","name":"a b+c&d","after":"1m"}"#,
      #"{"op":"revenue","amount":1,"currency":"GBP","after":"1m"}"#, #"{"op":"session","after":"1m"}"#,
      #"{"op":"session","at":"2026-02-04T23:59:59Z"}"#, #"{"op":"session","at":"2026-02-05T00:00:00Z"}"#,
      #"{"op":"event","name":"purchase","after":"24h"}"#, #"{"op":"details"}"#,
    ]
    return steps.map { $0 + "\n" }.joined()
  }

  /// Each line of the output without the address of its request and without what only a model in process says.
  private static func results(_ output: String) throws -> [JSON] {
    try output.split(separator: "\n").map { line in
      guard case .object(let members) = try JSONReader.read(Array(line.utf8)).value else { return .null }
      return .object(
        members.filter { !["endpoint_explanation", "answered_by"].contains($0.key) }.map { member in
          guard member.key == "request", case .object(let parts) = member.value else { return member }
          return (member.key, .object(parts.filter { $0.key != "url" }))
        })
    }
  }

  /// How often each outcome is among the results.
  private static func outcomes(_ results: [JSON]) -> [String: Int] {
    results.reduce(into: [:]) { counts, result in
      guard case .object(let members) = result,
        case .string(let outcome)? = members.first(where: { $0.key == "outcome" })?.value
      else { return }
      counts[outcome, default: 0] += 1
    }
  }

  @Test(
    "Every result of 36 days is the same",
    arguments: ["skan4", "skan4-beta", "skan3"], ["mixed", "engagement", "all-revenue"])
  func life(snippet: String, model: String) throws {
    let workspace = try Workspace()
    try workspace.write("model.json", Workspace.exampleModel(model))
    try workspace.write("rates.json", #"{"EUR":0.92}"#)
    try workspace.write("life.jsonl", Self.life(snippet))
    let options = ["--model", "model.json", "--rates", "rates.json"]
    let embedded = try workspace.run(["replay", "--json", "life.jsonl"] + options)
    let server = try Served(options, in: workspace)
    let served = try workspace.run(["replay", "--json", "life.jsonl", "--endpoint", server.address])
    #expect(server.end(SIGTERM).code == 0)
    let (left, right) = (try Self.results(embedded.out), try Self.results(served.out))
    // A remote endpoint that refuses a request fails the run; in process its answer is a test of the app.
    let code: Int32 = Self.outcomes(left)["server-error"] == nil ? 0 : 76
    #expect(embedded.code == 0 && served.code == code, "\(embedded) \(served)")
    #expect(left.count == 46 && right.count == left.count)
    for (one, other) in zip(left, right) { #expect(one == other) }
    // It was a life with something in it.
    let outcomes = Self.outcomes(left)
    #expect((outcomes["updated"] ?? 0) >= 1, "\(outcomes)")
    #expect((outcomes["window-over"] ?? 0) >= 2, "\(outcomes)")
    if snippet != "skan3" {
      #expect((outcomes["updated"] ?? 0) >= 20, "\(outcomes)")
      #expect(embedded.out.contains("\"window\":2"))
      if model != "engagement" { #expect(outcomes["server-error"] != nil, "\(outcomes)") }
      if model == "mixed" { #expect(embedded.out.contains("\"p2_window_lock\"")) }
    }
  }
}
