import Foundation
import SKANBase
import SKANCommand
import SKANDevice
import SKANModel
import SKANRun
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("check --to-list: the real app beside the simulated one")
struct CheckToListTests {
  /// What a replay of a life's list says.
  private func replay(_ mistake: SimulatedApp.Mistake?) -> Consequences {
    let world = World()
    world["life.ndjson"] = SimulatedApp(mistake).journal
    let check = world.run("check -q --to-list life.jsonl life.ndjson")
    #expect(check.saysCountsAlone, "\(check)")
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
    #expect(world.run("check -q --fail-on error --to-list out.jsonl two.har").saysCountsAlone)
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
    #expect(world.run("check -q --to-list out.jsonl lock.har").saysCountsAlone)
    let lines = (world["out.jsonl"] ?? "").split(separator: "\n")
    #expect(
      lines.contains { $0.hasPrefix(#"{"op":"relaunch""#) && $0.contains("the app must have been restarted") },
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

/// An app and its server, as a journal of `skan serve` shows them; a mistake can be planted in it.
struct SimulatedApp {
  /// What the app does wrong.
  enum Mistake: String, CaseIterable {
    /// An event comes before the registration.
    case eventBeforeRegister
    /// The revenue of a purchase is added twice.
    case revenueTwice
    /// The revenue of a purchase is reported, and not added.
    case revenueForgotten
    /// The metadata are read before the answer came.
    case staleValues
    /// The server is told in the completion handler alone, which is not always called.
    case handlerWaiting
    /// The phone's clock was set back, and the app goes by another one for its windows.
    case wrongWindow
  }

  /// What the app makes of values in the answers to its server's reports.
  enum ReportAnswers: String, CaseIterable {
    /// It applies a value that it does not have.
    case applied
    /// It applies each value.
    case reapplied
    case ignored
  }

  private let mistake: Mistake?
  /// Nil where the answers hold no value.
  private let reportAnswers: ReportAnswers?
  private var phone: Phone
  private let runner = StepRunner()
  private(set) var journal = ""
  /// How far the phone's clock was set back, in seconds.
  private var setBack: Int64 = 0
  private static let start: Int64 = 1_767_225_600

  /// Its first four days.
  init(_ mistake: Mistake? = nil, reportAnswers: ReportAnswers? = nil) {
    self.mistake = mistake
    self.reportAnswers = reportAnswers
    phone = Phone(
      device: Device(DeviceProfile(idfv: "21DB6612-09B3-4ECC-84AC-B353B0AF1334")), clock: PhoneClock(isVirtual: true))
    if mistake == .eventBeforeRegister { event("intro", at: 0, value: nil) }
    run(.register(frameworkError: nil), at: 5)
    report("launch", name: nil, at: 5, phone.device)
    event(nil, at: 6, value: 1)
    event("tutorial", at: 600, value: 3)
    event("share", at: 700, value: nil)
    event("purchase", at: 4000, value: 9, amount: 9.99)
    event(nil, at: 90_000, value: 9)
    event("level", at: 200_000, value: 12)
    // The user sets the clock back by two days; the app that goes by its server's clock does not see it.
    setBack = 172_800
    event("level", at: 260_000, value: 13)
    event(nil, at: 300_000, value: 14)
  }

  @discardableResult
  private mutating func run(_ operation: Step.Operation, at seconds: Int64) -> StepResult? {
    try? runner.run(Step(operation, time: Instant(unixSeconds: Self.start + seconds).map(TimeSpec.at)), on: &phone)
  }

  /// A session, or an event, perhaps with revenue: the snippet's request, and what the server reports.
  private mutating func event(_ name: String?, at seconds: Int64, value: Int64?, amount: Double? = nil) {
    let shown = seconds - setBack
    // By the phone's clock, or by one that was not set back.
    let time = mistake == .wrongWindow ? seconds : shown
    if let amount {
      for _ in 0..<(mistake == .revenueTwice ? 2 : mistake == .revenueForgotten ? 0 : 1) {
        run(.revenue(Step.Revenue(amount: amount, currency: "USD", isAdMonetization: false)), at: time)
      }
    }
    let text =
      value.map {
        #"{"conversion_value":\#($0),"skan_updated_coarse_value":\#($0 % 3),"status":"ok"}"#
      } ?? #"{"status":"ok"}"#
    var update = Step.Update()
    update.answer = .response(status: 200, body: Array(text.utf8))
    let before = phone.device
    let result = run(name.map { .event(name: $0, update) } ?? .session(update), at: time)
    if mistake == .wrongWindow, setBack > 0, result?.exchange != nil {
      // The time that is kept is the phone's all the same.
      phone.device.kept.lastCall = Self.start + shown
    }
    if result?.exchange != nil {
      let query = before.request(event: name ?? Device.sessionEventName).queryItems(sdkKey: "REDACTED")
      write("/api/v2/conversion_value", query, answer: text, at: shown)
    }
    if mistake == .handlerWaiting, result?.report.handler == nil { return }
    report(
      name == nil ? "launch" : "evt", name: name, at: shown, mistake == .staleValues ? before : phone.device,
      amount: amount)
  }

  private mutating func report(
    _ endpoint: String, name: String?, at seconds: Int64, _ device: Device, amount: Double? = nil
  ) {
    var query = [
      QueryItem("a", "REDACTED"), QueryItem("p", "iOS"), QueryItem("i", "com.example.app"), QueryItem("ve", "17.4"),
      QueryItem("idfv", "21DB6612-09B3-4ECC-84AC-B353B0AF1334"), QueryItem("ip", "203.0.113.7"),
      QueryItem("app_v", "1.0"), QueryItem("utime", String(Self.start + seconds)),
    ]
    if let name { query.append(QueryItem("n", name)) }
    if let amount { query += [QueryItem("amt", "\(amount)"), QueryItem("cur", "USD")] }
    query += (try? device.details())?.queryItems ?? []
    guard let reportAnswers else {
      write("/api/v1/\(endpoint)", query, answer: #"{"status":"ok"}"#, at: seconds)
      return
    }
    let kept = phone.device.kept.fineValue?.int64 ?? 0
    // Each third one is the value that the phone has.
    let value = kept % 3 == 0 ? kept : kept + 1
    let answer = #"{"status":"ok","conversion_value":\#(value)}"#
    write("/api/v1/\(endpoint)", query, answer: answer, at: seconds)
    let isApplied = reportAnswers == .reapplied || (reportAnswers == .applied && value != kept)
    guard isApplied, let now = Instant(unixSeconds: Self.start + seconds + 2),
      case .request = phone.device.beginUpdate(at: now)
    else { return }
    _ = phone.device.finishUpdate(SnippetAnswer(.response(status: 200, body: Array(answer.utf8))), at: now)
  }

  private mutating func write(_ path: String, _ query: [QueryItem], answer: String, at seconds: Int64) {
    let line = JSON.object([
      ("answer", .string(answer)), ("at", .integer(Self.start + seconds)), ("explanation", .string("")),
      ("method", .string("GET")), ("path", .string(path)),
      ("query", .object(query.map { ($0.name, .optional($0.value)) })), ("status", .integer(200)),
    ])
    journal += JSONWriter.text(line) + "\n"
  }
}
