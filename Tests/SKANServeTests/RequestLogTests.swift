import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANReceive
import SKANSigning
import TestSupport
import Testing

@testable import SKANServe

@Suite("A line for each request")
struct RequestLogTests {
  @Test("Time, phone, method, path, outcome, value, why")
  func line() throws {
    let service = try TestService()
    _ = try service.askV2(time: "1767225600")
    #expect(
      service.logged == "00:00:00.005  IDFV-1  GET /api/v2/conversion_value  200 ok  1 low  "
        + "__SESSION__ for the 1st time in P0, 0s after the first call: fine value 0 → 1, coarse low.\n")
  }

  @Test(
    "Answers: status, the answer's own status, the value",
    arguments: [
      (#"{"conversion_value":12,"skan_updated_coarse_value":2,"status":"ok"}"#, "200 ok  12 high  "),
      (
        #"{"conversion_value":0,"skan_updated_coarse_value":0,"skan_updated_lock_window_value":true,"status":"ok"}"#,
        "200 ok  0 low lock  "
      ), (#"{"conversion_value":"12","skan_updated_coarse_value":7}"#, "200  \"12\" 7  "),
      (#"{"reason":"no","status":"error"}"#, "200 error  -  "), (#"{"conversion_value":null}"#, "200  null  "),
      ("[]", "200  -  "), ("", "200  -  "), ("<html>", "200  -  "),
      (#"{"status":"a\nb"}"#, "200 a\\nb  -  "), (#"{"status":5}"#, "200  -  "),
    ])
  func answers(body: String, part: String) throws {
    let service = try TestService(script: [.response(status: 200, body: Array(body.utf8))])
    _ = try service.askV2()
    #expect(service.logged.contains("conversion_value  \(part)From the script of answers.\n"), "\(service.logged)")
  }

  @Test(
    "Faults and refusals",
    arguments: [
      ("close", "closed  -  "), ("not-http", "not HTTP  -  "), ("truncated", "200 ok, cut  1 low  "),
      ("status-503", "503 ok  1 low  "), ("nothing", "400 error  -  no fault \"nothing\"; known: "),
    ])
  func faults(name: String, part: String) throws {
    let service = try TestService()
    _ = try service.askV2(fault: name)
    #expect(service.logged.contains("conversion_value  \(part)"), "\(service.logged)")
  }

  @Test("A request without its current value is a finding")
  func currentValue() throws {
    let service = try TestService()
    let query = TestService.v2.replacing("&skan_current_conversion_value=0", with: "")
    #expect(try service.ask("/api/v2/conversion_value", query).explanation.hasSuffix(" [current-value-missing]"))
    #expect(service.logged.contains("IDFV-1  GET /api/v2/conversion_value  200 error  -  "))
  }

  @Test("Every path, also those that the journal leaves out, and clients without an identifier by their address")
  func paths() throws {
    let service = try TestService()
    for (path, method) in [("/healthz", "GET"), ("/nowhere", "GET"), ("/journal", "PUT"), ("/a b\n", "GET")] {
      _ = try service.ask(path, method: method, peer: "192.0.2.7")
    }
    let lines = service.logged.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.hasPrefix("00:00:00.005  192.0.2.7  ") })
    #expect(lines[0].hasSuffix("GET /healthz  200 ok  -"))
    #expect(lines[1].contains("GET /nowhere  404 error  -  no such path; there are "))
    #expect(lines[2].contains("PUT /journal  405 error  -  /journal takes "))
    #expect(lines[3].contains("GET /a b\\n  404 error"))
  }

  @Test("Reports of an app's server by the phone's identifier")
  func report() throws {
    let service = try TestService()
    _ = try service.ask("/api/v1/launch", "a=SECRET&p=iOS&i=com.example.app&idfv=IDFV-9&sdid=S-1")
    #expect(service.logged.hasPrefix("00:00:00.005  S-1  GET /api/v1/launch  200 "), "\(service.logged)")
    #expect(!service.logged.contains("SECRET"))
  }

  @Test("What was not HTTP")
  func broken() throws {
    let service = try TestService()
    service.record(.bareLineFeed, from: "::1")
    #expect(
      service.logged == "00:00:00.005  ::1  not HTTP  400  -  "
        + "A line of the request ends with a line feed that has no carriage return before it.\n")
  }

  @Test("Findings of an inspection follow the reason")
  func findings() throws {
    let service = try TestService(inspection: { _, _, _, _ in
      [InspectedFinding(rule: "r.one", level: "error", message: "It is wrong.")]
    })
    _ = try service.askV2()
    #expect(service.logged.hasSuffix("  [r.one] It is wrong.\n"))
  }

  @Test("The query, without the key, only when it is asked for")
  func query() throws {
    let service = try TestService(showsQueries: true)
    _ = try service.askV2()
    #expect(
      service.logged.contains("/api/v2/conversion_value?a=REDACTED&v=17.4&i=com.example.app"), "\(service.logged)")
    #expect(!service.logged.contains("SECRET"))
    _ = try service.ask("/nowhere", "A=SECRET&%61=SECRET&sdk_key=SECRET&x=%0A")
    #expect(!service.logged.contains("SECRET"), "\(service.logged)")
    #expect(service.logged.contains("&x=%0A"))
  }

  @Test(
    "Parts that stand out: the time, and how it went",
    arguments: [
      (#"{"conversion_value":12,"status":"ok"}"#, RequestLogPart.Kind.success, "200 ok"), ("[]", .success, "200"),
      (#"{"reason":"no","status":"error"}"#, .failure, "200 error"), (#"{"status":5}"#, .success, "200"),
    ])
  func parts(body: String, kind: RequestLogPart.Kind, text: String) throws {
    let service = try TestService(script: [.response(status: 200, body: Array(body.utf8))], marksParts: true)
    _ = try service.askV2()
    #expect(service.marked.map(\.text) == ["00:00:00.005", text] && service.marked.map(\.kind) == [.time, kind])
  }

  @Test("Parts of several lines at once, of refusals, faults and findings; none where they are not wanted")
  func partsOfMany() throws {
    let service = try TestService(
      inspection: { _, _, _, _ in [InspectedFinding(rule: "r.one", level: "error", message: "It is wrong.")] },
      marksParts: true)
    _ = try service.ask("/nowhere", flushes: false)
    _ = try service.askV2(fault: "truncated", flushes: false)
    _ = try service.askV2(fault: "close", flushes: false)
    service.record(.bareLineFeed, from: "::1")
    let shown = service.marked.filter { $0.kind != .time }.map { "\($0.kind) \($0.text)" }
    #expect(
      shown.filter { !$0.hasPrefix("finding") } == [
        "failure 404 error", "failure 200 ok, cut", "failure closed", "failure not HTTP  400",
      ])
    #expect(Set(shown.filter { $0.hasPrefix("finding") }) == ["finding [r.one]"])
    #expect(service.marked.count { $0.kind == .time } == 4)
    let plain = try TestService()
    _ = try plain.askV2()
    #expect(plain.marked.isEmpty)
  }
}
