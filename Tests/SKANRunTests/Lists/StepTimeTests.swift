import Testing

@testable import SKANDevice
@testable import SKANRun

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

  @Test("Where no request goes out, nothing takes time")
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
      return .response(status: 200, body: Array(#"{"conversion_value":1}"#.utf8))
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
