import SKANDevice
import SKANHTTP
import SKANSystem
import SKANRun
import Testing

@testable import SKANTraffic

@Suite("Requests in order of time")
struct CapturedTrafficTests {
  /// The entries in their order. Few are kept in memory, so that the others are read back from a file.
  private func order(_ requests: [(file: String, seconds: Int64?)], of format: CaptureFormat) throws -> [Int] {
    var traffic = CapturedTraffic(spool: SpoolFile(limit: 100))
    for (index, request) in requests.enumerated() {
      let location = CaptureLocation(file: request.file, entry: index + 1, line: 1)
      traffic.append(
        CapturedRequest(
          .get("https://s2s.singular.net/?\(index)"), at: request.seconds.flatMap { Instant(unixSeconds: $0) },
          location: location),
        of: format)
    }
    let ordered = try traffic.ordered()
    var found: [Int] = []
    try ordered.forEach({ $0 }) { request throws(FileError) in
      #expect(request.request.query == "\(request.location.entry - 1)")
      guard let index = ordered.index(of: request.location) else {
        Issue.record("no request at \(request.location)")
        return
      }
      #expect(try ordered.request(index) == request)
      found.append(request.location.entry - 1)
    }
    return found
  }

  @Test("Files that are out of order; equal times keep their order, and what has none stays behind the one before it")
  func sorted() throws {
    #expect(try order([("a", 5), ("a", nil), ("a", 1), ("b", 5), ("b", 2)], of: .har) == [2, 4, 0, 1, 3])
    #expect(try order([("a", nil), ("a", nil)], of: .urls) == [0, 1])
    #expect(try order([("a", nil), ("a", 5), ("b", nil), ("b", 1)], of: .har) == [0, 2, 3, 1])
  }

  @Test("A journal is in order, also of a phone whose clock was set back")
  func journal() throws {
    #expect(try order([("a", 5), ("a", 1), ("a", 9), ("b", 6)], of: .journal) == [0, 1, 3, 2])
  }

  @Test("A phone's own time is that of its request, and does not move it")
  func deviceTime() throws {
    var traffic = CapturedTraffic()
    for (entry, seconds) in [(1, 900), (2, 100), (3, 500)] {
      var request = CapturedRequest(
        .get("https://s2s.singular.net/"), at: Instant(unixSeconds: Int64(seconds)),
        location: CaptureLocation(file: "a", entry: entry, line: 1))
      request.recordedAt = Instant(unixSeconds: Int64(10 - entry))
      traffic.append(request, of: .har)
    }
    var found: [CapturedRequest] = []
    try traffic.ordered().forEach({ $0 }) { request throws(FileError) in found.append(request) }
    #expect(found.map(\.location.entry) == [3, 2, 1])
    #expect(found.map { $0.at?.wholeSeconds } == [500, 100, 900])
    #expect(found.map { $0.recordedAt?.wholeSeconds } == [7, 8, 9])
  }

  @Test("The same file twice, and a location without a request")
  func locations() throws {
    #expect(try order([("a", 1), ("b", 2), ("a", 3)], of: .har) == [0, 1, 2])
    var traffic = CapturedTraffic()
    for entry in [3, 5, 3] {
      traffic.append(
        CapturedRequest(.get("https://s2s.singular.net/"), location: CaptureLocation(file: "a", entry: entry, line: 1)),
        of: .urls)
    }
    let ordered = try traffic.ordered()
    for (file, entry, isThere) in [("a", 3, true), ("a", 5, true), ("a", 4, false), ("b", 3, false)] {
      let location = CaptureLocation(file: file, entry: entry, line: 1)
      #expect((ordered.index(of: location) != nil) == isThere)
    }
  }

  @Test("What cannot be set aside is an error")
  func failure() {
    var traffic = CapturedTraffic(spool: SpoolFile(limit: 0, directory: "/dev/null"))
    for entry in 1...2 {
      traffic.append(
        CapturedRequest(.get("https://s2s.singular.net/"), location: CaptureLocation(file: "a", entry: entry, line: 1)),
        of: .urls)
    }
    #expect(throws: FileError.self) { try traffic.ordered() }
  }
}
