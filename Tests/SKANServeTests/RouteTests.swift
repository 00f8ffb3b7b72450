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
