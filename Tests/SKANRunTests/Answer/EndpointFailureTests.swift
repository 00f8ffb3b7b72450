import SKANHTTP
import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Failures of a remote endpoint")
struct EndpointFailureTests {
  /// The result of the last line on a phone that has registered, with a server that gives this answer.
  private func ran(
    _ answer: EndpointAnswer, _ endpoint: Endpoint? = nil, _ lines: String...
  ) throws -> (result: StepResult, verdicts: [Expected.Verdict]) {
    let server: Endpoint = try endpoint ?? .custom(v1: .init("http://a", api: .v1), v2: .init("http://a", api: .v2))
    let runner = StepRunner(RemoteAnswerer(server) { _, _ in answer })
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
      (Self.error, .badAnswer, "server-error: The endpoint gave no value but an error"),
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
      (#""answer.status":{"$between":[200,599]}"#, false), (#""explanation":{"$contains":"no JSON"}"#, true),
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
