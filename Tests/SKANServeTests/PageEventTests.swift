import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANReceive
import Testing

@testable import SKANServe
@testable import SKANTraffic

@Suite("The live page: its events")
struct PageEventTests {
  private let service: TestService

  init() throws { service = try TestService(hasPage: true) }

  private func open(after last: String? = nil) throws -> Int {
    try #require(service.ask("/events", lastEvent: last).stream)
  }

  private func identifiers(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("id: ") }.map { String($0.dropFirst(4)) }
  }

  @Test("A page gets what is kept, then each request as it comes") func pageGets() throws {
    _ = try service.askV2()
    let stream = try open()
    let first = service.part(stream)
    #expect(
      first.hasPrefix("event: reset\n") && first.contains("event: line\n") && first.contains("event: trouble\ndata: []")
    )
    #expect(service.part(stream) == "")
    _ = try service.askV2()
    let next = service.part(stream)
    #expect(next.components(separatedBy: "event: ").count == 2 && next.hasSuffix("\n\n"))
    let data = try #require(next.split(separator: "\n").first { $0.hasPrefix("data: ") }).dropFirst(6)
    let event = try JSONReader.read(Array(data.utf8)).value
    #expect(event["n"] == "2" && event["phone"] == #"{"app":"com.example.app","id":"IDFV-1","kind":"idfv"}"#)
    #expect(event.member("line") == (try service.journal().last))
  }

  @Test("The key is in none of it") func keyNone() throws {
    _ = try service.askV2()
    _ = try service.ask("/api/v1/launch", "a=SECRET&p=iOS&i=com.example.app&idfv=IDFV-1")
    let stream = try open()
    var all = service.part(stream)
    let phone = "app=com.example.app&kind=idfv&id=IDFV-1"
    for path in ["/page/phone", "/page/list", "/page/svg", "/page/report"] { all += try service.ask(path, phone).text }
    #expect(all.contains("REDACTED") && !all.contains("SECRET"))
  }

  @Test(
    "An identifier of another run, or of what is not kept, gets all that is",
    arguments: ["other-1", "RUN-99", "RUN-", "RUN", ""])
  func identifierAnother(last: String) throws {
    _ = try service.askV2()
    let run = try #require(identifiers(service.part(try open())).first?.split(separator: "-").first)
    let text = service.part(try open(after: last.replacing("RUN", with: run)))
    #expect(text.hasPrefix("event: reset") && identifiers(text) == ["\(run)-0", "\(run)-1"])
  }

  @Test("A request that comes before earlier ones of its phone are answered names them, by the server's clock")
  func together() throws {
    let service = try TestService(hasPage: true, latency: 2)
    // The server's time, the phone, and the numbers of its requests that are still under way.
    let asked: [(at: Double, phone: String, together: [Int])] = [
      (0, "A", []), (1, "B", []), (1.999_999, "A", [1]), (2, "A", [3]), (2.5, "A", [3, 4]), (2.6, "B", [2]),
      (4.5, "A", []), (4.6, "report of A", [7]), (20, "A", []),
    ]
    for (index, request) in asked.enumerated() {
      service.seconds = request.at
      let time = "\(TestService.start + Int64(index) * 3600)"
      if request.phone.hasPrefix("report") {
        _ = try service.ask("/api/v1/launch", "a=SECRET&p=iOS&i=com.example.app&idfv=IDFV-A", time: time)
      } else {
        let query = TestService.v2.replacing("IDFV-1", with: "IDFV-\(request.phone)")
        _ = try service.ask("/api/v2/conversion_value", query, time: time)
      }
    }
    // One answer is late on demand, besides the latency.
    let phone = #"{"app":"com.example.app","id":"IDFV-C","kind":"idfv"}"#
    _ = try service.ask(
      "/page/trouble", method: "POST", site: RequestSite(host: "localhost", origin: "http://localhost"),
      body: #"{"delay":7,"phone":\#(phone)}"#,
      type: "application/json")
    let late = TestService.v2.replacing("IDFV-1", with: "IDFV-C")
    for at in [30, 38.9, 39, 41.0] {
      service.seconds = at
      _ = try service.ask("/api/v2/conversion_value", late)
    }
    let stream = try #require(service.ask("/events").stream)
    let data = service.part(stream).split(separator: "\n").filter { $0.contains(#""line":"#) }
    let found: [String?] = try data.map { try JSONReader.read(Array($0.dropFirst(6).utf8)).value["together"] }
    let wanted: [String?] = (asked.map(\.together) + [[], [10], [11], []]).map { numbers in
      "[\(numbers.map { "\($0)" }.joined(separator: ","))]"
    }
    #expect(found == wanted)
  }

  @Test("More pages than are served at a time") func morePages() throws {
    let streams = try (0..<PageStreams.most).map { _ in try open() }
    #expect(try service.ask("/events").status == 503)
    service.close(streams[0])
    _ = try open()
  }

  @Test("A finding comes with the request that reveals it, and names the one that it is about") func findingComes()
    throws
  {
    _ = try service.ask("/api/v2/conversion_value", TestService.v2.replacing("__SESSION__", with: "é"))
    let text = service.part(try open())
    #expect(text.contains(#""n":1,"parameters":["n"],"rule":"parameter-form""#), "\(text)")
  }
}
