import SKANCommand
import Testing

@Suite("check --to-list: the real app beside the simulated one")
struct CheckToListTests {
  /// What a replay of a life's list says.
  private func replay(_ mistake: SimulatedApp.Mistake?) -> Consequences {
    let world = World()
    world["life.ndjson"] = SimulatedApp(mistake).journal
    let check = world.run("check -q --to-list life.jsonl life.ndjson")
    #expect(check.err.isEmpty, "\(check)")
    return world.run("replay life.jsonl")
  }

  @Test("A life without a mistake replays without a failure, clock set back and all")
  func clean() {
    let all = replay(nil)
    #expect(all.code == .ok, "\(all)")
    #expect(all.out.contains(" 0 failed"))
    #expect(all.out.contains("Updated in P0: conversion value 9 → 13"))
  }

  @Test(
    "A mistake fails at its step, and says why",
    arguments: [
      (SimulatedApp.Mistake.eventBeforeRegister, "life.jsonl:2:", "outcome", "not-registered"),
      (
        .revenueTwice, "life.jsonl:11:", "the app's server reported 9.99 USD, the total grew by 19.98",
        "9.989999771118164"
      ),
      (
        .revenueForgotten, "life.jsonl:", "the app's server reported 9.99 USD, the total did not grow", "9.99"
      ),
      (.staleValues, "life.jsonl:5:", "details.skan_current_conversion_value", "\"0\""),
      (.handlerWaiting, "life.jsonl:9:", "the app's server got nothing", "never calls the handler"),
      (.wrongWindow, "life.jsonl:18:", "p1_coarse", "Updated in P0"),
    ])
  func mistakes(_ mistake: SimulatedApp.Mistake, _ index: String, _ words: String, _ more: String) throws {
    let all = replay(mistake)
    #expect(all.code == .expectationFailed, "\(all)")
    let text = all.out + all.err
    let first = try #require(text.split(separator: "\n").first { $0.contains("expectation failed") })
    #expect(first.hasPrefix(index), "\(all)")
    #expect(text.contains(words), "\(all)")
    #expect(text.contains(more), "\(all)")
  }

  @Test(
    "An app that applies the values of launch and evt passes, and its list; one that ignores them fails, and its list",
    arguments: SimulatedApp.ReportAnswers.allCases)
  func reportAnswers(_ answers: SimulatedApp.ReportAnswers) {
    let world = World()
    world["life.ndjson"] = SimulatedApp(reportAnswers: answers).journal
    let check = world.run("check --to-list life.jsonl life.ndjson")
    let list = world["life.jsonl"] ?? ""
    let reports = list.split(separator: "\n").filter { $0.hasPrefix(#"{"op":"s2s""#) }
    #expect(reports.count == 9 && reports.allSatisfy { $0.contains(#""answer":{"status":200,"json":{"status":"ok""#) })
    #expect(list.contains(#""reapply":true"#) == (answers == .reapplied), "\(list)")
    let all = world.run("replay life.jsonl")
    if answers == .ignored {
      #expect(check.out.contains("[answer-not-shown]"), "\(check)")
      #expect(all.code == .expectationFailed, "\(all)")
      // The step at which the app did not do what it must.
      let failures = (all.out + all.err).split(separator: "\n").filter { $0.contains("expectation failed") }
      let first = failures.first?.split(separator: ":").dropFirst().first.flatMap { Int($0) } ?? 0
      #expect(list.split(separator: "\n").dropFirst(first - 1).first?.hasPrefix(#"{"op":"s2s""#) == true, "\(all)")
    } else {
      #expect(!check.out.contains("[answer-not-shown]") && !check.out.contains("[metadata-stale]"), "\(check)")
      #expect(all.code == .ok && all.out.contains(" 0 failed"), "\(all)\n\(list)")
    }
  }

  @Test("Money is compared in single precision; that a client keeps doubles is said once")
  func doubles() {
    let world = World()
    world["life.ndjson"] = SimulatedApp().journal.replacing("9.9899997711181641", with: "9.99")
    let check = world.run("check --to-list life.jsonl life.ndjson")
    let note =
      "the client keeps sums as doubles (9.99, life.ndjson entry 8) where the snippet keeps single precision; "
      + "money is compared to 2 parts in 100,000"
    #expect(check.err.contains("skan: \(note)\n"), "\(check)")
    let list = world["life.jsonl"] ?? ""
    #expect(list.hasPrefix("# \(note)\n"))
    #expect(list.split(separator: "\n").count { $0.hasPrefix("#") } == 1)
    #expect(list.contains(#""p0_total_iap_revenue":{"USD":{"$approx":9.99,"within":0.0002}}"#), "\(list)")
    #expect(list.contains(#"{"op":"revenue""#) && list.contains(#""amount":9.99,"#))
    let all = world.run("replay life.jsonl")
    #expect(all.code == .ok && all.out.contains(" 0 failed"), "\(all)")
    // A cent less is another sum.
    world["other.jsonl"] = list.replacing("\"amount\":9.99,", with: "\"amount\":9.98,")
    #expect(world.run("replay other.jsonl").code == .expectationFailed)
  }

  @Test("Captures that cannot be a list")
  func refused() throws {
    let world = World()
    try world.addCapture("alb.log")
    let all = world.run("check -q --to-list out.jsonl alb.log")
    #expect(all.code == .ok)
    #expect(all.err == "skan: 2 requests without a device or an answer left out of the list, the first at alb.log:1\n")
    try world.addCapture("urls.txt")
    world["bare.txt"] = "https://sdk-api-v1.singular.net/api/v2/conversion_value?n=x\n"
    #expect(world.run("check -q --fail-on note --to-list out.jsonl bare.txt").code == .badData)
  }

  @Test("Every capture of the same life gives the same list", arguments: ["charles.har", "mitmproxy.har", "pairs.har"])
  func captures(_ name: String) throws {
    let world = World()
    try world.addCapture(name)
    #expect(world.run("check -q --to-list out.jsonl \(name)").code == .ok)
    #expect(world.run("replay out.jsonl").out.hasSuffix("6 steps, 8 expectations, 0 failed\n"))
  }

  /// A request for the next value; what is kept is that of right after register.
  private static func ask(_ device: Int, _ more: String) -> String {
    "/api/v2/conversion_value?a=sEcReT99&p=iOS&i=com.example.app&idfv=21DB6612-09B3-4ECC-84AC-00000000000\(device)"
      + "&skan_current_conversion_value=0&skan_first_call_to_skadnetwork_timestamp=1767225590"
      + "&skan_last_call_to_skadnetwork_timestamp=1767225590&\(more)"
  }

  @Test("Each device is a phone; updates of it, failures and secrets are steps without a secret")
  func devices() {
    let world = World()
    world["two.har"] = capturedHAR([
      (Self.ask(1, "v=17.4&app_v=1.0&n=__SESSION__"), nil),
      (Self.ask(2, "v=17.4&app_v=1.0&n=a+b"), #"{"status":"ok"}"#),
      (Self.ask(1, "v=18.1&app_v=1.1&n=level"), #"{"status":"error","reason":"key sEcReT99"}"#),
    ])
    #expect(world.run("check -q --fail-on error --to-list out.jsonl two.har").err == "")
    let list = world["out.jsonl"] ?? ""
    #expect(!list.contains("sEcReT99"), "\(list)")
    let head = #"{"op":"#
    let name = #""device":"com.example.app 21DB6612-09B3-4ECC-84AC-00000000000"#
    let lines = list.split(separator: "\n")
    #expect(lines.count == 8, "\(list)")
    for (index, start) in [
      "\(head)\"device\",\(name)1", "\(head)\"register\",\"at\":\"2025-12-31T23:59:50Z\",\(name)1",
      "\(head)\"session\"",
      "\(head)\"update\"", "\(head)\"event\"", "\(head)\"device\",\(name)2", "\(head)\"register\"",
      "\(head)\"event\"",
    ].enumerated() { #expect(lines.indices.contains(index) && lines[index].hasPrefix(start), "\(index)\n\(list)") }
    #expect(list.contains(#""answer":{"error":"no answer"}"#), "\(list)")
    #expect(list.contains(#""ios":"18.1","app_version":"1.1""#), "\(list)")
    #expect(list.contains(#""name":"a+b""#), "\(list)")
    #expect(world.run("replay -q out.jsonl").code == .ok)
  }

  @Test("A lock that an answer left held is a new start of the app, and a clock that is ahead moves the steps")
  func lockAndClock() {
    let world = World()
    let kept = "&skan_current_conversion_value=0&skan_first_call_to_skadnetwork_timestamp=1767225590"
    let ask = { (name: String, last: Int) in
      "/api/v2/conversion_value?a=k&p=iOS&v=17.4&app_v=1.0&i=com.example.app&idfv=21DB6612-09B3-4ECC-84AC-000000000001"
        + "&n=\(name)\(kept)&skan_last_call_to_skadnetwork_timestamp=\(last)"
    }
    world["lock.har"] = capturedHAR([
      (ask("a", 1_767_225_590), #"{"conversion_value":64,"status":"ok"}"#),
      (ask("b", 1_767_225_590), #"{"conversion_value":0,"status":"ok"}"#),
      (ask("c", 1_767_225_701), #"{"status":"ok"}"#),
    ])
    #expect(world.run("check -q --to-list out.jsonl lock.har").err == "")
    let lines = (world["out.jsonl"] ?? "").split(separator: "\n")
    #expect(
      lines.contains { $0.hasPrefix(#"{"op":"relaunch""#) && $0.contains("the app must have been started anew") },
      "\(lines)")
    // The phone kept 00:01:41 of what the capture has at 00:00:01.
    #expect(
      lines.contains { $0.hasPrefix(#"{"op":"event","at":"2026-01-01T00:01:41Z""#) && $0.contains(#""name":"b""#) },
      "\(lines)")
    #expect(
      lines.contains { $0.hasPrefix(#"{"op":"event","at":"2026-01-01T00:01:42Z""#) && $0.contains(#""name":"c""#) },
      "\(lines)")
  }
}
