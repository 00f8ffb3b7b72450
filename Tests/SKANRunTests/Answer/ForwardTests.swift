import Foundation
import SKANBase
import SKANModel
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("The app's server reports a step")
struct ForwardTests {
  private static let register = #"{"op":"register"}"#

  private static func answer(_ json: String) -> String { #""answer":{"json":\#(json)}"# }

  /// The result of the last line, on a phone that has registered.
  private static func last(_ lines: String...) throws -> StepResult {
    try #require(try runList([register] + lines).last)
  }

  private static let five =
    answer(#"{"conversion_value":5,"skan_updated_coarse_value":1,"status":"ok"}"#)

  @Test(
    "The body decides whether the report arrives, and whether it is sent again",
    arguments: [
      (#"{"json":{"status":"ok"}}"#, "ok", 1, 0.0), (#"{"status":404,"json":{"status":"ok"}}"#, "ok", 1, 0),
      (#"{"json":{"status":"error","reason":"missing argument: a"}}"#, "error", 1, 0),
      (#"{"json":{"status":"error","reason":"no device ID supplied"}}"#, "error", 1, 0),
      (#"{"json":{"status":"error","reason":"busy"}}"#, "error", 5, 15), (#"{"text":"<html>"}"#, "error", 5, 15),
      (#"{"status":429,"json":{"status":"ok"}}"#, "error", 5, 15), (#"{"status":503,"text":""}"#, "error", 5, 15),
      (#"{"error":"timed out"}"#, "no-answer", 5, 15),
    ])
  func outcomes(answer: String, outcome: String, attempts: Int, seconds: Double) throws {
    let session = try Self.last(#"{"op":"session",\#(Self.five),"forward":{"answer":\#(answer)}}"#)
    let call = try #require(session.forwarded)
    #expect(call.outcome.rawValue == outcome)
    #expect(call.attempts == attempts)
    #expect(session.endedAt == moment(seconds))
    #expect(session.report.outcome == .updated)
    #expect(session.report.warnings.contains { $0.code == "not-forwarded" } == (outcome != "ok"))
    let alone = try Self.last(#"{"op":"s2s","kind":"session","answer":\#(answer)}"#)
    let expected: Outcome = ["ok": .forwarded, "error": .serverError][outcome] ?? .transportError
    #expect(alone.report.outcome == expected)
    #expect(alone.endedAt == moment(seconds))
  }

  @Test("A wait that is cut short ends the attempts")
  func impatient() throws {
    struct Down: Answerer {
      let isPatient: Bool

      func answer(_ request: UpdateRequest, of phone: inout Phone) -> Answer { Answer(.response(.failure("down"))) }
      func identity(for device: Device) -> AnsweredBy { .remote("x") }
      func address(for device: Device) -> String { "x" }
      func forward(_ request: ForwardedRequest, of phone: inout Phone, at now: Instant) -> Answer {
        Answer(.response(.failure("down")))
      }
      func wait(_ span: TimeSpan, for phone: borrowing Phone) -> Bool { isPatient }
    }
    for (isPatient, attempts) in [(false, 1), (true, ForwardedCall.attemptLimit)] {
      let runner = StepRunner(Down(isPatient: isPatient))
      let result = try runList([Self.register, #"{"op":"s2s","kind":"session"}"#], runner: runner).last
      #expect(result?.forwarded?.attempts == attempts)
    }
  }

  @Test("The server reads after the answer; the sample, and stale, before it")
  func stale() throws {
    let fresh = try #require(try Self.last(#"{"op":"session",\#(Self.five),"forward":true}"#).forwarded)
    #expect(fresh.request.parameters.contains(QueryItem("skan_current_conversion_value", "5")))
    #expect(
      fresh.stale == [
        QueryItem("skan_current_conversion_value", "0"), QueryItem("prev_fine_value", nil), QueryItem("p0_coarse", nil),
      ])
    let stale = try #require(try Self.last(#"{"op":"session",\#(Self.five),"forward":{"stale":true}}"#).forwarded)
    #expect(stale.request.parameters.contains(QueryItem("skan_current_conversion_value", "0")))
    #expect(stale.stale == [])
  }

  @Test("A report of its own reads before the last answer, too")
  func staleAlone() throws {
    let session = #"{"op":"session",\#(Self.five)}"#
    let revenue = #"{"op":"revenue","amount":5,"currency":"USD"}"#
    let stale = #"{"op":"s2s","kind":"session","stale":true,\#(Self.answer(#"{"status":"ok"}"#))}"#
    let call = try #require(try Self.last(session, revenue, stale).forwarded)
    #expect(call.request.parameters.contains(QueryItem("skan_current_conversion_value", "0")))
    #expect(call.request.parameters.contains { $0.name == "p0_coarse" } == false)
    #expect(call.request.parameters.contains { $0.name == "p0_total_iap_revenue" })
    #expect(call.stale == [])
    let fresh = try #require(
      try Self.last(session, revenue, stale.replacing(#""stale":true,"#, with: "")).forwarded)
    #expect(fresh.request.parameters.contains(QueryItem("skan_current_conversion_value", "5")))
    #expect(fresh.stale.contains(QueryItem("skan_current_conversion_value", "0")))
    // Nothing came since that the sample would not have read.
    let none = #"{"op":"session",\#(Self.answer(#"{"status":"ok"}"#))}"#
    #expect(try Self.last(session, none, stale.replacing("true", with: "false")).forwarded?.stale == [])
  }

  @Test("A value that the phone does not have goes through the snippet; one that it has does not")
  func applied() throws {
    let other = try Self.last(
      #"{"op":"session",\#(Self.five),"forward":{\#(Self.answer(#"{"conversion_value":7,"status":"ok"}"#))}}"#)
    #expect(other.forwarded?.applied?.outcome == .updated)
    #expect(other.forwarded?.applied?.framework == .updatePostbackCoarse(fine: 7, coarse: nil, lock: false))
    #expect(other.device.kept.fineValue == .integer(7))
    #expect(other.report.warnings.contains { $0.code == "coarse-cleared" })
    #expect(other.lifeEvents.map(\.kind) == [.session, .forward] && other.lifeEvents.allSatisfy { $0.account == nil })
    // The warnings of the result are divided between the two.
    #expect(other.report.warnings.map(\.code) == ["coarse-cleared", "details-stale", "details-stale"])
    #expect(
      other.recordedEvents.map(\.account) == [
        LifeEvent.Account(answeredBy: "list", warnings: [.detailsStale]),
        LifeEvent.Account(answeredBy: "list", warnings: [.coarseCleared, .detailsStale]),
      ])
    let same = try Self.last(
      #"{"op":"session",\#(Self.five),"forward":{\#(Self.answer(#"{"conversion_value":5,"status":"ok"}"#))}}"#)
    #expect(same.forwarded?.applied == nil && same.lifeEvents.count == 1)
    // A client that applies each value moves the last call and loses the coarse value.
    let again = try Self.last(
      #"{"op":"session",\#(Self.five)}"#,
      #"{"op":"s2s","kind":"session","after":"1m","reapply":true,\#(Self.answer(#"{"conversion_value":5,"status":"ok"}"#))}"#
    )
    #expect(again.forwarded?.applied?.outcome == .updated)
    #expect(again.device.kept.lastCall == moment(60).wholeSeconds && again.device.kept.coarseValue[.p0] == nil)
    let late = try Self.last(
      #"{"op":"s2s","kind":"session","after":"36d",\#(Self.answer(#"{"conversion_value":7,"status":"ok"}"#))}"#)
    #expect(late.forwarded?.applied?.outcome == .windowOver)
    #expect(
      late.recordedEvents.map(\.account) == [
        LifeEvent.Account(answeredBy: "list", warnings: late.report.warnings.map(\.kind))
      ])
  }

  @Test("A dead app reports nothing, but for the sample, which reads in time")
  func crash() throws {
    let crash = Self.answer("[]")
    #expect(try Self.last(#"{"op":"session",\#(crash),"forward":true}"#).forwarded == nil)
    let poison = #"{"op":"session",\#(Self.answer(#"{"conversion_value":"5"}"#))}"#
    let dead = try Self.last(poison, #"{"op":"s2s","kind":"session"}"#)
    #expect(dead.report.outcome == .crashed && dead.forwarded == nil)
  }

  @Test("A session that arrives makes later ones no install")
  func install() throws {
    let session = #"{"op":"s2s","kind":"session"}"#
    let lost = #"{"op":"s2s","kind":"session","answer":{"json":{"status":"error","reason":"no device ID supplied"}}}"#
    for (first, expected) in [(session, "false"), (lost, "true")] {
      let second = try #require(try Self.last(first, session).forwarded)
      #expect(second.request.parameters.contains(QueryItem("install", expected)))
    }
  }

  @Test("A model in process gives the value of the metadata, and counts reports apart from the phone's requests")
  func model() throws {
    let file = Checkout.fixtures.appending(path: "models/engagement.json")
    let model = try ConversionModel(Array(try Data(contentsOf: file)))
    let runner = StepRunner(ModelAnswerer(ReferenceEndpoint(defaultModel: model)))
    let results = try runList(
      [Self.register, #"{"op":"session","forward":true}"#, #"{"op":"event","name":"x","forward":true}"#], runner: runner
    )
    #expect(results[1].forwarded?.explanation.hasPrefix("launch is accepted; its conversion_value is ") == true)
    #expect(results[1].forwarded?.applied == nil)
    #expect(results[2].forwarded?.applied == nil)
  }

  @Test(
    "Settings that make no sense",
    arguments: [
      (#"{"op":"s2s"}"#, "a step with op \"s2s\" needs the key \"kind\""),
      (#"{"op":"s2s","kind":"launch"}"#, "\"kind\" must be \"session\" or \"event\", this is \"launch\""),
      (#"{"op":"s2s","kind":"event"}"#, "a step with op \"s2s\" needs the key \"name\""),
      (#"{"op":"s2s","kind":"session","name":"n"}"#, "\"name\" goes with \"kind\":\"event\""),
      (
        #"{"op":"s2s","kind":"session","stale":1}"#, "\"stale\" must be true or false, this is 1"
      ),
      (#"{"op":"session","forward":5}"#, "\"forward\" must be true, or an object of its settings, this is a number"),
      (#"{"op":"session","forward":{"api":"v3"}}"#, #""api" must be one of "v1", "v2", this is "v3""#),
      (#"{"op":"session","forward":{"stail":true}}"#, #"forward has no key "stail"; did you mean "stale"?"#),
      (
        #"{"op":"event","name":"n","forward":{"amount":1}}"#,
        "\"amount\" needs \"currency\": a server sends both or none"
      ), (#"{"op":"event","name":"n","forward":{"currency":"USD"}}"#, "\"currency\" goes with \"amount\""),
      (
        #"{"op":"session","forward":{"parameters":{"ip":5}}}"#,
        "the parameter \"ip\" must be a text, or null to leave it out, this is a number"
      ),
    ])
  func problems(line: String, problem: String) {
    #expect(SKANRunTests.problems(line) == [problem])
  }

  @Test("With SKAN 3 a value in the answer is applied, unless the phone has it")
  func skan3() throws {
    let lines = [#"{"op":"device","snippet":"skan3"}"#, Self.register]
    let report = #""forward":{"answer":{"json":{"status":"ok","conversion_value":5}}}"#
    let session = #"{"op":"session","after":"1m",\#(Self.answer(#"{"status":"ok"}"#)),\#(report)}"#
    let results = try runList(lines + [session, session])
    #expect(results.map { $0.device.kept.skan3Value } == [nil, nil, 5, 5])
    #expect(results.map { $0.forwarded?.applied?.outcome } == [nil, nil, .updated, nil])
  }
}
