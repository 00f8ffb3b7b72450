import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Living a list")
struct ListRunnerTests {
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
    let lists = ListRunner(StepRunner(), everyPhone: phone)
    #expect(try lists.run(step(#"{"op":"register","device":"z"}"#)).report.outcome == .alreadyRegistered)
    #expect(try lists.run(step(#"{"op":"session","device":"z"}"#)).report.outcome == .unparsable)
    #expect(lists.onlyPhone?.testEndpoint.calls == 4)
    var other = try step(#"{"op":"details","device":"y"}"#)
    other.phone = 1
    _ = try lists.run(other)
    #expect(lists.onlyPhone == nil)
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
    let lists = ListRunner(StepRunner())
    _ = try lists.run(step(#"{"op":"register"}"#))
    _ = try lists.run(step(#"{"op":"revenue","amount":3e38,"currency":"USD"}"#))
    let before = try #require(lists.onlyPhone)
    let bad = try step(line)
    #expect(throws: error) { try lists.run(bad) }
    let after = try #require(lists.onlyPhone)
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
