import SKANBase
import SKANHTTP
import Testing

@testable import SKANServe

@Suite("The live page: what it keeps")
struct PageMemoryTests {
  private static let limit = 20

  /// Asks as many phones, each once, with a page open.
  private func ask(_ phones: Range<Int>, _ service: TestService, _ stream: Int) throws {
    for phone in phones {
      let query = TestService.v2.replacing("IDFV-1", with: "IDFV-\(phone)")
        .replacing("com.example.app", with: "com.example.\(phone)")
      _ = try service.ask("/api/v2/conversion_value", query)
      if phone % 7 == 0 { _ = service.part(stream) }
    }
  }

  @Test("What the page remembers is bounded by the journal, however many phones and apps come") func whatPage() throws {
    let service = try TestService(hasPage: true, phoneLimit: 10, journalLimit: Self.limit)
    // While no page is open it looks at nothing.
    try ask(0..<30, service, -1)
    #expect(service.pageSize == 0)
    let stream = try #require(try service.ask("/events").stream)
    try ask(0..<500, service, stream)
    let size = service.pageSize
    #expect(size > 0 && size <= 10 * Self.limit)
    try ask(500..<4_000, service, stream)
    #expect(service.pageSize <= size + 5 * Self.limit)
    // It still knows the last phones, and no others.
    _ = service.part(stream)
    let known = "app=com.example.3999&id=IDFV-3999"
    #expect(try service.ask("/page/phone", known).status == 200)
    #expect(try service.ask("/page/phone", "app=com.example.5&id=IDFV-5").status == 404)
    #expect(try service.ask("/page/list").text.split(separator: "\n").count >= Self.limit)
  }

  @Test("A reply that takes long is made on another thread, from what was kept when its turn came") func replyTakes()
    throws
  {
    let service = try TestService(hasPage: true, journalLimit: Self.limit)
    for phone in 0..<3 {
      _ = try service.ask("/api/v2/conversion_value", TestService.v2.replacing("IDFV-1", with: "IDFV-\(phone)"))
    }
    let paths = OpenAPI.pagePaths.map(\.key)
    let later = try paths.filter { path in
      try service.ask(path, "app=com.example.app&id=IDFV-1", flushes: false).late != nil
    }
    #expect(later == ["/page/phone", "/page/list", "/page/svg", "/page/report"])
    // They are made one after the other; those that wait are not too many.
    let service2 = try TestService(hasPage: true)
    let replies = try (0...PageJobs.most).map { _ in try service2.ask("/page/list", flushes: false) }
    #expect(replies.dropLast().allSatisfy { $0.late != nil } && replies.last?.status == 503)
  }

  @Test("In one turn it looks at few lines, and catches up over several") func oneTurn() throws {
    let service = try TestService(hasPage: true)
    let count = PageFeed.mostInTurn * 4 + 10
    for number in 0..<count {
      _ = try service.ask("/api/v1/launch", "a=K&p=iOS&i=x&idfv=V&n=\(number)", flushes: false)
    }
    let stream = try #require(try service.ask("/events", flushes: false).stream)
    // A part has at most what the turns so far have looked at: that in which the page was opened, and one for each part.
    let counts = (1...8).map { _ in service.part(stream).ranges(of: "event: line").count }
    #expect(counts.reduce(0, +) == count)
    for parts in 1...8 {
      #expect(counts.prefix(parts).reduce(0, +) <= (parts + 1) * PageFeed.mostInTurn, "\(counts)")
    }
    #expect(try service.ask("/page/phone", "app=x&id=V").status == 200)
  }
}
