import SKANBase
import SKANCommand
import Testing

@testable import SKANCommandLine

@Suite("What is printed of a result")
struct ResultTests {
  private let buy = "event buy --revenue 5 --currency USD --answer"

  @Test("--json prints an object a line, one for each call")
  func json() throws {
    let result = World.registered().run("\(buy) \(Answer.value("3")) --json")
    let lines = result.out.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 3 && lines.last == "")
    let objects = try lines.dropLast().map { try JSONReader.read(Array($0.utf8)).value }
    #expect(objects.map { $0["op"] } == [.string("revenue"), .string("event")])
    #expect(objects.map { $0["outcome"] } == [.string("added"), .string("updated")])
    #expect(objects[1]["details_before"]?["skan_total_revenue_by_currency"] == .object([("USD", .integer(5))]))
    for object in objects {
      guard case .object(let members) = object else { throw Wrong() }
      #expect(
        members.map(\.key) == [
          "answer", "answered_by", "apple", "at", "crash", "details", "details_before", "details_in_handler",
          "device", "ended_at", "explanation", "forwarded", "framework", "handler", "label", "lock_held", "op",
          "outcome", "request",
          "warnings", "window",
        ])
    }
  }

  private struct Wrong: Error {}

  @Test("The whole object")
  func wholeObject() {
    #expect(
      World.registered().run("register --json")
        == Consequences(
          out:
            #"{"answer":null,"answered_by":null,"apple":{"first_launch":1767225600,"first_update":1767225600,"latest_call":1767225600,"#
            + #""p0":{"fine":0,"fine_only":true,"updated":true},"says":null,"version":"4.0","window":0},"#
            + #""at":1767225600,"crash":null,"details":{"skan_current_conversion_value":"0","#
            + #""skan_first_call_to_skadnetwork_timestamp":"1767225600","#
            + #""skan_last_call_to_skadnetwork_timestamp":"1767225600"},"#
            + #""details_before":{"skan_current_conversion_value":"0","#
            + #""skan_first_call_to_skadnetwork_timestamp":"1767225600","#
            + #""skan_last_call_to_skadnetwork_timestamp":"1767225600"},"details_in_handler":null,"device":"","#
            + #""ended_at":1767225600,"#
            + #""explanation":"A first call is on record since 2026-01-01T00:00:00Z, so register does nothing and the "#
            + #"windows go on counting from then.","forwarded":null,"framework":[],"handler":null,"label":null,"lock_held":false,"#
            + #""op":"register","outcome":"already-registered","request":null,"warnings":[],"window":0}"# + "\n"))
  }

  @Test(
    "Expectations that are met",
    arguments: [
      "outcome=updated", "window=0", "handler.fine=3", "handler.fine=3.0", "details.p0_coarse=2",
      "details.skan_current_conversion_value=3", "details.p1_coarse=null", "crash=null", "framework.0.coarse=high",
      "framework.0.coarse=\"high\"", "query.n=buy", "request.query.n=buy", "warnings.0.code=details-stale",
      "handler={\"coarse\":2,\"fine\":3,\"lock\":false,\"error\":null}", "label=null", "answer.status=200", "op=event",
      "details_before.skan_current_conversion_value=0",
    ])
  func met(expectation: String) {
    let answer = Answer.value("3", "\"skan_updated_coarse_value\":2")
    #expect(World.registered().run("event buy -q --answer \(answer) --expect", expectation).code == .ok)
  }

  @Test(
    "Expectations that are not", arguments: ["window=\"0\"", "handler.fine=4", "details=null", "label=", "op=session"])
  func unmet(expectation: String) {
    let world = World.registered()
    let result = world.run("event buy -q --answer \(Answer.value("3")) --expect", expectation)
    #expect(result.code == .expectationFailed)
    // The step happened all the same.
    #expect(result.changes.contains("kept.skan_current_conversion_value: 0 → 3"))
  }

  @Test("What is said of an expectation that failed")
  func failure() {
    #expect(
      World.registered().run(
        "session --quiet --expect outcome=no-update --expect details.p0_coarse=2 --expect outcome=updated --answer",
        Answer.empty)
        == Consequences(
          .expectationFailed,
          err: """
            expectation failed: outcome
              expected  "no-update"
              actual    "unparsable"
              step      unparsable: The answer is not a JSON object (it is empty); nothing changes and the handler gets \
            "Failed parsing server response".
            expectation failed: details.p0_coarse
              expected  2
              actual    nothing: details has no p0_coarse
              step      unparsable: The answer is not a JSON object (it is empty); nothing changes and the handler gets \
            "Failed parsing server response".
            expectation failed: outcome
              expected  "updated"
              actual    "unparsable"
              step      unparsable: The answer is not a JSON object (it is empty); nothing changes and the handler gets \
            "Failed parsing server response".
              answer    HTTP 200, empty body
              request   GET https://sdk-api-v1.singular.net/api/v2/conversion_value?a=REDACTED&v=17.4\
            &i=com.example.app&app_v=1.0&n=__SESSION__&p=iOS&idfv=92DEA3FE-594B-8C7E-92DB-3DFE5948A955\
            &skan_current_conversion_value=0&skan_last_call_to_skadnetwork_timestamp=1767225600\
            &skan_first_call_to_skadnetwork_timestamp=1767225600

            """))
  }

  @Test("With --json the verdicts are part of the last object")
  func verdicts() {
    let result = World.registered().run("\(buy) \(Answer.ok) --json --expect op=event --expect window=1")
    let lines = result.out.split(separator: "\n")
    #expect(!lines[0].contains("expectations"))
    #expect(
      lines[1].contains(
        #""expectations":[{"actual":"event","expected":"event","ok":true,"path":"op"},"#
          + #"{"actual":0,"expected":1,"ok":false,"path":"window"}]"#))
    #expect(result.code == .expectationFailed)
    #expect(result.err.hasPrefix("expectation failed: window\n"))
  }

  @Test(
    "--strict counts findings, not notes",
    arguments: [
      (["session --answer", Answer.ok], ExitCode.expectationFailed), (["session --answer", Answer.value("3")], .ok),
      (["revenue 1", ""], .expectationFailed), (["session --answer", Answer.empty], .badAnswer),
      (["session --answer", Answer.illegal], .expectationFailed),
      (["event --revenue 1 --currency= --answer \(Answer.value("3"))", "a"], .expectationFailed),
    ])
  func strict(words: [String], code: ExitCode) {
    #expect(World.registered().run("\(words[0])", words[1], "--strict").code == code)
  }

  @Test("-q leaves errors alone")
  func quiet() {
    let world = World.registered()
    let run = world.run("session -q --answer", Answer.timedOut)
    #expect(run.code == .unavailable && run.out.isEmpty && run.err.hasPrefix("skan: transport-error: "), "\(run)")
    #expect(world.run("session -q --json --answer", Answer.ok) == Consequences())
    #expect(world.run("revenue x USD -q").err != "")
  }

  @Test("-v shows request and answer")
  func verbose() {
    let world = World.registered("--idfv none")
    let query =
      "a=REDACTED&v=17.4&i=com.example.app&app_v=1.0&n=__SESSION__&p=iOS&skan_current_conversion_value=0"
      + "&skan_last_call_to_skadnetwork_timestamp=1767225600&skan_first_call_to_skadnetwork_timestamp=1767225600"
    #expect(
      world.run("session -qv --answer", #"{"status":500,"text":"a\nb"}"#)
        == Consequences(
          .badAnswer,
          err: """
            * answered in process by the step's own answer: no network
            * request   \(query)
            * answer    HTTP 500
            *           a
            *           b
            * unparsable: The answer is not a JSON object (expected a value: an object, array, string, number, true, \
            false or null, byte 0); nothing changes and the handler gets "Failed parsing server response".

            """))
    #expect(
      world.run("session -qv --answer", Answer.timedOut).err.hasSuffix(
        """
        \(query)
        * answer    none: The request timed out.
        * transport-error: No answer came (The request timed out.); nothing changes and the handler gets the error.

        """))
    let embedded = world.run("session -qv").err
    #expect(
      embedded.hasPrefix("* answered in process by the embedded test endpoint: no network\n* request   a=REDACTED&"))
    #expect(embedded.contains("\n*           {\"conversion_value\":0,\"status\":\"ok\"}\n"))
    world.run("reset")
    #expect(world.run("session -qv").err == "* no request: not-registered\n")
  }
}
