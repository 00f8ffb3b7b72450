import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANTraffic

@Suite("A line of the journal")
struct JournalEntryReaderTests {
  private func line(_ members: String) -> String {
    #"{"answer":"{}","at":1767225600.5,"explanation":"",\#(members),"status":200}"#
  }

  @Test("Parameters are escaped again, forms as well")
  func requests() throws {
    let captured = try Captured(
      line(#""body":{"n":"c+d","sdid":"x y"},"method":"POST","path":"/api/v2/evt","query":{}"#) + "\n"
        + line(#""method":"GET","path":"/api/v1/evt","query":{"a":"REDACTED","n":"a&b+c"}"#))
    #expect(captured.problems == [])
    #expect(String(decoding: captured.requests[0].request.body, as: UTF8.self) == "n=c%2Bd&sdid=x%20y")
    #expect(captured.requests[0].request.headers["Content-Type"] == "application/x-www-form-urlencoded")
    #expect(captured.requests[1].request.target.text == "http://localhost/api/v1/evt?a=REDACTED&n=a%26b%2Bc")
    #expect(captured.requests[1].at == Instant(unixSeconds: 1_767_225_600.5))
    #expect(captured.requests[1].answer == .response(status: 200, body: Array("{}".utf8)))
  }

  @Test("Other paths, and what was not HTTP, are counted")
  func others() throws {
    let captured = try Captured(
      line(#""method":"GET","path":"/favicon.ico","query":{}"#) + "\n"
        + line(#""method":null,"path":null,"query":null"#) + "\n"
        + line(#""method":"HEAD","path":"/api/v1/evt","query":{}"#))
    #expect(captured.tally.others == ["other paths": 2, "not HTTP": 1])
  }

  @Test("Other lines are problems")
  func problems() throws {
    let captured = try Captured(line(#""method":"GET","path":"/api/v1/evt","query":{}"#) + "\n{}\nx\n")
    #expect(
      captured.problems == [
        "2:2: this is not a line of a journal",
        "3:3: the line is not JSON: expected a value: an object, array, string, number, true, false or null",
      ])
  }

  @Test(
    "What the server could not read is not taken for nothing",
    arguments: [
      (#""method":"GET","path":"/api/v1/evt","query":null"#, "%", ""),
      (#""method":"GET","path":"/api/v1/evt","query":5"#, "%", ""),
      (#""method":"GET","path":"/api/v1/evt","query":{}"#, nil, ""),
      (#""body":null,"method":"POST","path":"/api/v2/evt","query":{"n":"a"}"#, "n=a", "%"),
      (#""body":"{}","method":"POST","path":"/api/v2/evt","query":{"n":7,"p":null}"#, "n&p", "{}"),
    ] as [(String, String?, String)])
  func unreadable(members: String, query: String?, body: String) throws {
    let request = try #require(try Captured(line(members)).requests.first?.request)
    #expect(request.query == query)
    #expect(String(decoding: request.body, as: UTF8.self) == body)
  }

  @Test("A line without a time is a problem", arguments: ["", #""at":"now","#, #""at":null,"#])
  func withoutTime(at: String) throws {
    let text = #"{"answer":"{}",\#(at)"method":"GET","path":"/api/v1/evt","query":{},"status":200}"#
    #expect(try Captured(text).problems == ["1:1: \"at\" is not a time in Unix seconds"])
  }
}
