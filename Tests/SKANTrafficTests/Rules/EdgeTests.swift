import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import TestSupport
import Testing

@testable import SKANTraffic

/// What is just right, and what is just wrong.
@Suite("The clean life at the edges of the rules")
struct EdgeTests {
  /// A change of the clean life, and the rules that fire then.
  struct Edge: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let rules: [TrafficRule]
    let plant: @Sendable (inout PlantedLife) -> Void

    init(_ what: String, _ rules: [TrafficRule], _ plant: @escaping @Sendable (inout PlantedLife) -> Void) {
      (testDescription, self.rules, self.plant) = (what, rules, plant)
    }
  }

  @Test("Edge", arguments: edges)
  func edge(_ edge: Edge) throws {
    var life = try PlantedLife()
    edge.plant(&life)
    let checked = try Checked(life.requests)
    #expect(checked.rules == edge.rules.map(\.id), "\(checked.text)")
  }

  private static let lastCall = "skan_last_call_to_skadnetwork_timestamp"

  /// An entry is sent several times, one after the other, and is never taken.
  private static func fail(_ entry: Int, times: Int, _ life: inout PlantedLife) {
    life.answer(entry, "", status: 503)
    for _ in 1..<times { life.requests.insert(life.requests[entry - 1], at: entry) }
  }

  /// Metadata from before the answer, at some of the reports that follow one.
  private static func makeStale(_ life: inout PlantedLife, _ choose: ([Int]) -> [Int]) {
    let conversions = life.conversions
    for entry in choose(life.forwarded.filter { conversions.contains($0 - 1) }) { life.makeStale(entry) }
  }

  private static let edges: [Edge] = [
    Edge("A last call of the first day after one of the third week", [.lastCallWentBack]) {
      $0.set(lastCall, [36], to: "1767229201")
    },
    Edge("A request five minutes after the last window: the clocks may differ", []) {
      $0.requests[35].at = Instant(microseconds: 1_770_249_900_000_000)
      $0.requests[36].at = Instant(microseconds: 1_770_249_902_000_000)
    },
    Edge("Five tries, and then given up", []) { fail(35, times: 5, &$0) },
    Edge("Four tries, and then given up", [.failureNotRetried]) { fail(35, times: 4, &$0) },
    Edge("The capture ends before the report comes", []) { $0.requests.removeSubrange(34...) },
    Edge("The capture begins in the middle", []) { $0.requests.removeFirst(11) },
    Edge("Metadata is behind twice", [.metadataStale]) { life in makeStale(&life) { Array($0.prefix(2)) } },
    Edge("Metadata is behind four times, and was not before", [.metadataStale]) { life in
      makeStale(&life) { Array($0.suffix(4)) }
    },
    Edge("A report that another clock put before its update", []) { $0.requests.swapAt(33, 34) },
    Edge("A report of a clock that is behind: it shows the update that comes after it", []) { life in
      life.requests.swapAt(33, 34)
      (life.requests[33].at, life.requests[34].at) = (life.requests[34].at, life.requests[33].at)
    },
    Edge("The capture begins with a report", [.eventBeforeSession]) { life in
      life.requests.removeFirst(34)
      life.requests[0].at = life.requests[1].at?.advanced(by: TimeSpan(seconds: -2))
      life.set("n", [2], to: life.value("n", 1))
      life.requests.removeSubrange(2...)
    },
    Edge("A new install, at a time before that of the old one's last request", [.timeWentBack]) { life in
      life.requests.append(life.requests[life.launches[0] - 1])
      let entry = life.requests.count
      life.requests[entry - 1].at = Instant(microseconds: 1_771_000_000_000_000)
      for name in ["skan_first_call_to_skadnetwork_timestamp", lastCall] { life.set(name, [entry], to: "1771000000") }
    },
    Edge("A table that cannot be read is laid beside no other", [.jsonDamaged]) {
      $0.set("skan_total_revenue_by_currency", [$0.conversions[8]], to: "{")
    },
    // Of the app and of its server, whose request comes behind it.
    Edge(
      "The tables around one that cannot be read are laid beside each other",
      [.jsonDamaged, .revenueShrank, .totalNotSum]
    ) { life in
      let entry = life.conversions[8]
      life.set("skan_total_revenue_by_currency", [entry, entry + 1], to: "{")
      life.add(-1, "USD", to: "skan_total_revenue_by_currency", Array((entry + 2)...life.requests.count))
    },
  ]
}
