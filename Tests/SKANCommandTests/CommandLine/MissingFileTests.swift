import Foundation
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Files that do not exist: the nearest name of the same kind")
struct MissingFileTests {
  @Test(
    "Near",
    arguments: [
      ("check d/captur.har", "d/captur.har", "d/capture.har"),
      ("verify d/postbak.json", "d/postbak.json", "d/postback.json"),
      ("report d/recieved.jsonl", "d/recieved.jsonl", "d/received.jsonl"),
      ("model check d/mixd.json", "d/mixd.json", "d/mixed.json"),
      ("model convert d/mixd.json --to csv", "d/mixd.json", "d/mixed.json"),
      ("backtest --model d/mixed.json d/exprt.csv", "d/exprt.csv", "d/export.csv"),
      ("import d/evnts.csv --check", "d/evnts.csv", nil), ("backtest --merge d/prt.json", "d/prt.json", "d/part.json"),
      ("replay -q d/list.jsonl --model d/mixed.jsn", "d/mixed.jsn", nil),
    ] as [(String, String, String?)])
  func near(line: String, given: String, near: String?) throws {
    let world = World.registered()
    for name in ["d/capture.har", "d/postback.json", "d/received.jsonl", "d/export.csv", "d/part.json", "d/list.jsonl"]
    {
      world[name] = ""
    }
    world["d/mixed.json"] = try String(
      contentsOf: Checkout.fixtures.appending(path: "models/mixed.json"), encoding: .utf8)
    let run = world.run(line)
    #expect(run.code == .noInput)
    if let near {
      #expect(run.err == "skan: \(given) does not exist; did you mean \(near)?\n")
    } else {
      #expect(run.err.hasPrefix("skan: \(given) does not exist; ") && !run.err.contains("did you mean"))
    }
  }
}
