import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANReceive
import Testing

@testable import SKANServe
@testable import SKANTraffic

@Suite("The live page: its data")
struct PageDataTests {
  private static let phone = "app=com.example.app&kind=idfv&id=IDFV-1"
  private let service: TestService

  init() throws { service = try TestService(hasPage: true) }

  @Test("A phone's life is its drawing and the list of its steps") func phoneLife() throws {
    _ = try service.askV2(time: "\(TestService.start + 60)")
    let life = try JSONReader.read(service.ask("/page/phone", Self.phone).body).value
    #expect(life["svg"]?.hasPrefix("<svg") == true && life["svg"]?.contains("<style") == false)
    let steps = try #require(life.member("steps")?.items)
    #expect(steps.map { $0["n"] } == ["null", "null", "1"])
    #expect(steps.last?["line"]?.contains(#""op":"session""#) == true)
  }

  @Test(
    "A drawing says what the requests do not tell",
    arguments: [("v=17.4", nil), ("v=eighteen", "drawn as 17.4"), ("x=", "drawn as 17.4")] as [(String, String?)])
  func drawingSays(version: String, note: String?) throws {
    _ = try service.ask("/api/v2/conversion_value", TestService.v2.replacing("v=17.4", with: version))
    let life = try JSONReader.read(service.ask("/page/phone", Self.phone).body).value
    #expect(life["note"]?.contains(note ?? "drawn as") == (note != nil), "\(life["note"] ?? "")")
  }

  @Test(
    "Phones that there are not",
    arguments: [
      ("/page/phone", "", 400, "name a phone"), ("/page/svg", "", 400, "name a phone"),
      ("/page/phone", "id=%zz", 400, "broken"), ("/page/phone", "kind=imei&id=a", 400, "idfv, idfa or sdid"),
      ("/page/phone", "app=com.example.app&id=IDFV-2", 404, "no request"), ("/page/list", "id=a", 404, "no request"),
      ("/page/request", "", 400, "name a request"), ("/page/request", "n=a", 400, "name a request"),
      ("/page/request", "n=%zz", 400, "name a request"), ("/page/request", "n=0", 404, "no request 0"),
      ("/page/request", "n=2", 404, "no request 2"), ("/page/request", "n=-9223372036854775808", 404, "no request"),
      ("/page/request", "n=9223372036854775807", 404, "no request"), ("/page/request", "n=1e3", 400, "name a request"),
      ("/page/list", "", 200, "\"op\":"), ("/page/report", "", 200, "<!DOCTYPE html>"),
      ("/page/postbacks", "", 404, "--postbacks FILE"),
    ])
  func phonesThere(path: String, query: String, status: Int, text: String) throws {
    _ = try service.askV2()
    let reply = try service.ask(path, query)
    #expect(reply.status == status && reply.text.contains(text), "\(reply.text)")
  }

  @Test("An answer that broke off is no answer in the phone's list", arguments: ["close", "truncated", "not-http"])
  func answerBroke(fault: String) throws {
    _ = try service.askV2(time: "\(TestService.start + 60)", fault: fault)
    let names = ["close": "closed", "truncated": "truncated", "not-http": "not-http"]
    #expect(try service.journal()[0]["fault"] == names[fault])
    #expect(
      try service.ask("/page/list", Self.phone).text.contains(#""answer":{"error":"the answer broke off on demand"#))
  }

  @Test("Files are named by what they are and their date") func filesNamed() throws {
    _ = try service.askV2()
    for (path, name) in [
      ("/page/list", "skan-phone-2026-01-01.jsonl"), ("/page/svg", "skan-phone-2026-01-01.svg"),
      ("/page/report", "skan-report-2026-01-01.html"),
    ] {
      let reply = try service.ask(path, path == "/page/report" ? "" : Self.phone)
      #expect(reply.response.headers["Content-Disposition"] == #"attachment; filename="\#(name)""#)
    }
  }

  @Test("Every parameter has a meaning and what is expected, and every fault an effect") func everyParameter() throws {
    for parameter in PageParameter.all { #expect(!parameter.meaning.isEmpty && !parameter.expected.isEmpty) }
    #expect(Set(PageParameter.all.map(\.name)).count == PageParameter.all.count)
    #expect(Set(Fault.named.map(\.fault.effect)).count == Fault.named.count)
  }

  @Test("Texts of phones are no markup in the report and in the drawing") func textsPhones() throws {
    let name = "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"
    let query = TestService.v2.replacing("n=__SESSION__", with: "n=\(name)").replacing("com.example.app", with: "a%1Bb")
    _ = try service.ask("/api/v2/conversion_value", query)
    let phone = "app=a%1Bb&kind=idfv&id=IDFV-1"
    for path in ["/page/report", "/page/svg"] {
      let text = try service.ask(path, phone).text
      #expect(!text.contains("<img") && !text.contains("\u{1B}"))
    }
  }
}
