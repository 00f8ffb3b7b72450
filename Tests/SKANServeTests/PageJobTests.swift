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

@Suite("The live page: its answers that take long, and what it knows of phones")
struct PageJobTests {
  private final class Gate: Sendable {
    let isOpen = Atomic(false)
    let begun = Atomic(0)
  }

  /// A journal with a line for each phone.
  private func append(_ phone: Int, _ number: Int, to journal: Journal) {
    let request = HTTPRequest(
      target: HTTPTarget(path: "/api/v1/launch", query: "a=K&p=iOS&i=x&idfv=V\(phone)&n=\(number)"))
    let reply = ExplainedReply(200, Array(#"{"status":"ok"}"#.utf8))
    let line = JournalLine(
      request, query: SentParameters(request.query ?? ""), at: Instant(microseconds: Int64(number) * 1_000_000), reply)
    journal.append(line.writeLine)
  }

  @Test("They are made one after the other") func theyMade() throws {
    let journal = Journal(limit: 10, redactor: Redactor(key: nil), keep: nil)
    let jobs = PageJobs(journal, PageFeed(journal) { TrafficContext() })
    let gate = Gate()
    let replies = (0..<2).map { _ in
      jobs.add { _ in
        gate.begun.wrappingAdd(1, ordering: .relaxed)
        while !gate.isOpen.load(ordering: .acquiring) { usleep(500) }
        return ExplainedReply(200, [])
      }
    }
    for _ in 0..<20 {
      jobs.advance()
      usleep(500)
    }
    #expect(gate.begun.load(ordering: .relaxed) <= 1 && replies.allSatisfy { $0.late?.value == nil })
    gate.isOpen.store(true, ordering: .releasing)
    let areMade = TestTime.wait {
      jobs.advance()
      return replies.allSatisfy { $0.late?.value?.status == 200 }
    }
    #expect(areMade && gate.begun.load(ordering: .relaxed) == 2)
  }

  @Test("It knows the requests of the lines that are kept, and no others, after each line") func knowsRequests() throws
  {
    let limit = 6
    let journal = Journal(limit: limit, redactor: Redactor(key: nil), keep: nil)
    let feed = PageFeed(journal) { TrafficContext() }
    var generator = SplitMix64(seed: 4)
    var phones: [Int] = []
    for number in 0..<120 {
      // Some phones come once, and some again and again.
      phones.append(number % 3 == 0 ? 1_000 + number : Int.random(in: 0..<3, using: &generator))
      append(phones[number], number, to: journal)
      feed.beginTurn()
      feed.advance()
      let kept = max(0, phones.count - limit)..<phones.count
      let snapshot = feed.snapshot
      #expect(Set(snapshot.phones.map(\.id)) == Set(kept.map { "V\(phones[$0])" }), "\(number)")
      for phone in Set(phones) {
        let device = TrafficDevice(app: "x", kind: .idfv, id: "V\(phone)")
        let numbers = snapshot.requests(of: device).map { $0.location.entry - 1 }
        #expect(numbers == kept.filter { phones[$0] == phone }, "\(phone) after \(number)")
      }
      #expect(snapshot.requests(of: nil).map { $0.location.entry - 1 } == Array(kept))
    }
    #expect(feed.beginnings == 0 && feed.next == 121)
  }

  @Test("A model's values stand from the lowest to the highest, and those of one value in the file's order")
  func modelValues()
    throws
  {
    let text = #"""
      {"fine_grained_conversion_value_mappings":[
      {"fine_grained_conversion_value":9,"conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"nine"}]}},
      {"fine_grained_conversion_value":2,"conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"b"}]}},
      {"fine_grained_conversion_value":2,"conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"a"}]}},
      {"fine_grained_conversion_value":2,"conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"c"}]}}],
      "postback_mappings":[{"postback_sequence_index":1,"coarse_grained_conversion_value_mappings":
      {"low_conversion_value_mapping":{"mapped_events":[{"mapped_event_name":"a"}]}},"lock_window_event":"z"}]}
      """#
    let service = try TestService(
      models: ["com.example.app": try ConversionModel(Array(text.utf8))], hasModel: false, hasPage: true)
    let setup = try JSONReader.read(service.ask("/page/setup").body).value
    let values = try #require(setup.member("models")?.items?.first?.member("values")?.items)
    #expect(
      values.map { "\($0["kind"] ?? "") \($0["window"] ?? "") \($0["value"] ?? "")" } == [
        "fine 0 2", "fine 0 2", "fine 0 2", "fine 0 9", "coarse 1 low", "lock 1 lock",
      ])
    #expect(values.compactMap { $0["meaning"]?.prefix { $0 != " " } } == ["b", "a", "c", "nine", "a", "with"])
  }
}
