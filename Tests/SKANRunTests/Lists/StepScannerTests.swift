import Foundation
import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Usual lines, read straight into a step")
struct StepScannerTests {
  @Test(
    "Usual lines are taken",
    arguments: [
      #"{"op":"device","device":"phone-00199","at":1767225794,"ios":"18.1"}"#,
      #"{"op":"device","device":"a"}"#,
      #"{"op":"register","device":"phone-00199","at":1767225794}"#,
      #"{"op":"session","device":"phone-00199","at":1767225807}"#,
      #"{"op":"event","device":"phone-00143","at":1767689986,"name":"purchase"}"#,
      #"{"op":"event","name":"","device":"a name of more than sixteen letters"}"#,
      #"{"op":"revenue","device":"phone-00048","at":1767709446,"amount":0.99,"currency":"USD"}"#,
      #"{"op":"revenue","amount":-4.99,"currency":"","ad_monetization":true}"#,
      #"{"op": "revenue", "amount": 12, "currency": "EUR", "ad_monetization": false, "at": 1767709446.25}"#,
      #"{"at":"2026-01-03T00:00:00.5+02:00","op":"details"}"#, #"{"at":"+2d3h","op":"session"}"#,
      "{\"op\":\"session\" ,\t\"at\":5 } \r",
    ])
  func taken(line: String) { #expect(expectEqual(line)) }

  @Test(
    "Other lines are not",
    arguments: [
      "", "{", "{}", "{\"", "# a comment", " {\"op\":\"session\"}", "{\"op\":\"session\"", "{\"op\":\"session\"}}",
      #"{"op":"session","at" :5}"#, "{\"op\":\"session\"},", "{\"op\":\"session\",}", "{\"op\":\"session\"\"at\":1}",
      "{\"op\":\"session\"\n}",
      #"{"op":"session","op":"session"}"#, #"{"op":"session","at":1,"at":1}"#,
      #"{"op":"event","name":"a","name":"a"}"#, #"{"op":"event"}"#, #"{"op":"session","name":"a"}"#,
      #"{"op":"session","amount":1}"#, #"{"op":"session","currency":"USD"}"#, #"{"op":"register","ios":"17.4"}"#,
      #"{"op":"revenue","amount":1}"#, #"{"op":"revenue","currency":"USD"}"#,
      #"{"op":"details","ad_monetization":true}"#,
      #"{"op":"revenue","amount":1,"currency":null}"#, #"{"op":"revenue","amount":1e2,"currency":"USD"}"#,
      #"{"op":"revenue","amount":01,"currency":"USD"}"#, #"{"op":"revenue","amount":1.,"currency":"USD"}"#,
      #"{"op":"revenue","amount":-0,"currency":"USD"}"#, #"{"op":"revenue","amount":-0.0,"currency":"USD"}"#,
      #"{"op":"revenue","amount":1234567890.123456,"currency":"USD"}"#,
      #"{"op":"revenue","amount":"1","currency":"USD"}"#,
      #"{"op":"revenue","amount":1,"currency":"USD","ad_monetization":true,"ad_monetization":true}"#,
      #"{"op":"event","name":"\u0061"}"#, #"{"op":"event","name":"é"}"#, #"{"op":"event","name":"$"}"#,
      #"{"op":"event","name":"$234567"}"#, "{\"op\":\"event\",\"name\":\"a\tb\"}", #"{"op":"event","name":"a}"#,
      #"{"op":"session","device":7}"#, #"{"op":"session","at":-62135596801}"#, #"{"op":"session","at":"tomorrow"}"#,
      #"{"op":"session","at":true}"#, #"{"op":"session","at":-"+1d"}"#, #"{"op":"device","ios":"x"}"#,
      #"{"op":"device","snippet":"skan3"}"#,
      #"{"op":"session","label":"a"}"#, #"{"op":"session","after":1}"#, #"{"op":"session","answer":{"json":{}}}"#,
      #"{"op":"relaunch"}"#, #"{"op":"sessions"}"#, #"{"op":7}"#, #"{"device":"a"}"#, #"{"OP":"session"}"#,
    ])
  func notTaken(line: String) { #expect(scanned(line) == nil) }

  @Test("A step has nothing of the one before it")
  func overwritten() throws {
    var step = Step(.session(Step.Update()), time: .after(.zero))
    step.annotate(label: "a", skip: "b")
    let phones = NameTable()
    let line = Array(#"{"op":"details"}"#.utf8)
    #expect(line.withUnsafeBufferPointer { StepScanner().scan($0, into: &step, phones: phones) })
    #expect(step.facts == (try SKANRunTests.step(#"{"op":"details"}"#)).facts)
  }

  @Test("Of very many names, and of a very long one, the text is right")
  func manyNames() throws {
    let scanner = StepScanner()
    var step = Step(.details)
    let names = (0..<1100).map { "event_\($0)" } + [String(repeating: "x", count: 70)]
    for name in names + names {
      let line = Array(#"{"op":"event","name":"\#(name)"}"#.utf8)
      #expect(line.withUnsafeBufferPointer { scanner.scan($0, into: &step, phones: NameTable()) })
      #expect(step.operation.eventName == name)
    }
  }

  @Test("Every line of the fixtures gives the step that the full reader gives")
  func fixtures() throws {
    var taken = 0
    for list in FixtureListTests.lists {
      let bytes = try Data(contentsOf: FixtureListTests.fixtures.appending(path: list))
      for line in bytes.split(separator: 0x0A) where expectEqual(String(decoding: line, as: UTF8.self)) { taken += 1 }
    }
    // Nearly all of them expect something.
    #expect(taken > 5)
  }

  @Test("So does every random line, right or wrong", arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) {
    var usual = UsualLine(seed: seed)
    var steps = RandomStep(seed: seed)
    var taken = 0
    let rounds = Rounds.areMany ? 5000 : 250
    for round in 0..<rounds {
      if expectEqual(round % 5 == 0 ? steps.line() : usual.line()) { taken += 1 }
    }
    #expect(taken > rounds / 3)
  }
}

/// The step of a line that the scanner takes.
func scanned(_ line: String) -> Step? {
  var step = Step(.details)
  let phones = NameTable()
  let isTaken = Array(line.utf8).withUnsafeBufferPointer { StepScanner().scan($0, into: &step, phones: phones) }
  if !isTaken { #expect(phones.names.isEmpty) }
  return isTaken ? step : nil
}

/// Expects that the scanner gives the step of the full reader, or none.
///
/// - Returns: whether it gives one.
@discardableResult
func expectEqual(_ line: String) -> Bool {
  guard let scanned = scanned(line) else { return false }
  #expect(scanned.facts == (try? fullStep(line))?.facts, "\(line)")
  return true
}

/// Random lines of the usual shapes, and some that a small slip has made wrong or unusual.
private struct UsualLine {
  private var numbers: SplitMix64

  init(seed: UInt64) { numbers = SplitMix64(seed: seed) }

  mutating func line() -> String {
    let colon = pick([":", ":", ": "])
    let op = pick(["session", "event", "revenue", "register", "device", "details"])
    var members = ["\"op\"\(colon)\"\(op)\""]
    func add(_ key: String, _ value: String) { members.append("\"\(key)\"\(colon)\(value)") }
    if isLikely() { add("device", text()) }
    if isLikely() { add("at", time()) }
    if op == "event" { add("name", text()) }
    if op == "revenue" {
      add("amount", amount())
      add("currency", pick([#""USD""#, #""EUR""#, text()]))
      if !isLikely() { add("ad_monetization", pick(["true", "false"])) }
    }
    if op == "device", isLikely() { add("ios", #""\#(pick(["17.4", "16.1.2", "9", "18", "0", "17.x"]))""#) }
    if !isLikely() { members.shuffle(using: &numbers) }
    let line = "{\(members.joined(separator: pick([",", ",", ", "])))}\(pick(["", "", "", " ", "\r", "\t"]))"
    return isLikely() ? line : slipped(line)
  }

  /// Changes, removes or repeats one byte, or repeats a part of the line.
  private mutating func slipped(_ line: String) -> String {
    var bytes = Array(line.utf8)
    let index = Int(numbers.next(through: UInt64(bytes.count - 1)))
    switch numbers.next(through: 3) {
    case 0: bytes[index] = pick(Array("\"\\,:{}[]$ 0.-e\tna\u{7F}".utf8))
    case 1: bytes.remove(at: index)
    case 2: bytes.insert(bytes[index], at: index)
    default: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 12)], at: index)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int(numbers.next(through: UInt64(values.count - 1)))]
  }

  /// Three times in four.
  private mutating func isLikely() -> Bool { numbers.next(through: 3) > 0 }

  private mutating func digits(_ most: UInt64) -> String {
    (0...numbers.next(through: most)).map { _ in String(numbers.next(through: 9)) }.joined()
  }

  private mutating func text() -> String {
    "\"\(pick(["", "a", "phone-", "level_up", "quest_completed", "a name of more than sixteen letters"]))\(digits(5))\""
  }

  private mutating func time() -> String {
    pick([
      "1767225794", "176722\(digits(4))", "-\(digits(10))", "\(digits(9)).\(digits(7))", #""2026-01-03T00:00:00Z""#,
      #""2026-02-28T23:59:59.\#(digits(5))-02:30""#, #""+\#(numbers.next(through: 40))d3h""#,
    ])
  }

  private mutating func amount() -> String {
    "\(pick(["", "", "-"]))\(pick(["0", "4", digits(8)]))\(pick(["", ".99", ".\(digits(8))"]))"
  }
}

@Suite("When the steps of a list happen")
struct StepTimeTests {
  struct Case: Sendable {
    var times: [String]
    /// Seconds after 2026-01-01T00:00:00Z.
    var expected: [Double]

    init(_ times: [String], _ expected: [Double]) {
      self.times = times
      self.expected = expected
    }
  }

  @Test(
    "One phone",
    arguments: [
      Case(["", "", ""], [0, 0, 0]), Case([#""after":"1h""#, ""], [3600, 3600]),
      Case([#""at":"+2d""#, #""at":"+2d""#, #""at":"+3d""#], [172_800, 172_800, 259_200]),
      Case([#""at":1767225700"#, #""at":"+1m""#, #""at":"+2m""#, ""], [100, 160, 220, 220]),
      Case([#""at":1767225700"#, #""after":"1m""#, #""after":"1m""#, #""at":"+1s""#], [100, 160, 220, 101]),
      Case(["", #""at":1767225700"#, #""at":"+1m""#], [0, 100, 160]),
      Case(["", #""after":"5s""#, #""at":"+1m""#], [0, 5, 65]),
      Case(["", #""at":"+1m""#, #""at":1767225700"#, #""at":"+2m""#], [0, 60, 100, 120]),
      Case(
        [#""at":"2026-01-02T00:00:00Z""#, #""at":"2026-01-01T00:00:00Z""#, #""at":"+1h""#, ""],
        [86_400, 0, 90_000, 90_000]),
      Case([#""at":1767225600.25"#, #""after":"250ms""#], [0.25, 0.5]),
      Case(["", #""after":90.5"#, #""after":0"#], [0, 90.5, 90.5]),
      Case([#""at":-86400"#, #""at":"+1s""#], [-1_767_312_000, -1_767_311_999]),
    ])
  func onePhone(_ example: Case) throws {
    let results = try runList(example.times.map { $0.isEmpty ? #"{"op":"details"}"# : "{\"op\":\"details\",\($0)}" })
    #expect(results.map(\.at) == example.expected.map { moment($0) })
    #expect(results.map(\.endedAt) == results.map(\.at))
  }

  @Test("`took` moves the end of a step, and what comes after counts from there")
  func took() throws {
    let results = try runList([
      #"{"op":"register","at":1767225600}"#,
      #"{"op":"session","took":"1m30.5s","answer":{"json":{"conversion_value":1}}}"#,
      #"{"op":"details"}"#,
      #"{"op":"details","after":"1s"}"#, #"{"op":"details","at":"+2m"}"#,
    ])
    #expect(results.map(\.at) == [0, 0, 90.5, 91.5, 120].map { moment($0) })
    #expect(results[1].endedAt == moment(90.5))
    #expect(results[1].device.kept.lastCall == 1_767_225_690)
    #expect(results[1].json["ended_at"] == .double(1_767_225_690.5))
  }

  @Test("Where no request is sent, nothing takes time")
  func tookNothing() throws {
    let results = try runList([#"{"op":"session","took":90}"#, #"{"op":"details"}"#])
    #expect(results.map(\.report.outcome) == [.notRegistered, .read])
    #expect(results.map(\.endedAt) == [0, 0].map { moment($0) })
  }

  @Test("An answer may arrive in the next window")
  func nextWindow() throws {
    let results = try runList([
      #"{"op":"register"}"#,
      #"{"op":"session","at":1767398399,"took":1,"answer":{"json":{"conversion_value":9,"skan_updated_coarse_value":2}}}"#,
    ])
    #expect(results[1].json["window"] == .integer(1))
    #expect(results[1].device.kept.coarseValue[.p1] == .integer(2))
    #expect(results[1].device.kept.fineValue == .integer(0))
  }

  @Test(
    "Going back is reported, by how much",
    arguments: [(#""at":1767225600"#, "3h"), (#""at":"+1h""#, "2h"), (#""at":"+3h""#, nil), ("", nil)]
      as [(String, String?)])
  func back(time: String, span: String?) throws {
    let results = try runList([
      #"{"op":"register","at":1767225600}"#, #"{"op":"details","at":"+3h"}"#,
      time.isEmpty ? #"{"op":"details"}"# : "{\"op\":\"details\",\(time)}",
    ])
    let expected = try span.map { Warning.clockWentBack(try #require(TimeSpan(text: $0))) }
    #expect(results[2].report.warnings == (expected.map { [$0] } ?? []))
    #expect(results[0].report.warnings.isEmpty && results[1].report.warnings.isEmpty)
  }

  @Test("An install without a time leaves the clock to the first step after it; with one it is the beginning")
  func install() throws {
    var results = try runList([
      #"{"op":"device"}"#, #"{"op":"register","at":1767225700}"#, #"{"op":"details","at":"+10s"}"#,
    ])
    #expect(results.map(\.at) == [0, 100, 110].map { moment($0) })
    results = try runList([
      #"{"op":"device","at":1767225650}"#, #"{"op":"register","at":1767225700}"#, #"{"op":"details","at":"+10s"}"#,
    ])
    #expect(results.map(\.at) == [50, 100, 60].map { moment($0) })
  }

  @Test("A fresh install begins its own count, may lie in the past, and else goes on from where the clock is")
  func freshInstall() throws {
    let results = try runList([
      #"{"op":"register","at":"2026-03-01T00:00:00Z"}"#, #"{"op":"device"}"#, #"{"op":"register"}"#,
      #"{"op":"device"}"#,
      #"{"op":"register","at":1767225600}"#, #"{"op":"details","at":"+1h"}"#,
    ])
    #expect(results.map(\.at) == [5_097_600, 5_097_600, 5_097_600, 5_097_600, 0, 3600].map { moment($0) })
    #expect(results.allSatisfy { $0.report.warnings.isEmpty })
  }

  @Test("By a clock that runs by itself an answer takes what it takes")
  func realClock() throws {
    nonisolated(unsafe) var seconds = 0.0
    let answerer = RemoteAnswerer(.testing, now: { moment(seconds) }) { _, _ in
      seconds += 7
      return (.response(status: 200, body: Array(#"{"conversion_value":1}"#.utf8)), nil)
    }
    let runner = StepRunner(answerer, now: { moment(seconds) })
    var phone = Phone(device: Device(DeviceProfile(idfv: nil)), clock: PhoneClock(isVirtual: false))
    _ = try runner.run(Step(.register(frameworkError: nil)), on: &phone)
    seconds = 10
    var result = try runner.run(Step(.session(Step.Update())), on: &phone)
    #expect(result.at == moment(10) && result.endedAt == moment(17))
    // With a given time the clock is virtual, and an answer takes nothing.
    result = try runner.run(Step(.session(Step.Update()), time: .at(moment(100))), on: &phone)
    #expect(result.at == moment(100) && result.endedAt == moment(100))
    result = try runner.run(Step(.session(Step.Update())), on: &phone)
    #expect(result.at == moment(100))
    result = try runner.run(Step(.details, time: .now), on: &phone)
    #expect(result.at == moment(seconds))
    #expect(!phone.clock.isVirtual)
  }
}
