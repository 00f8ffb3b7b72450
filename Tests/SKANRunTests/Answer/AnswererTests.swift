import SKANBase
import SKANHTTP
import SKANModel
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Answerers")
struct AnswererTests {
  private static let request = UpdateRequest(event: "purchase", at: moment(60))

  private static func phone(isVirtual: Bool = true) -> Phone {
    Phone(device: Device(DeviceProfile(idfv: "V")), clock: PhoneClock(isVirtual: isVirtual))
  }

  @Test("A step's own answer is given back, and changes nothing")
  func scripted() {
    var phone = Self.phone()
    let answerer = ScriptedAnswerer(response: .failure("no network"))
    let answer = answerer.answer(Self.request, of: &phone)
    #expect(answer.content.response == .failure("no network") && answer.arrival == nil)
    #expect(phone == Self.phone() && answerer.identity(for: phone.device) == .list)
  }

  @Test("The test endpoint counts in the phone, and says when it has no value left")
  func testEndpoint() {
    var phone = Self.phone()
    for call in 1...4 {
      _ = TestEndpointAnswerer().answer(Self.request, of: &phone)
      var report = StepReport(.updated, .nothingToUpdate)
      TestEndpointAnswerer().annotate(&report, of: &phone)
      #expect(phone.testEndpoint.calls == call)
      #expect((report.explanation == .testEndpointExhausted) == (call == 4))
    }
  }

  @Test("A server is asked with the phone's time and the key only where they may go")
  func remote() throws {
    nonisolated(unsafe) var asked: [(url: String, time: Instant?)] = []
    let ours = Endpoint.custom(v1: try .init("http://a", api: .v1), v2: try .init("http://a", api: .v2))
    for endpoint in [Endpoint.testing, .production, ours] {
      var phone = Self.phone()
      let answerer = RemoteAnswerer(endpoint, sdkKey: "SECRET") {
        asked.append(($0.target.text, $1))
        return (.failure("none"), nil)
      }
      #expect(answerer.answer(Self.request, of: &phone).arrival == nil)
    }
    #expect(asked.map { $0.url.contains("a=SECRET") } == [false, true, true])
    #expect(asked.map(\.time) == [nil, nil, moment(60)])
    let named = RemoteAnswerer(ours) { _, _ in (.failure("none"), nil) }
    #expect(named.identity(for: Self.phone().device) == .remote("http://a"))
    #expect(named.address(for: Self.phone().device) == "http://a/api/v2/conversion_value")
  }

  @Test("An answerer that a file names, in the words of messages")
  func names() {
    for known in [AnsweredBy.list, .embedded] {
      #expect(AnsweredBy.displayText(ofName: known.name) == known.displayText)
    }
    for name in ["testing", "http://a/b", "m.json", ""] { #expect(AnsweredBy.displayText(ofName: name) == name) }
  }

  @Test("Singular's test endpoint takes no reports, and a phone of the real clock waits")
  func noForwarding() throws {
    var asked = 0
    let answerer = RemoteAnswerer(.testing, sleep: { $0 != .hours(1) }) { _, _ in
      asked += 1
      return (.failure("none"), nil)
    }
    var phone = Self.phone()
    let request = ForwardedRequest(
      .session, api: .v1, isPost: false, of: phone, metadata: nil, at: moment(0), changes: [])
    #expect(
      answerer.forward(request, of: &phone, at: moment(0)).content.response
        == .failure("this endpoint has no launch and evt: only production, and addresses without a path of their own"))
    #expect(asked == 0 && answerer.forwardAddress(of: request) == "")
    #expect(answerer.wait(.hours(1), for: phone))
    #expect(!answerer.wait(.hours(1), for: Self.phone(isVirtual: false)))
    #expect(answerer.wait(.hours(2), for: Self.phone(isVirtual: false)))
  }

  @Test(
    "The phone's time goes to no host of Singular's, in whatever way it is named",
    arguments: [
      ("https://sdk-api-v1.singular.net", false), ("https://skadnetwork-testing.singular.net", false),
      ("https://SDK-API-v1.Singular.NET/api", false), ("https://singular.net", false),
      ("http://singular.net:80", false),
      ("https://notsingular.net", true), ("https://singular.net.example.com", true), ("http://127.0.0.1:8080", true),
    ])
  func deviceTime(address: String, takesTime: Bool) throws {
    let endpoint = Endpoint.custom(v1: try .init(address, api: .v1), v2: try .init(address, api: .v2))
    #expect(endpoint.takesDeviceTime == takesTime)
    for own in [Endpoint.production, .testing, .embedded] { #expect(!own.takesDeviceTime) }
  }

  @Test("A model checks the parameters again after an update of the app, and only then")
  func updateChecksAgain() throws {
    var phone = Self.phone()
    let text = """
      {"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":5,"conversion_value_mapping":
        {"mapped_events":[{"mapped_event_name":"a","event_occurrence_range":{"min_event_count":1}}]}}]}
      """
    let runner = StepRunner(ModelAnswerer(ReferenceEndpoint(defaultModel: try ConversionModel(Array(text.utf8)))))
    func outcome(_ line: String) throws -> Outcome { try runner.run(try step(line), on: &phone).report.outcome }
    _ = try outcome(#"{"op":"register"}"#)
    #expect(try outcome(#"{"op":"event","name":"a"}"#) != .serverError)
    #expect(phone.memory.checkedRevision == phone.device.revision)
    _ = try outcome(#"{"op":"update","app_version":""}"#)
    #expect(try outcome(#"{"op":"event","name":"a"}"#) == .serverError)
    _ = try outcome(#"{"op":"update","app_version":"2"}"#)
    #expect(try outcome(#"{"op":"event","name":"a"}"#) != .serverError)
  }

  @Test("By a clock that runs by itself the answer of a server arrives when it does")
  func arrival() {
    var phone = Self.phone(isVirtual: false)
    let answerer = RemoteAnswerer(.testing, now: { moment(67) }) { _, _ in (.failure("none"), nil) }
    #expect(answerer.answer(Self.request, of: &phone).arrival == moment(67))
  }

  @Test(
    "The first step with a time of its own is asked for with that time, and one that goes back to the clock without")
  func firstTime() throws {
    nonisolated(unsafe) var asked: [Instant?] = []
    let ours = Endpoint.custom(v1: try .init("http://a", api: .v1), v2: try .init("http://a", api: .v2))
    let answerer = RemoteAnswerer(ours, now: { moment(1000) }) { _, time in
      asked.append(time)
      return (.failure("none"), nil)
    }
    let runner = StepRunner(answerer, now: { moment(10) })
    var phone = Self.phone(isVirtual: false)
    _ = try runner.run(Step(.register(frameworkError: nil)), on: &phone)
    let ends = try [TimeSpec.at(moment(60)), .after(TimeSpan(seconds: 5)), .now].map {
      try runner.run(Step(.session(Step.Update()), time: $0), on: &phone).endedAt
    }
    #expect(asked == [moment(60), moment(65), nil])
    #expect(ends == [moment(60), moment(65), moment(1000)])
  }

  @Test("A step that cannot run leaves the clock as it was")
  func failedStep() throws {
    var phone = Self.phone(isVirtual: false)
    let before = phone.clock
    let revenue = Step.Revenue(amount: .infinity, currency: "USD", isAdMonetization: false)
    #expect(throws: StepError.revenue(.amountNotFinite)) {
      try StepRunner().run(Step(.revenue(revenue), time: .at(moment(60))), on: &phone)
    }
    #expect(phone.clock == before)
  }

  @Test("The runner takes any answerer: who it is and what it says reaches the result")
  func ownAnswerer() throws {
    struct Own: Answerer {
      func answer(_ request: UpdateRequest, of phone: inout Phone) -> Answer {
        Answer(
          .response(.response(status: 200, body: Array(#"{"conversion_value":7}"#.utf8))), arrival: moment(90))
      }
      func annotate(_ report: inout StepReport, of phone: inout Phone) { report.explanation = .nothingToUpdate }
      func identity(for device: Device) -> AnsweredBy { .remote("own") }
      func address(for device: Device) -> String { "own:/" }
    }
    var phone = Self.phone()
    let runner = StepRunner(Own())
    _ = try runner.run(Step(.register(frameworkError: nil)), on: &phone)
    let result = try runner.run(Step(.session(Step.Update()), time: .at(moment(60))), on: &phone)
    #expect(result.exchange?.answeredBy == .remote("own") && result.exchange?.address == "own:/")
    #expect(result.endedAt == moment(90) && result.report.explanation == .nothingToUpdate)
    #expect(phone.device.kept.fineValue == .integer(7))
  }
}

/// A model checks all of a request again only after something may have changed that it looked at.
@Suite("The revision of a device that a model has checked")
struct CheckedRevisionTests {
  private static let model = """
    {"fine_grained_conversion_value_mappings":[
      {"conversion_value":0,"conversion_value_range":{"min":0,"max":0}}]}
    """

  @Test(
    "Steps that may leave something odd in a request, and those that cannot",
    arguments: [
      (#"{"op":"session"}"#, true), (#"{"op":"details"}"#, true), (#"{"op":"relaunch"}"#, true),
      (#"{"op":"revenue","amount":5,"currency":"USD"}"#, true),
      (#"{"op":"revenue","amount":5,"currency":"U+D"}"#, false),
      (#"{"op":"revenue","amount":1e18,"currency":"USD"}"#, false),
      (#"{"op":"session","answer":{"text":"{\"conversion_value\":1.5}"}}"#, false),
      (#"{"op":"session","answer":{"error":"none"}}"#, true),
      (#"{"op":"update","app_version":"2"}"#, false), (#"{"op":"device"}"#, false),
    ])
  func revisions(line: String, staysChecked: Bool) throws {
    var phone = Phone(device: Device(DeviceProfile(idfv: "V")), clock: PhoneClock(isVirtual: true))
    let runner = StepRunner()
    _ = try runner.run(Step(.register(frameworkError: nil)), on: &phone)
    phone.memory.checkedRevision = phone.device.revision
    _ = try runner.run(try step(line), on: &phone)
    // The test endpoint answers a session in text, which may be anything.
    let isAnsweredInText = line == #"{"op":"session"}"#
    #expect((phone.memory.checkedRevision == phone.device.revision) == (staysChecked && !isAnsweredInText))
  }

  @Test("Where an endpoint's requests go, and how results name it")
  func endpoints() {
    #expect(Endpoint.embedded.name(for: .skan4) == "embedded")
    #expect(Endpoint.embedded.forwardAddress(of: .event(.v1)) == "https://s2s.singular.net/api/v1/evt")
    #expect(Endpoint.testing.forwardAddress(of: .event(.v1)) == nil)
  }
}

@Suite("Failures of a remote endpoint")
struct EndpointFailureTests {
  /// The result of the last line on a phone that has registered, with a server that gives this answer.
  private func ran(
    _ answer: EndpointAnswer, _ endpoint: Endpoint? = nil, _ lines: String...
  ) throws -> (result: StepResult, verdicts: [Expected.Verdict]) {
    let server: Endpoint = try endpoint ?? .custom(v1: .init("http://a", api: .v1), v2: .init("http://a", api: .v2))
    let runner = StepRunner(RemoteAnswerer(server) { _, _ in (answer, nil) })
    let result = try #require(try runList([#"{"op":"register"}"#] + lines, runner: runner).last)
    return (result, result.step.expectations.verdicts(on: ShownResult(result)) { false } ?? [])
  }

  private static func body(_ text: String, status: Int = 200) -> EndpointAnswer {
    .response(status: status, body: Array(text.utf8))
  }

  private static let ok: EndpointAnswer = body(#"{"conversion_value":5,"status":"ok"}"#)
  private static let page: EndpointAnswer = body("<html>", status: 500)
  private static let error: EndpointAnswer = body(#"{"status":"error","reason":"no app"}"#)
  private static let poison: EndpointAnswer = body(#"{"conversion_value":"5","status":"ok"}"#)

  @Test(
    "What makes a run fail",
    arguments: [
      (Self.ok, nil, nil),
      (.failure("refused"), .noAnswer, "transport-error: No answer came (refused); nothing changes"),
      (Self.page, .badAnswer, "unparsable: "),
      (Self.error, .badAnswer, "server-error: The endpoint gave an error and no value"),
      (Self.body(#"{"conversion_value":64,"status":"ok"}"#), .badAnswer, "illegal-values: "),
      (Self.body("[]"), .badAnswer, "crashed: "),
      (Self.poison, .badAnswer, "skan_current_conversion_value now holds a string"),
    ] as [(EndpointAnswer, EndpointFailure?, String?)])
  func failures(answer: EndpointAnswer, failure: EndpointFailure?, reason: String?) throws {
    let (result, _) = try ran(answer, nil, #"{"op":"session"}"#)
    let fault = result.endpointFault([])
    #expect(fault?.failure == failure && result.endpointFailure == failure)
    #expect(fault?.reason.hasPrefix(reason ?? "") ?? (reason == nil), "\(fault?.reason ?? "")")
    #expect(result.isRemoteUpdate)
  }

  @Test("The same answer in the list makes none fail; alone the step ends with its code, but for a poisoned install")
  func scripted() throws {
    for (answer, failure) in [("<html>", EndpointFailure.badAnswer), (#"{\"conversion_value\":\"5\"}"#, nil)] {
      let (result, _) = try ran(Self.ok, nil, #"{"op":"session","answer":{"text":"\#(answer)"}}"#)
      #expect(result.endpointFault([]) == nil && result.endpointFailure == failure)
    }
    let (crashed, _) = try ran(
      Self.ok, nil, #"{"op":"session","answer":{"json":{"conversion_value":"5"}}}"#, #"{"op":"session"}"#)
    #expect(crashed.report.outcome == .crashed && crashed.endpointFault([]) == nil)
  }

  @Test(
    "A list that states the failure asks for it",
    arguments: [
      (#""outcome":"unparsable""#, true), (#""outcome":{"$matches":"^un"}"#, true),
      (#""outcome":{"$matches":"updated|unparsable"}"#, true), (#""outcome":{"$exists":true}"#, false),
      (#""handler.error":"Failed parsing server response""#, true), (#""handler.error":{"$exists":true}"#, true),
      (#""handler.fine":null"#, false), (#""crash":null"#, false), (#""answer.status":500"#, true),
      (#""answer.status":{"$between":[200,599]}"#, false), (#""explanation":{"$contains":"not a JSON object"}"#, true),
      (#""window":0"#, false), (#""outcome":"updated""#, false),
      (#""details.skan_current_conversion_value":"0""#, false),
    ])
  func stated(expectation: String, isStated: Bool) throws {
    let (result, verdicts) = try ran(Self.page, nil, #"{"op":"session","expect":{\#(expectation)}}"#)
    #expect(verdicts.count == 1)
    #expect((result.endpointFault(verdicts) == nil) == isStated)
  }

  @Test("A poisoned install is stated by its warning")
  func poisonStated() throws {
    for (code, isStated) in [("install-poisoned", true), ("odd-type", false)] {
      let (result, verdicts) = try ran(
        Self.poison, nil,
        #"{"op":"session","expect":{"warnings":{"$contains":{"code":"\#(code)"}},"outcome":"updated"}}"#)
      #expect(!verdicts.contains { !$0.isMet } && (result.endpointFault(verdicts) == nil) == isStated)
    }
  }

  @Test("A report of the app's server fails a run, too, unless the list states it")
  func forwarded() throws {
    let session = #"{"op":"session","answer":{"json":{"conversion_value":5}},"forward":true"#
    for (more, failure) in [
      ("", EndpointFailure.badAnswer), (#","expect":{"forwarded.0.outcome":"error"}"#, nil),
      (#","expect":{"warnings":{"$contains":{"code":"not-forwarded"}}}"#, nil),
      (#","expect":{"outcome":"updated"}"#, .badAnswer),
    ] {
      let (result, verdicts) = try ran(Self.error, nil, session + more + "}")
      #expect(!verdicts.contains { !$0.isMet })
      #expect(result.endpointFault(verdicts)?.failure == failure, "\(more)")
      #expect(!result.isRemoteUpdate)
    }
    for (expect, failure) in [("{}", EndpointFailure.noAnswer), (#"{"outcome":"transport-error"}"#, nil)] {
      let (alone, verdicts) = try ran(
        .failure("gone"), nil, #"{"op":"s2s","kind":"session","expect":\#(expect)}"#)
      #expect(alone.endpointFault(verdicts)?.failure == failure)
    }
  }

  @Test("The fourth answer of Singular's test endpoint is empty, as documented")
  func testEndpoint() throws {
    let third = #"{"op":"session","answer":{"json":{"conversion_value":2}}}"#
    for snippet in ["skan4", "skan3"] {
      let device = #"{"op":"device","snippet":"\#(snippet)"}"#
      let fourth = try ran(Self.body(""), .testing, device, #"{"op":"register"}"#, third, #"{"op":"session"}"#).result
      #expect(fourth.report.outcome == .unparsable && fourth.endpointFault([]) == nil)
      #expect(fourth.endpointFailure == .badAnswer)
    }
    // Nothing has worked yet, the body is another one, or the server is.
    #expect(try ran(Self.body(""), .testing, #"{"op":"session"}"#).result.endpointFault([]) != nil)
    #expect(try ran(Self.page, .testing, third, #"{"op":"session"}"#).result.endpointFault([]) != nil)
    #expect(try ran(Self.body(""), nil, third, #"{"op":"session"}"#).result.endpointFault([]) != nil)
  }
}
