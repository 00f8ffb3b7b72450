import SKANDevice
import SKANHTTP
import Testing

@testable import SKANTraffic

@Suite("Requests in order of time")
struct CapturedTrafficTests {
  private func order(_ requests: [(file: String, seconds: Int64?)], of format: CaptureFormat) -> [Int] {
    var traffic = CapturedTraffic()
    for (index, request) in requests.enumerated() {
      let location = CaptureLocation(file: request.file, entry: index, line: 1)
      traffic.append(
        CapturedRequest(
          .get("https://s2s.singular.net/"), at: request.seconds.flatMap { Instant(unixSeconds: $0) },
          location: location),
        of: format)
    }
    return traffic.sorted().map(\.location.entry)
  }

  @Test("Files that are out of order; equal times keep their order, and what has none stays behind the one before it")
  func sorted() {
    #expect(order([("a", 5), ("a", nil), ("a", 1), ("b", 5), ("b", 2)], of: .har) == [2, 4, 0, 1, 3])
    #expect(order([("a", nil), ("a", nil)], of: .urls) == [0, 1])
  }

  @Test("A journal is in order, also of a phone whose clock was set back")
  func journal() {
    #expect(order([("a", 5), ("a", 1), ("a", 9), ("b", 6)], of: .journal) == [0, 1, 3, 2])
  }
}
