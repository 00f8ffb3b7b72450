import SKANHTTP
import SKANModel
import TestSupport
import Testing

@testable import SKANServe

@Suite("Spellings of what a server is asked")
struct SpellingTests {
  private static let page = RequestSite(host: "localhost", origin: "http://localhost")

  @Test(
    "A body of the page, whatever the spelling of its JSON",
    arguments: JSONSpelling.allCases.filter { $0 != .byteOrderMark })
  func trouble(spelling: JSONSpelling) throws {
    let service = try TestService(hasPage: true)
    for body in [
      #"{"delay":1.5,"fault":"status-503","phone":{"app":"com.example.app","id":"IDFV-1","kind":"idfv"}}"#,
      #"{"fault":"empty","delay":null,"phone":null}"#, #"{"delay":2}"#,
    ] {
      func pending(_ body: String) throws -> String {
        let reply = try service.ask("/page/trouble", method: "POST", site: Self.page, body: body)
        let all = try service.ask("/page/trouble").text
        if let id = all.firstMatch(of: /"id":(\d+)/)?.1 {
          _ = try service.ask("/page/trouble", "id=\(id)", method: "DELETE", site: Self.page)
        }
        return "\(reply.status) \(all.replacing(/"id":\d+/, with: ""))"
      }
      #expect(try pending(spelling.apply(body)) == pending(body))
    }
  }

  @Test("Headers in any case of their names, with a value, an empty one, and none")
  func headers() throws {
    let rows: [(name: String, value: String)] = [
      ("X-SKAN-Device-Time", "1767225700.5"), ("X-SKAN-Fault", "status-503"), ("Origin", "http://evil.example"),
      ("Sec-Fetch-Site", "cross-site"), ("Referer", "http://evil.example/"),
    ]
    /// The status of an answer, and its explanation.
    func answer(_ fields: [HTTPField]) throws -> String {
      let target = HTTPTarget(path: "/api/v2/conversion_value", query: TestService.v2)
      let all = [HTTPField("Host", "127.0.0.1:8787")] + fields
      let reply = try TestService().reply(to: HTTPRequest(target: target, headers: HTTPFields(all)))
      return "\(reply.status) \(reply.explanation)"
    }
    let none = try answer([])
    for (name, value) in rows {
      let plain = try answer([HTTPField(name, value)])
      #expect(plain != none, "\(name)")
      for name in [name.lowercased(), name.uppercased()] {
        #expect(try answer([HTTPField(name, value)]) == plain, "\(name)")
      }
      // What is empty is wrong, or nothing; it is never the value.
      #expect(try answer([HTTPField(name, "")]) != plain, "\(name)")
    }
  }

  @Test(
    "A report as a query or as a form, whatever is escaped in it and in whichever case",
    arguments: ["/api/v1/launch", "/api/v1/evt", "/api/v2/evt"])
  func reports(path: String) throws {
    let query = "a=K&p=iOS&i=com.example.app&idfv=IDFV-1&sdid=S_1&n=a%20b%2Fc&utime=1767225700"
    let spelled = [
      query, query.replacing("%2F", with: "%2f"), query.replacing("%20", with: "+"),
      query.replacing("com.example", with: "%63om%2eexample").replacing("S_1", with: "S%5f1"),
    ]
    /// The answer, and the line of the journal without the request's own form.
    func answer(_ query: String, _ form: String? = nil, type: String? = nil) throws -> String {
      let service = try TestService()
      let method = form == nil ? "GET" : "POST"
      let reply = try service.ask(path, query, method: method, body: form ?? "", type: type)
      let line = try #require(service.journal().first)
      // The journal keeps a form as it was sent.
      let body: String? = line["body"]
      let sent =
        form == nil ? line["query"] : body.map { "\(SentParameters($0)?.items.map { [$0.name, $0.value] } ?? [])" }
      return "\(reply.status) \(reply.text) \(line["explanation"] ?? "-") \(sent ?? "-") \(line["at"] ?? "")"
    }
    let plain = try answer("", query, type: "application/x-www-form-urlencoded")
    for query in spelled {
      for type in [
        nil, "application/x-www-form-urlencoded", "APPLICATION/X-WWW-FORM-URLENCODED",
        "application/x-www-form-urlencoded; charset=utf-8",
      ] { #expect(try answer("", query, type: type) == plain, "\(query) \(type ?? "")") }
    }
    if path != "/api/v2/evt" { for query in spelled { #expect(try answer(query) == answer(spelled[0]), "\(query)") } }
  }
}
