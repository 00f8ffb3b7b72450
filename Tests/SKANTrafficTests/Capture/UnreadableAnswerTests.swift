import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import TestSupport
import Testing

@testable import SKANTraffic

@Suite("Answers that cannot be read")
struct UnreadableAnswerTests {
  /// What the rules say of requests, with the level of each finding.
  private static func findings(_ requests: [CapturedRequest]) throws -> Set<TrafficRule> {
    Set(try Checked(requests).findings.map(\.rule).filter { $0.level != .note })
  }

  @Test(
    "An answer that cannot be read adds no error and no warning",
    arguments: ["charles.har", "proxyman.har", "chrome.har", "clean-life.ndjson"])
  func unknown(name: String) throws {
    let requests = try Captured(fixture: name).requests
    let before = try Self.findings(requests)
    for index in requests.indices {
      var changed = requests
      guard let status = requests[index].answer.status else { continue }
      changed[index].answer = .unreadable(status)
      let after = try Self.findings(changed)
      #expect(after.isSubset(of: before), "entry \(index + 1): \(after.subtracting(before))")
      #expect(try Checked(changed).summary.unreadAnswers == 1)
    }
  }

  @Test("Rules of answers say for how many requests they were not evaluated; a status says that one failed")
  func gaps() throws {
    var requests = try Captured(fixture: "charles.har").requests
    requests[1].answer = .unreadable(200)
    let gap = try Checked(requests).summary.gap(of: .errorTakenAsDelivered)
    #expect(gap == .part("1 of \(requests.count) requests have no answer that can be read"))
    requests[1].answer = .unreadable(503)
    let checked = try Checked(requests)
    #expect(
      (checked.findings + checked.open).contains {
        $0.rule == .failureNotRetried && $0.location == requests[1].location
      })
  }
}
