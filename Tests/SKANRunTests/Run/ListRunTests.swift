import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("A list and those who watch it")
struct ListRunTests {
  /// Notes what it sees.
  private final class Watcher: StepObserver {
    var seen: [String] = []
    let wants: Bool
    let stopsAt: String?

    init(wants: Bool = true, stopsAt: String? = nil) {
      self.wants = wants
      self.stopsAt = stopsAt
    }

    func wantsResult(of step: Step) -> Bool { wants }

    func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
      let text =
        switch event {
        case .ran(let result, let verdicts, let isSelected):
          "\(result.report.outcome.name) \(verdicts.map(\.isMet)) \(isSelected)"
        case .completed(let report, _, let isSelected): "completed \(report.outcome.name) \(isSelected)"
        case .skipped(let reason, _): "skipped \(reason)"
        case .retried(_, let reason, let attempt): "retried \(attempt): \(reason)"
        }
      seen.append("\(reader.location.line) \(text)")
      return text != stopsAt
    }
  }

  private static let list = """
    {"op":"register","expect":{"outcome":"registered"}}
    {"op":"details","skip":"not yet"}
    {"op":"details","label":"x","expect":{"outcome":"updated"}}

    """

  private func run(
    _ watchers: [Watcher], of list: String = list, _ change: (inout ListRun.Options) -> Void = { _ in },
    answerer: any Answerer = TestEndpointAnswerer()
  ) -> ListRun.End {
    let reader = ListReader("list", ByteSource(Array(list.utf8)), ListReader.Options())
    let phones = ListPhones(StepRunner(answerer))
    var options = ListRun.Options()
    change(&options)
    return ListRun(reader, on: phones, options, observer: watchers[0], others: Array(watchers.dropFirst())) { step in
      do throws(StepError) { return .ran(try phones.run(step)) } catch { return .failed(error) }
    }.run()
  }

  private func isFinished(_ end: ListRun.End) -> Bool { if case .finished = end { true } else { false } }

  @Test("Every step reaches every observer, with its verdicts")
  func all() {
    let watchers = [Watcher(), Watcher()]
    #expect(isFinished(run(watchers)))
    #expect(watchers[0].seen == ["1 registered [true] true", "2 skipped not yet", "3 read [false] true"])
    #expect(watchers[1].seen == watchers[0].seen)
  }

  @Test("Steps whose results no observer wants are completed only")
  func completed() {
    let watcher = Watcher(wants: false)
    #expect(isFinished(run([watcher])))
    #expect(watcher.seen == ["1 completed registered true", "2 skipped not yet", "3 completed read true"])
  }

  @Test("Of steps that are not selected no expectation is checked")
  func selection() {
    let watcher = Watcher()
    _ = run([watcher]) { $0.selects = { $0.label == "x" } }
    #expect(watcher.seen == ["1 registered [] false", "2 skipped not yet", "3 read [false] true"])
  }

  @Test("An observer stops the list; those behind it do not see the step")
  func stop() {
    let watchers = [Watcher(stopsAt: "skipped not yet"), Watcher()]
    guard case .stopped = run(watchers) else {
      Issue.record("not stopped")
      return
    }
    #expect(watchers.map(\.seen.count) == [2, 1])
  }

  @Test("An interruption, a caller without use for the rest, and a mistake end it")
  func ends() {
    let watcher = Watcher()
    guard case .interrupted = run([watcher], { $0.isInterrupted = { true } }),
      case .stopped = run([watcher], { $0.isObsolete = { true } }),
      case .wrong(let problems) = run([watcher], of: "{\"op\":\"details\"}\n{\"op\":\"nothing\"}\n")
    else {
      Issue.record("wrong end")
      return
    }
    #expect(problems.map(\.line) == [2] && watcher.seen.count == 3)
  }

  @Test("An interruption while a step runs ends the list behind that step", arguments: [true, false])
  func interruptedBetweenSteps(wants: Bool) {
    let list = "{\"op\":\"register\"}\n{\"op\":\"details\"}\n{\"op\":\"details\"}\n"
    let watcher = Watcher(wants: wants)
    nonisolated(unsafe) let seen = watcher
    guard case .interrupted = run([watcher], of: list, { $0.isInterrupted = { seen.seen.count == 2 } }) else {
      Issue.record("not interrupted")
      return
    }
    #expect(watcher.seen.count == 2)
  }

  @Test(
    "A step runs again on the phone as it was, and only the last attempt is the step's",
    arguments: ["in-turn", "deferred"])
  func retries(completion: String) {
    struct Failing: Answerer {
      func answer(_ request: UpdateRequest, of phone: inout Phone) -> Answer {
        phone.testEndpoint.calls += 1
        return Answer(.response(.failure("down after \(phone.testEndpoint.calls)")))
      }
      func identity(for device: Device) -> AnsweredBy { .remote("x") }
      func address(for device: Device) -> String { "x" }
    }
    let watcher = Watcher()
    var waits = 0
    _ = run(
      [watcher],
      of: """
        {"op":"device","settings":{"completion":"\(completion)"}}
        {"op":"register"}
        {"op":"session"}

        """,
      {
        $0.retries = 2
        $0.wait = { waits += 1 }
      }, answerer: Failing())
    #expect(
      watcher.seen == [
        "1 set [] true", "2 registered [] true", "3 retried 1: no answer (down after 1)",
        "3 retried 2: no answer (down after 1)", "3 transport-error [] true",
      ])
    #expect(waits == 2)
  }
}

@Suite("Living a list")
struct ListPhonesTests {
  @Test("Two phones, interleaved, each with its own state, clock and test endpoint")
  func interleaved() throws {
    let results = try runList([
      #"{"op":"device","device":"a","snippet":"skan4"}"#, #"{"op":"device","device":"b","snippet":"skan3"}"#,
      #"{"op":"register","device":"a"}"#, #"{"op":"register","device":"b","at":"2026-03-01T00:00:00Z"}"#,
      #"{"op":"session","device":"a","after":"1h"}"#, #"{"op":"session","device":"b","after":"1s"}"#,
      #"{"op":"revenue","device":"a","amount":1,"currency":"USD"}"#, #"{"op":"session","device":"b"}"#,
      #"{"op":"session","device":"a","answer":{"json":{"conversion_value":99}}}"#, #"{"op":"session","device":"b"}"#,
      #"{"op":"session","device":"a"}"#, #"{"op":"details","device":"b"}"#, #"{"op":"details","device":"a"}"#,
    ])
    #expect(
      results.map(\.report.outcome) == [
        .set, .set, .registered, .registered, .updated, .notHigher, .added, .updated, .illegalValues, .updated,
        .blocked, .read, .read,
      ])
    #expect(results[4].at == moment(3600))
    #expect(results[5].at.description == "2026-03-01T00:00:01Z")
    #expect(results[12].at == moment(3600))
    #expect(results[11].device.kept.skan3Value == 2 && results[11].device.kept.iapRevenue == nil)
    #expect(results[12].device.kept.fineValue == .integer(0) && results[12].device.process.isLockHeld)
    #expect(!results[11].device.process.isLockHeld)
  }

  @Test("Interleaved or one after the other: every phone lives the same")
  func sameAlone() throws {
    func lines(_ name: String) -> [String] {
      [
        #"{"op":"device","device":"\#(name)"}"#, #"{"op":"register","device":"\#(name)"}"#,
        #"{"op":"session","device":"\#(name)","after":"1h"}"#,
        #"{"op":"event","name":"e","device":"\#(name)","at":"+2d"}"#, #"{"op":"session","device":"\#(name)","took":2}"#,
        #"{"op":"details","device":"\#(name)"}"#,
      ]
    }
    let (a, b) = (lines("a"), lines("b"))
    let mixed = try runList(zip(a, b).flatMap { [$0, $1] })
    let alone = try runList(a) + runList(b)
    for name in ["a", "b"] {
      #expect(
        mixed.filter { $0.step.device == name }.map(\.json) == alone.filter { $0.step.device == name }.map(\.json))
    }
  }

  @Test("A phone that is not declared has the defaults")
  func undeclared() throws {
    let result = try #require(try runList([#"{"op":"register","device":"Ann"}"#]).first)
    #expect(result.device.profile == DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: "Ann")))
    #expect(result.at == .listStart)
  }

  @Test("A phone that has run steps already goes on, whatever the list calls it")
  func continued() throws {
    var phone = Phone(
      device: Device(DeviceProfile(idfv: "X")), clock: PhoneClock(isVirtual: true), testEndpoint: TestEndpoint(calls: 3)
    )
    _ = phone.device.register(at: moment(-60))
    let phones = ListPhones(StepRunner(), everyPhone: phone)
    #expect(try phones.run(step(#"{"op":"register","device":"z"}"#)).report.outcome == .alreadyRegistered)
    #expect(try phones.run(step(#"{"op":"session","device":"z"}"#)).report.outcome == .unparsable)
    #expect(phones.onlyPhone?.testEndpoint.calls == 4)
    var other = try step(#"{"op":"details","device":"y"}"#)
    other.phone = 1
    _ = try phones.run(other)
    #expect(phones.onlyPhone == nil)
  }

  @Test("The test endpoint: 0, 1, 2 and then nothing; a fresh install begins again, a step's own answer does not count")
  func testEndpoint() throws {
    let session = #"{"op":"session"}"#
    let results = try runList([
      #"{"op":"register"}"#, session, #"{"op":"session","answer":{"json":{"conversion_value":40}}}"#, session, session,
      session, session,
      #"{"op":"device"}"#, #"{"op":"register"}"#, session,
    ])
    #expect(
      results.map { $0.device.kept.fineValue?.int64 } == [0, 0, 40, 1, 2, 2, 2, nil, 0, 0])
    #expect(results[5].report.outcome == .unparsable)
    #expect(results[9].report.outcome == .updated)
    #expect(
      results[1].exchange?.url.hasPrefix(
        "https://skadnetwork-testing.singular.net/api/v1/conversion_value?a=YOUR_SDK_KEY&") == false)
    #expect(
      results[1].exchange?.url.hasPrefix("https://skadnetwork-testing.singular.net/api/v1/conversion_value?a=REDACTED&")
        == true)
    #expect(results[2].exchange?.url.hasPrefix("https://sdk-api-v1.singular.net/api/v2/conversion_value?") == true)
  }

  @Test(
    "A step that cannot run leaves its phone as it was",
    arguments: [
      (
        #"{"op":"revenue","amount":3.4e38,"currency":"USD"}"#,
        .revenue(.sumTooLarge(entry: "skan_total_revenue_by_currency"))
      ),
      (#"{"op":"details","at":"+9000000d"}"#, nil), (#"{"op":"details","after":"3000000d"}"#, .timeOutOfRange),
      (#"{"op":"session","took":300000000000}"#, .timeOutOfRange),
    ] as [(String, StepError?)])
  func refused(line: String, error: StepError?) throws {
    guard let error else {
      #expect(problems(line).count == 1)
      return
    }
    let phones = ListPhones(StepRunner())
    _ = try phones.run(step(#"{"op":"register"}"#))
    _ = try phones.run(step(#"{"op":"revenue","amount":3e38,"currency":"USD"}"#))
    let before = try #require(phones.onlyPhone)
    let bad = try step(line)
    #expect(throws: error) { try phones.run(bad) }
    let after = try #require(phones.onlyPhone)
    #expect(after.device == before.device && after.clock == before.clock && after.testEndpoint == before.testEndpoint)
    #expect(!error.message.isEmpty)
  }

  @Test("A fresh install forgets everything, its lock and its poison too")
  func freshInstall() throws {
    let results = try runList([
      #"{"op":"register"}"#, #"{"op":"session","answer":{"json":{"conversion_value":"5"}}}"#, #"{"op":"details"}"#,
      #"{"op":"device","ios":"16.1"}"#, #"{"op":"details"}"#, #"{"op":"register"}"#,
    ])
    #expect(results.map(\.report.outcome) == [.registered, .updated, .crashed, .set, .read, .registered])
    #expect(results[3].device.kept == KeptState())
    #expect(results[3].device.process == AppProcess())
  }
}

@Suite("The counts of a list")
struct ListTallyTests {
  private static let location = (file: "l", line: 1)
  private static let settings = RunSettings(includes: IncludePermission(folders: [], target: { $0 }))

  @Test("A step that does not run counts as skipped, and as nothing else")
  func skipped() throws {
    var tally = ListTally(Self.settings, records: nil)
    let step = try #require(try runList([#"{"op":"register"}"#]).first).step
    for index in 0..<2 { try tally.countSkipped(step, "later", at: Self.location, index: index) }
    #expect(tally.counts.skipped == 2 && tally.counts.steps == 0)
  }

  @Test("A step with a finding has a record, though no expectation is there to fail; one without has none")
  func findings() throws {
    var tally = ListTally(Self.settings, records: nil)
    let results = try runList([
      #"{"op":"register"}"#, #"{"op":"session","answer":{"json":{"conversion_value":99}}}"#,
    ])
    let records = try results.enumerated().map { index, result in
      try tally.count(result, [], at: Self.location, index: index, took: .zero)
    }
    #expect(results.map(\.report.hasFinding) == [false, true])
    #expect(records.map { $0 != nil } == [false, true])
  }
}
