import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANReceive
import Testing

@testable import SKANServe
@testable import SKANTraffic

@Suite("The live page: trouble on demand")
struct TroubleTests {
  private static let page = RequestSite(host: "localhost", origin: "http://localhost")
  private static let phone = #"{"app":"com.example.app","kind":"idfv","id":"IDFV-1"}"#
  private let service: TestService

  init() throws { service = try TestService(hasPage: true) }

  @discardableResult
  private func ask(_ body: String, method: String = "POST", _ query: String = "") throws -> HTTPReply {
    try service.ask("/page/trouble", query, method: method, site: Self.page, body: body)
  }

  private func conversion(_ idfv: String, method: String = "GET") throws -> HTTPReply {
    try service.ask(
      "/api/v2/conversion_value", TestService.v2.replacing("IDFV-1", with: idfv), method: method)
  }

  @Test("It reaches the next answer to its phone and no other") func reachesNext() throws {
    try ask(#"{"fault":"illegal-values","phone":\#(Self.phone)}"#)
    #expect(try conversion("IDFV-2").text.contains(#""conversion_value":1"#))
    #expect(try conversion("IDFV-1", method: "HEAD").text.contains(#""conversion_value":1"#))
    let reply = try conversion("IDFV-1")
    #expect(
      reply.text.contains(#""conversion_value":64"#) && reply.explanation.contains("Fault on demand: illegal-values."))
    #expect(try !conversion("IDFV-1").text.contains("64"))
    #expect(try ask("", method: "GET").text == "[]")
  }

  @Test("For no phone it reaches the next that asks; a delay is its own") func forNo() throws {
    try ask(#"{"delay":1.5}"#)
    #expect(try service.ask("/api/v1/launch", "a=K").delay == 0)
    #expect(try conversion("IDFV-2").delay == 1.5)
    #expect(try conversion("IDFV-2").delay == 0)
  }

  @Test("What is pending is answered in order, and can be taken back once") func whatPending() throws {
    try ask(#"{"fault":"empty"}"#)
    let reply = try ask(#"{"fault":"status-503"}"#)
    #expect(
      reply.text
        == #"[{"delay":0,"fault":"empty","id":1,"phone":null},{"delay":0,"fault":"status-503","id":2,"phone":null}]"#)
    #expect(try ask("", method: "DELETE", "id=1").status == 200)
    #expect(try ask("", method: "DELETE", "id=1").status == 404)
    #expect(try conversion("IDFV-1").status == 503)
  }

  @Test("It precedes a scripted answer's content, too") func precedesScripted() throws {
    let service = try TestService(script: [.response(status: 200, body: Array("{}".utf8))], hasPage: true)
    _ = try service.ask("/page/trouble", method: "POST", site: Self.page, body: #"{"fault":"array"}"#)
    #expect(try service.askV2().text == "[]")
  }

  @Test(
    "What is wrong is refused, with a reason",
    arguments: [
      ("", "JSON"), ("[]", "must be an object"), (#"{"fault":"ilegal-values"}"#, "did you mean illegal-values?"),
      (#"{"fault":"status-99"}"#, "no fault"), (#"{"fault":"status-600"}"#, "no fault"), (#"{"fault":5}"#, "fault"),
      (#"{}"#, "asks for nothing"), (#"{"delay":0}"#, "asks for nothing"), (#"{"delay":-1}"#, "0 to 600"),
      (#"{"delay":600.5}"#, "0 to 600"), (#"{"delay":"1"}"#, "delay"), (#"{"fault":"empty","fone":null}"#, "fone"),
      (#"{"fault":"empty","phone":"a"}"#, "phone"),
      (#"{"fault":"empty","phone":{"app":"a","kind":"imei","id":"b"}}"#, "kind"),
      (#"{"fault":"empty","phone":{"app":"a","kind":"idfv"}}"#, "id"),
    ])
  func whatWrong(body: String, reason: String) throws {
    let reply = try ask(body)
    #expect(reply.status == 400 && reply.text.contains(reason), "\(reply.text)")
    #expect(try ask("", method: "GET").text == "[]")
  }

}
