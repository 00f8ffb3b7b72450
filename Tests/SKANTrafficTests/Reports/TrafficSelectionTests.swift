import SKANDevice
import Testing

@testable import SKANTraffic

@Suite("The requests that a report covers")
struct TrafficSelectionTests {
  @Test("Each limit alone selects less than everything")
  func everything() {
    let at = Instant.listStart
    for (since, until, device) in [
      (nil, nil, nil), (at, nil, nil), (nil, at, nil), (nil, nil, "A"), (at, at, "A"),
    ] as [(Instant?, Instant?, String?)] {
      let isEverything = since == nil && until == nil && device == nil
      let selection = TrafficSelection(since: since, until: until, device: device)
      #expect(selection.isEverything == isEverything)
      #expect(selection.contains(nil, nil) == isEverything)
    }
  }

  @Test("The first moment belongs to it, and the last does not")
  func borders() {
    let (since, until) = (Instant.listStart, Instant.listStart.later(by: .hours(1)))
    let selection = TrafficSelection(since: since, until: until, device: nil)
    #expect(selection.contains(since, nil) && !selection.contains(until, nil))
    #expect(!selection.contains(since.advanced(by: TimeSpan(microseconds: -1)), nil))
    #expect(selection.contains(until.advanced(by: TimeSpan(microseconds: -1)), nil))
  }
}
