import SKANBase
import SKANDevice
import Testing

@testable import SKANServe

@Suite("Journal, script, clock and faults of the reference service")
struct ServiceTests {
  @Test("The journal has every request and answer, the key redacted")
  func journal() throws {
    let service = try TestService()
    _ = try service.askV2()
    _ = try service.ask("/api/v1/conversion_value", "p=Android&%61=SECRET")
    _ = try service.ask("/testing/api/v1/conversion_value", "idfv=X&a=SECRET")
    let lines = try service.journal()
    #expect(
      lines.map { $0["path"] } == [
        "/api/v2/conversion_value", "/api/v1/conversion_value", "/testing/api/v1/conversion_value",
      ])
    #expect(lines.map { $0["status"] } == ["200", "200", "200"])
    #expect(lines.map { $0["at"] } == Array(repeating: "\(TestService.start)", count: 3))
    #expect(lines[1]["answer"] == #"{"reason":"Unknown platform error","status":"error"}"#)
    #expect(lines[1]["explanation"] == "p must be iOS, it is \"Android\".")
    #expect(lines[2]["explanation"] == "Call 1 of the test endpoint for idfv X.")
    let text = try service.ask("/journal").text
    #expect(!text.contains("SECRET"))
    #expect(lines.allSatisfy { $0["query"]?.contains(#""a":"REDACTED""#) == true })
    #expect(service.kept.joined() == text)
    #expect(service.kept.allSatisfy { $0.hasSuffix("\n") && $0.dropLast().allSatisfy { !$0.isNewline } })
    #expect(try service.ask("/journal").contentType == "application/jsonl")
  }

  @Test("DELETE empties the journal, not what was kept; a line break in a parameter is no new line")
  func clear() throws {
    let service = try TestService()
    _ = try service.ask("/api/v2/conversion_value", "n=a%0Ab&p=iOS")
    #expect(try service.journal().count == 1)
    #expect(try service.ask("/journal", method: "DELETE").status == 204)
    #expect(try service.ask("/journal").text == "")
    #expect(service.kept.count == 1)
    _ = try service.askV2()
    #expect(try service.journal().count == 1)
  }

  @Test("The script comes first, in order, then the model")
  func script() throws {
    let service = try TestService(script: [
      .response(status: 500, body: Array("one".utf8)), .failure("gone"), .response(status: 204, body: []),
    ])
    let first = try service.askV2()
    #expect(first.status == 500 && first.text == "one" && first.fault == nil)
    #expect(try service.askV2().fault == .close)
    #expect(try service.ask("/testing/api/v1/conversion_value", "idfv=A").status == 204)
    #expect(try service.askV2().text.hasPrefix(#"{"conversion_value":1,"#))
    #expect(try service.ask("/testing/api/v1/conversion_value", "idfv=A").text.contains(":0,"))
    #expect(
      try service.journal().map { $0["explanation"]?.prefix(24) } == [
        "From the script of answe", "From the script of answe", "From the script of answe", "__SESSION__ for the 1st ",
        "Call 1 of the test endpo",
      ])
  }

  @Test("Neither health nor the journal nor a refused request uses up the script")
  func scriptKept() throws {
    let service = try TestService(script: [.response(status: 200, body: Array("one".utf8))])
    for path in ["/healthz", "/journal", "/nowhere"] { _ = try service.ask(path) }
    _ = try service.ask("/api/v2/conversion_value", "n=%")
    _ = try service.ask("/api/v2/conversion_value", method: "POST")
    _ = try service.askV2(fault: "nothing")
    _ = try service.askV2(time: "noon")
    #expect(try service.askV2().text == "one")
  }

  @Test(
    "The device's own time goes before the server's",
    arguments: [
      (nil, "0"), ("\(TestService.start)", "0"), ("\(TestService.start + 172_799).999", "0"),
      ("\(TestService.start + 172_800)", "1"), ("\(TestService.start + 604_800)", "2"), ("0", "0"), ("-5", "0"),
    ])
  func time(text: String?, index: String) throws {
    let service = try TestService()
    let reply = try service.askV2(time: text)
    #expect(try JSONReader.read(reply.body).value["postback_sequence_index"] == index)
    #expect(try service.journal().first?["at"] == (text ?? "\(TestService.start)"))
  }

  @Test("After the last window by the device's own time")
  func closed() throws {
    let reply = try TestService().askV2(time: "\(TestService.start + 3_024_000)")
    let reason = "More than 24 hours since the last conversion update (0 hours), update window is closed"
    #expect(reply.text == #"{"reason":"\#(reason)","status":"error"}"#)
  }

  @Test("A time that is none", arguments: ["", "noon", "nan", "inf", "1e300", "2026-01-01", "999999999999"])
  func badTime(text: String) throws {
    let service = try TestService()
    let reply = try service.askV2(time: text)
    #expect(reply.status == 400)
    #expect(reply.text == #"{"reason":"X-SKAN-Device-Time must be Unix seconds","status":"error"}"#)
    #expect(try service.journal().map { $0["status"] } == ["400"])
  }

  @Test("Faults: the body, the status, the way; reported in the journal")
  func faults() throws {
    let service = try TestService()
    #expect(
      try service.askV2(fault: "illegal-values").text
        == #"{"conversion_value":64,"postback_sequence_index":0,"skan_updated_coarse_value":0,"status":"ok"}"#)
    let unavailable = try service.askV2(fault: "status-503")
    #expect(unavailable.status == 503 && unavailable.text.hasPrefix(#"{"conversion_value":2,"#))
    #expect(try service.askV2(fault: "close").fault == .close)
    let truncated = try service.askV2(fault: "truncated")
    #expect(truncated.fault == .truncated(truncated.body.count / 2))
    #expect(try service.askV2(fault: "not-http").fault == .raw(Array("This is no HTTP.\r\n".utf8)))
    #expect(try service.journal().allSatisfy { $0["explanation"]?.contains(" Fault on demand: ") == true })
    #expect(try service.journal().map { $0["status"] } == ["200", "503", "200", "200", "200"])
    // Every one was counted by the model.
    #expect(try service.askV2().text.hasPrefix(#"{"conversion_value":4,"#))
    #expect(try service.ask("/testing/api/v1/conversion_value", "idfv=T", fault: "array").text == "[]")
  }

  @Test("A fault that is none is refused with the names that there are", arguments: ["", "x", "status-9", "LOCK"])
  func unknownFault(name: String) throws {
    let service = try TestService()
    let reply = try service.askV2(fault: name)
    #expect(reply.status == 400)
    #expect(
      reply.text.contains("no fault") && reply.text.contains("illegal-values, ") && reply.text.contains("status-NNN"))
    #expect(try service.journal().first?["explanation"]?.hasPrefix("no fault \"\(name)\"; known: ") == true)
  }

  @Test("The phone not heard of for longest is forgotten, and that is reported")
  func forgotten() throws {
    let limit = 3000
    let service = try TestService(hasModel: false, phoneLimit: limit)
    for number in 0...limit {
      _ = try service.ask("/testing/api/v1/conversion_value", "idfv=\(number)")
      if number == limit - 1 { #expect(service.reported == []) }
    }
    let first = "forgot the phone not heard of for longest: \(limit) are remembered"
    #expect(service.reported == [first])
    for number in 0..<1_500 { _ = try service.ask("/testing/api/v1/conversion_value", "idfv=again\(number)") }
    #expect(
      service.reported == [first] + [10, 100, 1000].map { "forgot \($0) phones so far: \(limit) are remembered" })
  }
}
