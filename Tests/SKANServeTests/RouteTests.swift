import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANServe

@Suite("Paths of the reference service")
struct RouteTests {
  @Test(
    "Paths that there are not",
    arguments: ["/", "", "/api", "/api/v3/conversion_value", "/api/v2/conversion_value/", "/API/v2/conversion_value"])
  func notFound(path: String) throws {
    let service = try TestService()
    let reply = try service.ask(path, "a=SECRET&n=x")
    #expect(reply.status == 404)
    #expect(reply.text.contains("no such path; there are /api/v1/conversion_value"))
    let line = try #require(try service.journal().first)
    #expect(line["path"] == path && line["status"] == "404" && line["query"] == #"{"a":"REDACTED","n":"x"}"#)
  }

  @Test(
    "Methods that a path has not",
    arguments: [
      ("/api/v1/conversion_value", "GET"), ("/api/v2/conversion_value", "GET"),
      ("/testing/api/v1/conversion_value", "GET"), ("/healthz", "GET"), ("/journal", "GET, DELETE"),
    ], ["POST", "PUT", "PATCH", "OPTIONS", "get", "DELETE"])
  func methods(path: (name: String, allow: String), method: String) throws {
    let service = try TestService()
    let reply = try service.ask(path.name, TestService.v2, method: method)
    if path.name == "/journal", method == "DELETE" {
      #expect(reply.status == 204 && reply.body == [] && reply.allow == nil)
    } else {
      #expect(reply.status == 405)
      #expect(reply.allow == path.allow)
      #expect(reply.text == #"{"reason":"\#(path.name) takes \#(path.allow)","status":"error"}"#)
    }
    let isKept = path.name.contains("conversion_value")
    #expect(try service.journal().map { $0["method"] } == (isKept ? [method] : []))
    #expect(try service.journal().allSatisfy { $0["status"] == "405" && $0["explanation"] == "\(path.name) takes GET" })
  }

  @Test("HEAD of what changes nothing is a GET", arguments: ["/healthz", "/journal"])
  func head(path: String) throws {
    let service = try TestService()
    #expect(try service.ask(path, method: "HEAD") == service.ask(path))
  }

  @Test("Health counts the phones")
  func health() throws {
    let service = try TestService()
    #expect(try service.ask("/healthz").text == #"{"phones":0,"status":"ok"}"#)
    _ = try service.askV2()
    _ = try service.askV2()
    _ = try service.ask("/api/v1/conversion_value", TestService.v1.replacing("IDFV-1", with: "IDFV-2"))
    #expect(try service.ask("/healthz").text == #"{"phones":2,"status":"ok"}"#)
  }

  @Test("v1 and v2 answer by the model, and count each phone")
  func model() throws {
    let service = try TestService()
    let first = try service.askV2()
    #expect(first.status == 200)
    #expect(first.contentType == "application/json")
    #expect(
      first.text
        == #"{"conversion_value":1,"postback_sequence_index":0,"skan_updated_coarse_value":0,"status":"ok"}"#)
    #expect(try service.askV2().text.contains(#""conversion_value":2,"#))
    let other = TestService.v2.replacing("IDFV-1", with: "IDFV-2")
    #expect(try service.ask("/api/v2/conversion_value", other).text.contains(#""conversion_value":1,"#))
    let v1 = TestService.v1.replacing("IDFV-1", with: "IDFV-3")
    #expect(try service.ask("/api/v1/conversion_value", v1).text == #"{"conversion_value":1,"status":"ok"}"#)
  }

  @Test("Documented errors come with status 200", arguments: ["/api/v1/conversion_value", "/api/v2/conversion_value"])
  func errors(path: String) throws {
    let reply = try TestService().ask(path, "p=Android")
    #expect(reply.status == 200)
    #expect(reply.text == #"{"reason":"Unknown platform error","status":"error"}"#)
    let query = path.contains("v1") ? TestService.v1 : TestService.v2
    #expect(
      try TestService(hasModel: false).ask(path, query).text.contains(
        "Conversion model not found for app: com.example.app"))
  }

  @Test("The test endpoint counts by idfv, or by address when there is none")
  func testing() throws {
    let service = try TestService(hasModel: false)
    let bodies = { (query: String, peer: String) in
      try (0..<5).map { _ in try service.ask("/testing/api/v1/conversion_value", query, peer: peer).text }
    }
    let expected = (0...2).map { #"{"conversion_value":\#($0),"status":"ok"}"# } + ["", ""]
    #expect(try bodies("idfv=A", "10.0.0.1") == expected)
    #expect(try bodies("idfv=B", "10.0.0.1") == expected)
    #expect(try bodies("", "10.0.0.1") == expected)
    #expect(try bodies("idfv=", "10.0.0.2") == expected)
    #expect(try bodies("idfv=A", "10.0.0.3") == Array(repeating: "", count: 5))
    #expect(try bodies("n=x", "10.0.0.1") == Array(repeating: "", count: 5))
    // These are no phones of a model.
    #expect(try service.ask("/healthz").text.contains("\"phones\":0"))
  }
}

@Suite("What the reference service says beside its answers")
struct ReplyExplanationTests {
  @Test("HEAD is answered as GET would be, and counts nothing")
  func head() throws {
    let service = try TestService()
    let body = try service.askV2(method: "HEAD").body
    for _ in 0..<3 { #expect(try service.askV2(method: "HEAD").body == body) }
    #expect(try service.ask("/healthz").text == #"{"phones":0,"status":"ok"}"#)
    #expect(try service.askV2().body == body)
    #expect(try service.askV2(method: "HEAD").text.contains(#""conversion_value":2,"#))
    #expect(try service.askV2().text.contains(#""conversion_value":2,"#))
    #expect(try service.journal().first?["explanation"]?.hasSuffix(" A HEAD request counts nothing.") == true)
    #expect(try service.journal().map { $0["method"] }.prefix(5) == ["HEAD", "HEAD", "HEAD", "HEAD", "GET"])
    let testing = { try service.ask("/testing/api/v1/conversion_value", "idfv=A", method: $0).text }
    for method in ["HEAD", "HEAD", "GET"] { #expect(try testing(method).contains(#""conversion_value":0,"#)) }
    #expect(try testing("HEAD").contains(#""conversion_value":1,"#))
  }

  @Test("HEAD uses up no answer of the script, and is none of the requests that count")
  func scripted() throws {
    let service = try TestService(script: [.response(status: 500, body: Array("one".utf8))])
    for _ in 0..<2 { #expect(try service.askV2(method: "HEAD").status == 500) }
    #expect(try service.askV2(method: "HEAD").isCounted == false)
    let reply = try service.askV2()
    #expect(reply.status == 500 && reply.isCounted)
    #expect(try service.askV2().status == 200)
    for path in ["/healthz", "/journal"] { #expect(try service.ask(path).isCounted == false) }
    #expect(try service.ask("/nowhere").isCounted)
  }

  @Test("A request like the one before of the same phone gets a note")
  func retry() throws {
    let service = try TestService()
    let note = "The previous request was the same: a retry counts as another event."
    let other = TestService.v2.replacing("IDFV-1", with: "IDFV-2")
    let queries = [TestService.v2, TestService.v2, other, TestService.v2, TestService.v2 + "&x=1", TestService.v2]
    for query in queries { _ = try service.ask("/api/v2/conversion_value", query) }
    #expect(
      try service.journal().map { $0["explanation"]?.hasSuffix(note) } == [false, true, false, true, false, false])
  }

  @Test("A phone of another time learns of the header")
  func clock() throws {
    let service = try TestService()
    let query = TestService.v2.replacing("\(TestService.start)", with: "1510090877")
    let reply = try service.ask("/api/v2/conversion_value", query)
    #expect(reply.explanation.contains("The server's clock says 2026-01-01T00:00:00Z."))
    #expect(reply.explanation.hasSuffix("such as the request's own last call, X-SKAN-Device-Time: 1510090877."))
    #expect(try service.ask("/api/v2/conversion_value", query, time: "1510090877").text.contains(#""status":"ok""#))
    // A client that sends a time knows the header.
    let reported = try service.ask("/api/v2/conversion_value", query, time: "1610090877")
    #expect(reported.text.contains("window is closed") && !reported.explanation.contains("X-SKAN-Device-Time"))
  }

  @Test(
    "Names under which the key is likely to be sent by mistake",
    arguments: ["A", "a%5B%5D", "a[]", "sdk_key", "SDK-Key", "sdkKey", "api_key", "key"])
  func keys(name: String) throws {
    let service = try TestService()
    _ = try service.ask("/api/v2/conversion_value", "n=x&\(name)=SECRET&app=SHOWN")
    let text = try service.ask("/journal").text
    #expect(!text.contains("SECRET") && text.contains("REDACTED") && text.contains("SHOWN"))
  }

  @Test(
    "As a header: one line of ASCII",
    arguments: [
      ("value 1 → 2", "value 1 -> 2"), ("a\r\nb\u{7F}", #"a\u{D}\u{A}b\u{7F}"#), ("é😀", #"\u{E9}\u{1F600}"#), ("", ""),
    ])
  func headerText(text: String, expected: String) throws {
    var headers: HTTPFields = []
    headers.append("Short", ascii: Array(text.utf8))
    headers.append("Long", ascii: Array(String(repeating: text, count: 2000).utf8))
    #expect(headers["Short"] == expected)
    #expect(try #require(headers["Long"]).utf8.count <= 1020)
  }
}

@Suite("/openapi.json")
struct OpenAPITests {
  @Test(
    "Every path and method of the service is described, and no other", arguments: [false, true], [false, true])
  func paths(takesPostbacks: Bool, hasPage: Bool) throws {
    let keeper = PostbackKeeper(receive: { _, _ in { .kept(verdict: "") } }, commit: {})
    let service = try TestService(postbacks: takesPostbacks ? keeper : nil, hasPage: hasPage)
    let text = try service.ask("/openapi.json")
    #expect(text.status == 200 && text.contentType == "application/json")
    let document = try JSONReader.read(text.body).value
    guard case .object(let paths)? = document.member("paths") else {
      Issue.record("no paths")
      return
    }
    // The list of a message about an unknown path, which leaves out the page's own.
    let known = try service.ask("/nowhere").text
    let ofPage = Set(OpenAPI.pagePaths.map(\.key))
    for (path, item) in paths {
      #expect(known.contains(path) || ofPage.contains(path))
      guard case .object(let methods) = item else { continue }
      let allowed = try #require(service.ask(path, method: "PATCH").allow).components(separatedBy: ", ")
      #expect(Set(allowed) == Set(methods.map { $0.key.uppercased() }), "\(path)")
    }
    #expect(paths.count == known.components(separatedBy: " /").count - 1 + (hasPage ? ofPage.count : 0))
  }

  @Test func `The phone's clock may have a fraction, as skan sends it`() throws {
    let text = try TestService().ask("/openapi.json").text
    let parts = text.split(separator: #""name":"X-SKAN-Device-Time","#)
    #expect(parts.count > 5)
    for part in parts.dropFirst() {
      #expect(
        part.contains(/^"schema":\{"maximum":253402300799,"minimum":-62135596800,"type":"number"\}/),
        "\(part.prefix(200))")
    }
    #expect(try TestService().askV2(time: "1767225600.5").text.contains(#""status":"ok""#))
  }

  @Test("Answers are as they are described")
  func answers() throws {
    let service = try TestService()
    let schemas = try #require(OpenAPI.document(withPostbacks: true).member("components")?.member("schemas"))
    for (text, name) in [
      (try service.askV2().text, "Values"), (try service.ask("/api/v1/launch", "a=K&p=iOS&i=x&idfv=V").text, "Taken"),
      (try service.ask("/api/v1/launch").text, "Error"), (try service.ask("/healthz").text, "Health"),
    ] {
      guard case .object(let members) = try JSONReader.read(Array(text.utf8)).value,
        case .object(let properties)? = schemas.member(name)?.member("properties")
      else {
        Issue.record("no object")
        continue
      }
      #expect(Set(members.map(\.key)).isSubset(of: properties.map(\.key)), "\(name)")
    }
  }
}

extension JSON {
  /// A member of an object.
  func member(_ name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == name }?.value
  }
}

extension Fault {
  fileprivate func applied(to body: String) -> String { String(decoding: applied(to: Array(body.utf8)), as: UTF8.self) }
}

@Suite("Faults on demand")
struct FaultTests {
  private let body = #"{"conversion_value":7,"status":"ok","skan_updated_coarse_value":1,"postback_sequence_index":0}"#

  /// The body with one member changed: sorted names.
  private static func changed(value: String? = "7", coarse: String? = "1", lock: String? = nil, index: Int = 0)
    -> String
  {
    let members = [
      ("conversion_value", value), ("postback_sequence_index", "\(index)"), ("skan_updated_coarse_value", coarse),
      ("skan_updated_lock_window_value", lock), ("status", "\"ok\""),
    ]
    return "{" + members.compactMap { name, text in text.map { "\"\(name)\":\($0)" } }.joined(separator: ",") + "}"
  }

  private static let table: [(name: String, body: String)] = [
    ("illegal-values", changed(value: "64")), ("value-negative", changed(value: "-1")),
    ("value-fraction", changed(value: "1.7")), ("value-boolean", changed(value: "true")),
    ("value-string", changed(value: "\"5\"")), ("value-text", changed(value: "\"abc\"")),
    ("value-null", changed(value: "null")), ("value-array", changed(value: "[]")),
    ("value-object", changed(value: "{}")), ("value-beyond-32-bits", changed(value: "4294967297")),
    ("no-value", changed(value: nil)), ("illegal-coarse", changed(coarse: "3")),
    ("coarse-fraction", changed(coarse: "1.9")), ("coarse-boolean", changed(coarse: "true")),
    ("coarse-string", changed(coarse: "\"1\"")), ("coarse-text", changed(coarse: "\"high\"")),
    ("coarse-null", changed(coarse: "null")), ("coarse-array", changed(coarse: "[]")),
    ("coarse-object", changed(coarse: "{}")), ("coarse-beyond-32-bits", changed(coarse: "4294967296")),
    ("no-coarse", changed(coarse: nil)), ("lock", changed(lock: "true")), ("lock-number", changed(lock: "1")),
    ("lock-string", changed(lock: "\"YES\"")), ("lock-null", changed(lock: "null")),
    ("lock-array", changed(lock: "[]")), ("lock-object", changed(lock: "{}")),
    ("index-mismatch", changed(index: 2)), ("status-not-string", #"{"status":1}"#),
    ("status-null", #"{"status":null}"#), ("server-error", #"{"reason":"fault on demand","status":"error"}"#),
    ("array", "[]"), ("empty", ""), ("fragment", "5"), ("html", "<html></html>"),
    ("trailing-garbage", #"{"conversion_value":1}x"#), ("truncated-json", #"{"conversion_value":"#),
  ]

  @Test("Each name makes its body", arguments: table)
  func bodies(name: String, expected: String) throws {
    #expect(try #require(Fault(name)).applied(to: body) == expected)
  }

  @Test("The table has every name but those that spoil the bytes, each once")
  func complete() {
    let names = Fault.named.map(\.name)
    #expect(names == Self.table.map(\.name) + ["close", "truncated", "not-http"])
    #expect(Set(names).count == names.count)
  }

  @Test(
    "What goes wrong on the way leaves the body",
    arguments: [
      ("close", .close), ("truncated", .truncated), ("not-http", .notHTTP), ("status-200", .status(200)),
      ("status-404", .status(404)), ("status-503", .status(503)), ("status-599", .status(599)),
    ] as [(String, Fault)])
  func onTheWay(name: String, fault: Fault) {
    #expect(Fault(name) == fault)
    #expect(fault.applied(to: body) == body)
  }

  @Test(
    "Names that are none",
    arguments: [
      "", "x", "Illegal-Values", "illegal_values", "illegal-values ", "status-", "status-199", "status-600",
      "status--5",
      "status-x", "status-99999999999999999999", "503",
    ])
  func unknown(name: String) { #expect(Fault(name) == nil) }

  @Test(
    "An answer without a value gets one, unless it is the value that is at fault",
    arguments: ["lock", "illegal-coarse"])
  func addsValue(name: String) throws {
    let changed = try #require(Fault(name)).applied(to: #"{"reason":"x","status":"error"}"#)
    #expect(changed.hasPrefix(#"{"conversion_value":1,"#))
    #expect(try #require(Fault("no-value")).applied(to: #"{"status":"error"}"#) == #"{"status":"error"}"#)
    #expect(try #require(Fault(name)).applied(to: "") == "")
  }
}
