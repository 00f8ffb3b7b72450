import Foundation
import SKANDevice
import SKANHTTP
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("Postbacks on their way")
struct PendingDeliveryQueueTests {
  /// A delivery whose postback leaves at this hour of 2026.
  private func pending(hour: Int64, _ attempts: Int = 0) throws -> PendingDelivery {
    var framework = AppleFramework()
    var profile = DeviceProfile(idfv: nil)
    profile.seed = 5
    _ = framework.apply(
      .updatePostbackCoarse(fine: 9, coarse: .low, lock: false), at: .listStart, on: InstallTraits(profile))
    var postback = framework.postbacks(on: profile, phone: "", at: .listStart)[0]
    postback.sendsAt = Instant.listStart.advanced(by: TimeSpan(seconds: hour * 3600))
    let content = try #require(postback.content)
    let url = try PostbackURL("http://localhost/")
    let pending = PendingDelivery(postback: postback, content: content, recipient: .network, url: url, attempts: [])
    return attempts == 0
      ? pending
      : PendingDelivery(
        postback: postback, content: content, recipient: .network, url: url,
        attempts: Array(repeating: pending.attempt(at: .listStart), count: attempts))
  }

  /// The hours and indices of the attempts, each ending as `result` says.
  private func run(
    _ queue: inout PendingDeliveryQueue, by hour: Int64? = nil,
    _ result: (_ index: Int, _ count: Int) -> Delivery.Result
  ) -> [String] {
    var log: [String] = []
    let end = hour.flatMap { Instant.listStart.advanced(by: TimeSpan(seconds: $0 * 3600)) }
    while let (index, at) = queue.next(by: end) {
      log.append("\(Int64(at.since(.listStart).seconds) / 3600):\(index)")
      var attempt = queue.pending[index].attempt(at: at)
      attempt.result = result(index, queue.pending[index].attempts.count)
      queue.add(attempt, to: index)
    }
    return log
  }

  @Test("In the order of the phones' time, at one time in their own; a second attempt falls in between")
  func order() throws {
    var queue = PendingDeliveryQueue([
      try pending(hour: 30), try pending(hour: 5), try pending(hour: 29), try pending(hour: 5),
    ])
    let log = run(&queue) { index, count in
      index == 1 && count < 2 ? (count == 0 ? .answered(status: 503) : .failed("")) : .answered(status: 200)
    }
    #expect(log == ["5:1", "5:3", "29:1", "29:2", "30:0", "53:1"])
    #expect(queue.ending.code == .ok)
  }

  @Test("An attempt is due at its very second, and not a microsecond before")
  func veryMoment() throws {
    var queue = PendingDeliveryQueue([try pending(hour: 5)])
    let due = Instant.listStart.later(by: TimeSpan(seconds: 5 * 3600))
    let before = queue.next(by: due.later(by: TimeSpan(microseconds: -1)))
    let then = queue.next(by: due)
    let after = queue.next(by: nil)
    #expect(before == nil && then?.at == due && after == nil)
  }

  @Test("Ten attempts, and no more; those of before count; the worst ending is the whole's")
  func attempts() throws {
    var queue = PendingDeliveryQueue([try pending(hour: 0), try pending(hour: 0, 7), try pending(hour: 0, 10)])
    let log = run(&queue) { index, _ in index == 0 ? .answered(status: 404) : .failed("") }
    #expect(log.count { $0.hasSuffix(":0") } == 10 && log.count { $0.hasSuffix(":1") } == 3 && log.count == 13)
    #expect(log.last == "216:1" || log.last == "216:0")
    #expect(queue.ending.code == .unavailable)
    var refused = PendingDeliveryQueue([try pending(hour: 0)])
    #expect(
      run(&refused, by: 47) { _, _ in .answered(status: 404) } == ["0:0", "24:0"] && refused.ending.code == .badAnswer)
    #expect(run(&refused, by: 48) { _, _ in .answered(status: 200) } == ["48:0"] && refused.ending.code == .ok)
  }
}
