import SKANBase
import SKANCommand
import SKANHTTP
import SKANSigning
import Testing

@testable import SKANCommandLine

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
