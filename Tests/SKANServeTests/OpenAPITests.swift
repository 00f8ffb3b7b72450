import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANServe

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

  @Test("The phone's clock may have a fraction, as skan sends it") func phoneClock() throws {
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
