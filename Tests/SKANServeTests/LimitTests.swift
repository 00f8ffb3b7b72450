import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import SKANReceive
import SKANSigning
import Synchronization
import TestSupport
import Testing

@testable import SKANServe
@testable import SKANTraffic

@Suite("Both sides of every limit")
struct LimitTests {
  @Test("They are what the manual says") func theyWhat() {
    #expect(ReferenceService.phoneLimit == 100_000 && Journal.limit == 10_000 && Journal.byteLimit == 8 * 1_048_576)
    #expect(
      PageStreams.most == 32 && PageFeed.mostInTurn == 500 && PageJobs.most == 64 && PageLife.mostRequests == 2000)
    #expect(PagePostbacks.most == 500 && Troubles.most == 100 && Troubles.longestDelay == 600)
  }

  @Test("Pages, trouble, the lines of a part, and the name of a parameter") func pagesTrouble() throws {
    let page = RequestSite(host: "localhost", origin: "http://localhost")
    try expectLimit(32, "pages") { count in
      let service = try TestService(hasPage: true)
      return try (0..<count).allSatisfy { _ in try service.ask("/events").stream != nil }
    }
    try expectLimit(100, "troubles") { count in
      let service = try TestService(hasPage: true)
      return try (0..<count).allSatisfy { _ in
        try service.ask("/page/trouble", method: "POST", site: page, body: #"{"delay":600}"#).status == 200
      }
    }
    try expectLimit(1000, "lines") { count in
      let service = try TestService(hasPage: true)
      for _ in 0..<count { _ = try service.ask("/none", flushes: false) }
      let stream = try #require(try service.ask("/events").stream)
      let parts = (0..<3).map { _ in service.part(stream).ranges(of: "event: line").count }
      #expect(parts == [min(count, 1000), max(0, count - 1000), 0])
      return parts[0] == count
    }
    try expectLimit(100, "characters") { count in
      let name = String(repeating: "x", count: count)
      return try TestService().ask("/api/v2/conversion_value", "\(name)=%").text.contains("\\\"\(name)\\\"")
    }
  }

  @Test("A part of a stream has lines up to a mebibyte, and one more") func partStream() throws {
    let service = try TestService(hasPage: true)
    let long = String(repeating: "x", count: 400_000)
    for _ in 0..<4 { _ = try service.ask("/none", "n=\(long)") }
    let stream = try #require(try service.ask("/events").stream)
    #expect((0..<3).map { _ in service.part(stream).ranges(of: "event: line").count } == [3, 1, 0])
  }

  @Test("An identifier of a run of another name and the same length is another's") func identifierRun() throws {
    let service = try TestService(hasPage: true)
    _ = try service.askV2()
    let text = service.part(try #require(try service.ask("/events").stream))
    let run = try #require(text.firstMatch(of: /id: (\w+)-1/)).1
    let other = String(run.dropLast()) + (run.last == "x" ? "y" : "x")
    for (id, resets) in [("\(run)-1", false), ("\(other)-1", true)] {
      let stream = try #require(try service.ask("/events", lastEvent: id).stream)
      #expect(service.part(stream).contains("event: reset") == resets, "\(id)")
    }
  }

  @Test("An answer's JSON is laid out up to 64 KiB, with an indent of 16 levels at most") func answerJSON() {
    for (count, isLaidOut) in [(65_536, true), (65_537, false)] {
      let text = "[\"\(String(repeating: "x", count: count - 4))\"]"
      #expect(PageRequest.shown(text).hasPrefix("[\n") == isLaidOut)
    }
    for depth in [15, 16, 17, 18] {
      let shown = PageRequest.shown(String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth))
      let lines: [String] = shown.components(separatedBy: "\n")
      let indents = lines.map { $0.utf8.prefix(while: { $0 == 0x20 }).count }
      #expect(indents.max() == 2 * min(depth, 16) && indents.count == 2 * depth + 1)
    }
  }

  @Test("Of more than two thousand requests no life is drawn") func moreThan() throws {
    let service = try TestService(hasPage: true)
    let phone = "app=com.example.app&id=IDFV-1"
    for _ in 0...PageLife.mostRequests { _ = try service.askV2(flushes: false) }
    #expect(try service.ask("/page/svg", phone).status == 404)
    #expect(try service.ask("/page/phone", phone).text.contains("no life is drawn of more than 2000"))
    #expect(try !service.ask("/page/report").text.contains("<svg"))
  }

}
