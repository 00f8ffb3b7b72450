import SKANBase
import SKANHTTP
import Testing

@testable import SKANServe

@Suite("launch and evt at the reference endpoint")
struct ReportTests {
  private static let start = TestService.start
  private static let session =
    "a=SECRET&p=iOS&i=com.example.app&ip=198.18.0.1&ve=17.4&idfv=IDFV-1&utime=\(start)&app_v=1.0"
    + "&skan_current_conversion_value=0&skan_first_call_to_skadnetwork_timestamp=\(start)"
    + "&skan_last_call_to_skadnetwork_timestamp=\(start)"

  @Test("A session with metadata gets the model's value; without metadata it is taken")
  func values() throws {
    let service = try TestService()
    #expect(try service.ask("/api/v1/launch", Self.session).text == #"{"conversion_value":1,"status":"ok"}"#)
    #expect(try service.ask("/api/v1/launch", "a=K&p=iOS&i=x&idfv=V").text == #"{"status":"ok"}"#)
    #expect(try TestService(hasModel: false).ask("/api/v1/launch", Self.session).text == #"{"status":"ok"}"#)
  }

  @Test("SKAN 3 metadata counts as the phone's own request to version 1")
  func skan3() throws {
    let query =
      "a=K&p=iOS&i=com.example.app&idfv=V&ve=14.5&utime=\(Self.start)&skan_conversion_value=0"
      + "&skan_first_call_timestamp=\(Self.start)&skan_last_call_timestamp=\(Self.start)"
    #expect(try TestService().ask("/api/v1/launch", query).text == #"{"conversion_value":1,"status":"ok"}"#)
  }

  @Test(
    "The documented errors come with status 200",
    arguments: [
      ("p=iOS&i=x&idfv=V", "missing argument: a"), ("a=K&i=x&idfv=V", "missing argument: p"),
      ("a=K&p=ios&i=x&idfv=V", "invalid platform: ios"), ("a=K&p=iOS&i=x", "no device ID supplied"),
      ("a=K&p=iOS&i=x&idfa=A", "platform: iOS should have an idfv param"),
    ])
  func refusals(query: String, reason: String) throws {
    let reply = try TestService().ask("/api/v1/launch", query)
    #expect(reply.status == 200)
    #expect(reply.text == #"{"reason":"\#(reason)","status":"error"}"#)
  }

  @Test("The counts of launch are not added to those of conversion_value")
  func counts() throws {
    let service = try TestService()
    for _ in 0..<3 { _ = try service.ask("/api/v1/launch", Self.session) }
    #expect(try service.askV2().text.contains(#""conversion_value":1,"#))
    #expect(try service.ask("/api/v1/launch", Self.session).text == #"{"conversion_value":3,"status":"ok"}"#)
  }

  @Test("A POST is read as a form, and a body that is not one is not read")
  func form() throws {
    let service = try TestService()
    let body = "a=SECRET&p=iOS&i=com.example.app&n=x&sdid=S"
    #expect(try service.post("/api/v2/evt", body).text == #"{"status":"ok"}"#)
    let json = try service.post("/api/v2/evt", #"{"a":"SECRET"}"#, type: "application/json")
    #expect(json.text == #"{"reason":"missing argument: a","status":"error"}"#)
    #expect(json.explanation.contains("The body is not a form"))
    #expect(try service.journal().last?["body"] == #"{"a":"REDACTED"}"#)
    #expect(try service.post("/api/v2/evt", "a=%2").status == 400)
  }

  @Test("The time of a report: its own in seconds or milliseconds, and else the server's")
  func times() throws {
    let service = try TestService()
    for (parameter, at) in [
      ("utime=1767225700", "1767225700"), ("umilisec=1767225700500", "1767225700.5"),
      ("umilisec=soon", "\(Self.start)"),
      ("", "\(Self.start)"),
    ] {
      _ = try service.ask("/api/v1/launch", "a=K&p=iOS&i=x&idfv=V&\(parameter)")
      #expect(try service.journal().last?["at"] == at, "\(parameter)")
    }
  }

  @Test("HEAD is answered as GET is, and changes nothing")
  func head() throws {
    let service = try TestService()
    for _ in 0..<2 { #expect(try service.ask("/api/v1/launch", Self.session, method: "HEAD").status == 200) }
    let first = try service.ask("/api/v1/launch", Self.session)
    #expect(first.text == #"{"conversion_value":1,"status":"ok"}"# && !first.explanation.contains("de-duplicate"))
    #expect(try service.ask("/api/v1/launch", Self.session, method: "HEAD").status == 200)
    #expect(try service.journal().count == 4)
  }

  @Test("Bodies that are not forms, and queries that cannot be read, as the journal has them")
  func unread() throws {
    let service = try TestService()
    for (body, kept) in [
      (#"{"a":"SECRET","n":"x"}"#, #"{"a":"REDACTED","n":"x"}"#), (#"["SECRET"]"#, ""), ("SECRET", ""),
    ] {
      _ = try service.post("/api/v1/evt", body, type: "application/json")
      #expect(try service.journal().last?["body"] == kept, "\(body)")
    }
    let broken = try service.ask("/api/v1/evt", "a=SECRET&n=%2")
    #expect(broken.status == 400 && broken.text.contains("the parameter \\\"n\\\" has a broken percent escape"))
    #expect(try service.journal().last?["query"] == "null")
  }

  @Test("The journal has the report without its secrets; a repeated one is noted; faults are on demand")
  func journal() throws {
    let service = try TestService()
    _ = try service.post("/api/v1/evt", "a=SECRET&p=iOS&i=x&n=a%20b&idfv=V&purchase_receipt=SECRET")
    let line = try #require(try service.journal().last)
    #expect(line["body"] == "a=REDACTED&p=iOS&i=x&n=a%20b&idfv=V&purchase_receipt=REDACTED")
    #expect(line["path"] == "/api/v1/evt" && line["method"] == "POST" && line["status"] == "200")
    _ = try service.ask("/api/v1/launch", Self.session)
    #expect(try service.ask("/api/v1/launch", Self.session).explanation.contains("does not de-duplicate"))
    #expect(try service.journal().last?["query"]?.contains(#""a":"REDACTED""#) == true)
    #expect(try service.ask("/api/v1/launch", Self.session, fault: "status-503").status == 503)
    #expect(try service.ask("/api/v1/launch", Self.session, method: "PUT").allow == "GET, POST")
  }
}

extension TestService {
  fileprivate func post(_ path: String, _ body: String, type: String? = nil) throws -> HTTPReply {
    try ask(path, method: "POST", body: body, type: type)
  }
}
