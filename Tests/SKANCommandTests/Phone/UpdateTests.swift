import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("session and event")
struct UpdateTests {
  private let call = #"{"at":1767225600,"call":"updatePostbackConversionValue","#

  @Test("An answer with everything")
  func everything() {
    #expect(
      World.registered().run(
        "session --answer",
        Answer.value(
          "5", "\"skan_updated_coarse_value\":1,\"skan_updated_lock_window_value\":true,\"postback_sequence_index\":0"))
        == Consequences(
          out: "updated            Updated in P0: conversion value 0 → 5, coarse 1, window locked.\n" + Line.stale,
          changes: [
            "kept.skan_current_conversion_value: 0 → 5", "kept.prev_fine_value: + 0", "kept.p0_coarse: + 1",
            "kept.p0_window_lock: + 1767225600",
            #"framework_calls.1: + \#(call)"coarse":"medium","error":null,"fine":5,"lock":true}"#,
          ]))
  }

  @Test("The embedded endpoint counts in the device file")
  func embedded() {
    let world = World.registered()
    #expect(world.run("event a -q").changes.contains("endpoint.test_calls: 0 → 1"))
    #expect(world.run("session -q").changes.contains("endpoint.test_calls: 1 → 2"))
    #expect(
      world.run("session -q --expect details.skan_current_conversion_value=2")
        == Consequences(changes: [
          "kept.skan_current_conversion_value: 1 → 2", "kept.prev_fine_value: 0 → 1", "endpoint.test_calls: 2 → 3",
          #"framework_calls.3: + \#(call)"coarse":null,"error":null,"fine":2,"lock":false}"#,
        ]))
    let fourth = world.run("session")
    #expect(fourth.code == .badAnswer)
    #expect(fourth.out.contains("--answer") && fourth.out.contains("URL"), "what to use instead")
    #expect(fourth.changes == ["endpoint.test_calls: 3 → 4"])
  }

  @Test(
    "Exit codes follow the outcome, after the file is saved",
    arguments: [
      (Answer.value("5"), "updated", ExitCode.ok), (Answer.ok, "no-update", .ok),
      (Answer.timedOut, "transport-error", .unavailable), (#"{"json":{"status":"error"}}"#, "server-error", .badAnswer),
      (Answer.empty, "unparsable", .badAnswer), (#"{"json":[]}"#, "crashed", .badAnswer),
      (Answer.illegal, "illegal-values", .badAnswer), (#"{"status":500,"text":"<html>"}"#, "unparsable", .badAnswer),
      (#"{"status":500,"json":{"conversion_value":1}}"#, "updated", .ok),
      (#"{"base64":"eyJjb252ZXJzaW9uX3ZhbHVlIjozfQ=="}"#, "updated", .ok),
    ])
  func exitCodes(answer: String, outcome: String, code: ExitCode) {
    for command in ["session", "event buy"] {
      let world = World.registered()
      let result = world.run("\(command) --after 1h --answer", answer)
      #expect(result.code == code)
      #expect(result.out.hasPrefix("\(outcome) "))
      let isShort = result.err == (code == .ok ? "" : code.line)
      #expect(isShort || result.err.hasPrefix("Try 'skan explain "))
      #expect(isShort != result.out.contains("finding: "))
      #expect(result.changes.contains("time.end: 1767225600 → 1767229200"))
    }
  }

  @Test(
    "Other outcomes end well",
    arguments: [
      (["register --framework-error 10", "session --framework-error 10"], "framework-error"),
      (["register", "session --at +36d"], "window-over"), (["install", "session"], "not-registered"),
      (["install --snippet skan3 --ios 13.0", "register", "session"], "ios-too-old"),
      (["register --snippet skan3", "session"], "not-higher"),
    ])
  func fine(lines: [String], outcome: String) {
    let world = World()
    for line in lines.dropLast() { world.run(line) }
    let result = world.run(lines.last ?? "")
    #expect(result.code == .ok && result.out.hasPrefix("\(outcome) "), "\(result)")
  }

  @Test("A leaked lock blocks until a relaunch")
  func blocked() {
    let world = World.registered()
    #expect(
      world.run("session --answer", Answer.illegal)
        == Consequences(
          .badAnswer,
          out: "illegal-values     Conversion value 64 is outside 0-63; the snippet refuses it and never releases its "
            + "lock, so every later update in this app process will wait forever.\n"
            + "  finding: The snippet left its lock held: no update gets through until the app is started anew. "
            + "[lock-leaked]\n", err: "Try 'skan explain lock-leaked'.\n",
          changes: ["process.lock_held: false → true"]))
    #expect(
      world.run("session")
        == Consequences(
          out: "blocked            An earlier answer with illegal values left the snippet's lock held in this app "
            + "process; this update waits for it forever and no request is sent.\n"
            + "  finding: This update waits forever for the lock that an earlier answer leaked. [blocked]\n",
          err: "Try 'skan explain blocked'.\n"))
    #expect(world.run("relaunch").changes == ["process.lock_held: true → false", "process.launches: 1 → 2"])
    #expect(world.run("session").out == Line.updated("0 → 0, no coarse value") + Line.stale)
  }

  @Test("Names that the phone takes", arguments: ["", "gold+pack", "käse", String(repeating: "x", count: 33)])
  func names(name: String) {
    let world = World.registered()
    let result = world.run("event --answer", Answer.value("3"), "--expect", "query.n=\(name)", name)
    #expect(result.code == .ok)
    #expect(result.out.contains("  finding: "))
    #expect(result.changes.count == 3)
  }

  @Test("Without a handler nobody is reported, and nobody misses it")
  func noHandler() {
    let result = World.registered().run("session --no-handler --json --expect handler=null --answer", Answer.ok)
    #expect(result.code == .ok)
    #expect(result.out.contains("\"warnings\":[]"))
  }

  @Test("--answer @FILE goes out byte for byte")
  func answerFile() {
    let world = World.registered()
    world["answer.json"] = "{\"json\":{\"conversion_value\": 5.0,\n \"status\":\"ok\"}}\n"
    let result = world.run("session --answer @answer.json")
    #expect(result.changes.contains("kept.skan_current_conversion_value: 0 → 5.0"))
  }

  @Test("Revenue first, then the update")
  func revenue() {
    #expect(
      World.registered().run("event buy --revenue 9.99 --currency USD --ad-monetization --answer", Answer.ok)
        == Consequences(
          out: "added              9.99 USD added to the ad-monetization totals: lifetime and P0, as "
            + "9.989999771118164 in single precision.\n" + Line.nothing + Line.noHandler,
          err: Line.explainHandler,
          changes: [
            "kept.skan_total_admon_revenue_by_currency.USD: + 9.989999771118164",
            "kept.p0_total_admon_revenue.USD: + 9.989999771118164",
          ]))
  }

  @Test("The device file is locked from reading to writing, the request included")
  func lock() {
    let world = World.answering("{}")
    world.run("session --endpoint http://h --lock-timeout 500ms")
    #expect(
      world.takeLog() == [
        "read skan-state.json", "lock skan-state.json 0.5", "read skan-state.json", "send", "replace skan-state.json",
        "unlock skan-state.json",
      ])
  }
}
