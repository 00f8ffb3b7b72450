import SKANBase
import SKANCommand
import SKANHTTP
import Testing

@testable import SKANCommandLine

@Suite("How a replay ends, and what its reports say then")
struct ReplayEndTests {
  private func world(phones: Int, failing: Bool = false) -> World {
    let expectation = failing ? ",\"expect\":{\"window\":2}" : ""
    let world = World()
    world["a.jsonl"] = (0..<phones).map {
      "{\"op\":\"device\",\"device\":\"p\($0)\"}\n{\"op\":\"register\",\"device\":\"p\($0)\"\(expectation)}\n"
    }.joined()
    return world
  }

  @Test(
    "A page draws some phones of many, those with failures first",
    arguments: [
      (9, false, "the first 8 phones; 1 phone is left out"),
      (12, false, "the first 8 phones; 4 phones are left out"),
      (12, true, "the first 8 phones with failures; 4 phones are left out"),
      (1100, true, "the first 8 phones with failures; 1092 phones are left out"),
    ])
  func drawn(phones: Int, failing: Bool, text: String) {
    let page = world(phones: phones, failing: failing).run("replay -q a.jsonl --report-html -").out
    #expect(page.contains("Time lines are drawn of \(text), which 'skan timeline LIST --device NAME' draws."))
    #expect(page.components(separatedBy: "<svg ").count == 8 + 1)
  }

  @Test("When the reader of the output has gone, reports say so; the exit code is 0")
  func closed() {
    let world = world(phones: 1)
    world.set { $0.outputFailure = .outputClosed }
    let run = world.run("replay a.jsonl --report-tap r.tap")
    #expect(run.code == .ok && run.err.isEmpty)
    #expect(world["r.tap"]?.hasSuffix("Bail out! the reader of the output has gone\n") ?? false, "\(run)")
  }

  @Test("Two failures: the first decides, and both are printed")
  func two() {
    let world = world(phones: 1)
    world.set {
      $0.outputFailure = .outputFailed(reason: "full")
      $0.failures["replace r.tap"] = .cannotWrite(file: "r.tap", reason: "no room")
    }
    let run = world.run("replay a.jsonl --report-tap r.tap")
    #expect(run.code == .cannotWrite)
    #expect(run.err == "skan: cannot write r.tap: no room\nskan: cannot write the output: full\n")
  }

  @Test("A list that goes on with a phone: a wrong step and a failing output leave the device file")
  func continued() {
    for set in [{ $0.outputFailure = .outputFailed(reason: "full") }] as [(inout World.State) -> Void] {
      let world = World.registered()
      world["a.jsonl"] = "{\"op\":\"session\",\"after\":\"1h\"}\n{\"op\":\"session\",\"after\":\"1h\"}\n"
      world.set(set)
      let run = world.run("replay a.jsonl --state skan-state.json")
      #expect(run.code == .cannotWrite && run.err.hasPrefix("skan: cannot write the output: full"), "\(run)")
    }
  }

  @Test("A phone's file knows the model of every step, read once")
  func answerers() throws {
    let world = World.registered()
    world["m.json"] = try Workspace.exampleModel("mixed")
    world["a.jsonl"] = (1...3).map { "{\"op\":\"session\",\"after\":\"\($0)h\"}\n" }.joined()
    #expect(world.run("replay -q a.jsonl --state skan-state.json --model m.json").code == .ok)
    #expect(
      world["skan-state.json"]?.contains("\"name\": \"model m.json\"") ?? false, "\(world["skan-state.json"] ?? "")")
  }

  @Test("An app's server whose report is refused, and one that is sent again on the real clock")
  func forwarded() {
    let world = World()
    world.run("register")
    world.set {
      $0.network = { url, _ in
        let isReport = url.contains("/launch")
        let body = isReport ? #"{"status":"error","reason":"no"}"# : #"{"conversion_value":1,"status":"ok"}"#
        return .success(HTTPExchange(HTTPResponse(body: Array(body.utf8)), url: url))
      }
    }
    let refused = world.run("session --forward --endpoint http://h")
    #expect(refused.code == .badAnswer, "\(refused)")
    _ = world.takeLog()
    world.set {
      $0.network = { url, _ in
        url.contains("/launch")
          ? .failure(.noSuchHost)
          : .success(HTTPExchange(HTTPResponse(body: Array(#"{"status":"ok"}"#.utf8)), url: url))
      }
    }
    let unanswered = world.run("session --forward --endpoint http://h")
    #expect(unanswered.code == .unavailable, "\(unanswered)")
    #expect(world.takeLog().contains { $0.hasPrefix("sleep ") })
  }
}
