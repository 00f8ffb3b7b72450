@testable import SKANCommand
import Testing

@Suite("update, relaunch and reset")
struct PhoneCommandTests {
  @Test("An update starts the app anew and keeps what is kept")
  func update() {
    let world = World.registered("--ios 16.0")
    world.run("session --answer", Answer.illegal)
    #expect(
      world.run("update --ios 17.0 --app-version 2.0 --snippet skan4-beta --at +1h")
        == Consequences(
          out: "set                iOS 16.0 → 17.0, app version 1.0 → 2.0, snippet skan4 → skan4-beta; the app "
            + "restarts, and the kept values stay.\n",
          changes: [
            "profile.snippet: \"skan4\" → \"skan4-beta\"", "profile.ios: \"16.0\" → \"17.0\"",
            "profile.app_version: \"1.0\" → \"2.0\"", "process.lock_held: true → false", "process.launches: 1 → 2",
            "time.end: 1767225600 → 1767229200",
          ]))
    #expect(
      world.run("update --ios 17.0")
        == Consequences(
          out: "set                Nothing changed; the app restarts, and the kept values stay.\n",
          changes: ["process.launches: 2 → 3"]))
  }

  @Test("A phone is not put back to an earlier iOS; in a list it may be")
  func downgrade() {
    let world = World.registered("--ios 16.1")
    let words =
      "--ios: the phone has iOS 16.1, and a phone is not put back to 16.0.9; 'skan install --force --ios 16.0.9' "
      + "installs anew, and a step of an event list can do it"
    #expect(world.run("update --ios 16.0.9") == .usage(words, command: "update"))
    #expect(world.run("update --ios 16.1.0 -q").code == .ok)
    world["a.jsonl"] = #"{"op":"update","ios":"9"}"#
    #expect(world.run("replay -q --state skan-state.json a.jsonl").changes.contains("profile.ios: \"16.1.0\" → \"9\""))
  }

  @Test("The note that details read at once are old is shown once in an install; results keep it")
  func stale() {
    let world = World.registered()
    let second = "event a --after 1h --answer"
    #expect(world.run("session --answer", Answer.value("7")).out.contains(Line.stale))
    #expect(!world.run(second, Answer.value("8")).out.contains("details-stale"))
    #expect(world.run("\(second)", Answer.value("9"), "--json").out.contains("details-stale"))
    world.run("reset -q")
    world.run("register -q")
    #expect(world.run("session --answer", Answer.value("7")).out.contains(Line.stale))
    world["a.jsonl"] =
      #"{"op":"register"}"# + "\n"
      + (1...3).map { #"{"op":"session","answer":{"json":{"conversion_value":\#($0)}}}"# }.joined(separator: "\n")
    #expect(world.run("replay -v a.jsonl").out.ranges(of: "[details-stale]").count == 1)
    #expect(world.run("replay --json a.jsonl").out.ranges(of: "\"details-stale\"").count == 3)
  }

  @Test("From SKAN 3 to SKAN 4 the old start stays, and is reported")
  func migration() {
    let world = World.registered("--snippet skan3 --ios 17.0")
    world.run("session --answer", Answer.value("7"))
    #expect(
      world.run("update --snippet skan4 --at +10d")
        == Consequences(
          out: "set                snippet skan3 → skan4; the app restarts, and the kept values stay.\n"
            + "  note: Both snippets keep first call, last call and purchase revenue under the same keys: the first call "
            + "stays 2026-01-01T00:00:00Z, register will do nothing, and the windows count from then. "
            + "[old-first-call]\n",
          changes: [
            "profile.snippet: \"skan3\" → \"skan4\"", "process.launches: 1 → 2", "time.end: 1767225600 → 1768089600",
          ]))
    #expect(world.run("register").out.hasPrefix("already-registered "))
    #expect(world.run("session -q --expect window=2 --answer", Answer.value("3")).code == .ok)
    #expect(world[Changes.state]?.contains("\"skan_conversion_value\": 7") == true)
  }

  @Test func relaunch() {
    #expect(
      World.registered().run("relaunch --after 1m")
        == Consequences(
          out: "relaunched         A new app process; the kept values stay.\n",
          changes: ["process.launches: 1 → 2", "time.end: 1767225600 → 1767225660"]))
  }

  @Test("A reset keeps the profile and nothing else")
  func reset() {
    let world = World()
    world.run("register --ios 16.0 --idfa 21DB6612-09B3-4ECC-84AC-B353B0AF1334 --organic")
    world.run("event buy --revenue 5 --currency USD --idempotency-key k")
    world.run("session --answer", Answer.illegal)
    world.run("relaunch")
    let result = world.run("reset")
    #expect(result.out == "set                A fresh install: skan4 on iOS 16.0, com.example.app 1.0, organic.\n")
    #expect(result.code == .ok)
    let fresh = World()
    fresh.run("install --ios 16.0 --idfa 21DB6612-09B3-4ECC-84AC-B353B0AF1334 --organic")
    // The clock on the wall goes on.
    #expect(
      world[Changes.state]
        == fresh[Changes.state]?.replacing("\"end\": null", with: "\"end\": 1780315200"))
  }

  @Test("A reset leaves the phone's time virtual")
  func resetTime() {
    let world = World.registered()
    world.run("session --at +1h --answer", Answer.ok)
    world.run("reset")
    #expect(
      world.run("register -q --expect at=1767229200")
        == Consequences(changes: [
          "kept.skan_current_conversion_value: + 0", "kept.skan_last_call_to_skadnetwork_timestamp: + 1767229200",
          "kept.skan_first_call_to_skadnetwork_timestamp: + 1767229200", "time.first: null → 1767229200",
          #"framework_calls.0: + {"at":1767229200,"call":"updatePostbackConversionValue","error":null,"fine":0}"#,
        ]))
  }

  @Test("Without a device file there is nothing to change", arguments: ["update --ios 16.0", "relaunch", "reset"])
  func missing(line: String) {
    let world = World()
    #expect(
      world.run(line)
        == Consequences(
          .noInput,
          err: "skan: skan-state.json does not exist; run 'skan register' (or 'skan install') first, or name another "
            + "file with --state\n"))
    #expect(world.takeLog() == [])
  }
}

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

@Suite("revenue")
struct RevenueTests {
  @Test("Sums in single precision, of both kinds and of the window")
  func sums() {
    let world = World.registered()
    world.run("revenue 9.99 USD")
    #expect(
      world.run("revenue 0.01 USD --at +3d")
        == Consequences(
          out:
            "added              0.01 USD added to the in-app purchase totals: lifetime and P1, as 0.009999999776482582 "
            + "in single precision.\n",
          changes: [
            "kept.skan_total_revenue_by_currency.USD: 9.989999771118164 → 10.0",
            "kept.p1_total_iap_revenue.USD: + 0.009999999776482582", "time.end: 1767225600 → 1767484800",
          ]))
    #expect(
      world.run("revenue 2 usd --ad-monetization").changes == [
        "kept.skan_total_admon_revenue_by_currency.usd: + 2.0", "kept.p1_total_admon_revenue.usd: + 2.0",
      ])
    #expect(
      world.run("revenue -10 USD").changes == [
        "kept.skan_total_revenue_by_currency.USD: 10.0 → 0.0",
        "kept.p1_total_iap_revenue.USD: 0.009999999776482582 → -9.989999771118164",
      ])
    #expect(
      world.run("revenue 1 USD --at +40d")
        == Consequences(
          out: "added              1 USD added to the lifetime in-app purchase total only: no window is open.\n"
            + "  note: No window is open, so only the lifetime total counts this revenue. "
            + "[revenue-outside-windows]\n",
          changes: [
            "kept.skan_total_revenue_by_currency.USD: 0.0 → 1.0", "time.end: 1767484800 → 1770681600",
          ]))
  }

  @Test("The amount as it was given, and then what is kept")
  func amount() {
    #expect(
      World.registered().run("revenue 99.99 USD").out
        == "added              99.99 USD added to the in-app purchase totals: lifetime and P0, as 99.98999786376953 in "
        + "single precision.\n")
    #expect(
      World.registered("--snippet skan3").run("revenue 99.99 USD").out
        == "added              99.99 USD added to the total, from purchases and ads alike.\n")
  }

  @Test("A currency that has not the form of ISO 4217 is noted", arguments: ["usd", "US", "USDT", "€"])
  func oddCurrency(currency: String) {
    #expect(
      World.registered().run("revenue 5", currency).out.hasSuffix(
        "\n  note: \"\(currency)\" is not a currency code of ISO 4217, which has three capital letters; the phone keeps it as a "
          + "separate currency. [odd-currency]\n"))
    #expect(!World.registered().run("revenue 5 XYZ").out.contains("note"))
  }

  @Test func nothing() {
    #expect(
      World.registered().run("revenue 0 USD")
        == Consequences(out: "ignored            An amount of 0 adds nothing; the snippet returns at once.\n"))
  }

  @Test("An empty currency is one")
  func emptyCurrency() {
    #expect(
      World.registered().run("revenue 5", "")
        == Consequences(
          out: "added              5 (no currency) added to the in-app purchase totals: lifetime and P0.\n"
            + "  finding: The currency is empty, and is kept as a separate currency. [empty-currency]\n",
          err: "Try 'skan explain empty-currency'.\n",
          changes: ["kept.skan_total_revenue_by_currency.: + 5.0", "kept.p0_total_iap_revenue.: + 5.0"]))
  }

  @Test("SKAN 3 has one total, in double precision")
  func skan3() {
    let world = World.registered("--snippet skan3")
    #expect(
      world.run("revenue 9.99 USD --ad-monetization")
        == Consequences(
          out: "added              9.99 USD added to the total, from purchases and ads alike.\n"
            + "  note: The SKAN 3 snippet does not distinguish ad revenue: it is added to the single total. "
            + "[ad-revenue-merged]\n",
          changes: ["kept.skan_total_revenue_by_currency.USD: + 9.99"]))
  }

  @Test("A key counts once")
  func idempotency() {
    let world = World.registered()
    #expect(
      world.run("revenue 5 USD --idempotency-key a").changes == [
        "kept.skan_total_revenue_by_currency.USD: + 5.0", "kept.p0_total_iap_revenue.USD: + 5.0",
        "idempotency_keys.0: + \"a\"",
      ])
    let again = Consequences(
      out: "ignored            The idempotency key a was seen before: the revenue is not counted again.\n")
    #expect(world.run("revenue 5 USD --idempotency-key a") == again)
    #expect(world.run("revenue 7 EUR --idempotency-key a") == again)
    #expect(world.run("revenue 5 USD --idempotency-key A").changes.contains("idempotency_keys.1: + \"A\""))
    // The same letters in another spelling are another key.
    world.run("revenue 1 USD --idempotency-key", "\u{E9}")
    #expect(world.run("revenue 1 USD --idempotency-key", "e\u{301}").out.hasPrefix("added "))
  }

  @Test("With an event: the event is sent again")
  func idempotentEvent() {
    let world = World.registered()
    let failed = world.run("event buy --revenue 5 --currency USD --idempotency-key a --answer", Answer.timedOut)
    #expect(failed.code == .unavailable)
    #expect(
      failed.changes == [
        "kept.skan_total_revenue_by_currency.USD: + 5.0", "kept.p0_total_iap_revenue.USD: + 5.0",
        "idempotency_keys.0: + \"a\"",
      ])
    let retried = world.run("event buy --revenue 5 --currency USD --idempotency-key a --answer", Answer.value("3"))
    #expect(
      retried
        == Consequences(
          out: "ignored            The idempotency key a was seen before: the revenue is not counted again.\n"
            + Line.updated("0 → 3, no coarse value") + Line.stale,
          changes: [
            "kept.skan_current_conversion_value: 0 → 3", "kept.prev_fine_value: + 0",
            #"framework_calls.1: + {"at":1767225600,"call":"updatePostbackConversionValue","coarse":null,"#
              + #""error":null,"fine":3,"lock":false}"#,
          ]))
  }

  @Test("Revenue that is ignored uses up no key: the same counts later")
  func ignoredKey() {
    let world = World.registered()
    let ignored = world.run("revenue 0 USD --idempotency-key a")
    #expect(ignored.out.hasPrefix("ignored ") && ignored.changes == [])
    #expect(world.run("revenue 5 USD --idempotency-key a").changes.contains("idempotency_keys.0: + \"a\""))
  }

  @Test("What is refused uses up no key")
  func refusedKey() {
    let world = World.registered()
    #expect(world.run("revenue 1e39 USD --idempotency-key a").code == .usage)
    #expect(world.run("revenue 1 USD --idempotency-key a").out.hasPrefix("added "))
  }
}

@Suite("Options have an effect")
struct OptionEffectTests {
  private static let poison =
    #"session --answer {"json":{"conversion_value":"5","skan_updated_coarse_value":1,"#
    + #""postback_sequence_index":0,"status":"ok"}}"#
  private static let developer = #"--ios 18.4 --clock developer --ad {"version":"4.0"}"#

  /// For each command that has `--strict` and takes expectations, a step with a finding: what comes before it, its
  /// command line, and a last argument that may be empty.
  private static let findings: [String: (before: [String], line: String, last: [String])] = [
    "install": ([], "install \(developer)", []), "register": ([], "register \(developer)", []),
    "reset": (["install \(developer)"], "reset", []), "session": (["install"], "session", []),
    "event": (["register"], "event ünlock", []), "revenue": (["register"], "revenue 5", [""]),
    "s2s session": (["register", poison], "s2s session", []), "s2s event": (["register", poison], "s2s event x", []),
    "details": (["register", poison], "details", []),
    "aak reengage": (
      [#"install --ios 18.4 --ad {"framework":"adattributionkit"}"#], "aak reengage https://example.com/?gclid=1", []
    ),
  ]

  @Test("--strict, of each command whose step can have a finding, and of no other")
  func strict() {
    let commands = CommandLineTool.commands.filter { $0.declares(.strict) && $0.declares(.expect) }.map(\.name)
    #expect(commands.sorted() == Self.findings.keys.sorted())
    for (before, line, last) in Self.findings.values {
      let codes = [[], ["--strict"]].map { option in
        let world = World()
        for line in before { world.run(line) }
        return world.run(line, arguments: last + option).code
      }
      #expect(codes[0] != .expectationFailed && codes[1] == .expectationFailed, "\(line): \(codes)")
    }
  }

  @Test("--api, of each command that reports an event, and of no other")
  func api() {
    let commands = CommandLineTool.commands.filter { $0.declares(.api) }
    #expect(commands.map(\.name) == ["event", "s2s event"])
    for spec in commands {
      let forward = spec.declares(.forward) ? "--forward " : ""
      let lines = ["v1", "v2"].map { World.registered().run("\(spec.name) x \(forward)--api \($0) --dry-run").out }
      #expect(lines[0] != lines[1] && !lines[0].isEmpty, "\(spec.name)")
    }
  }
}
