import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel
import TestSupport
import Testing

@testable import SKANTraffic

/// A capture ends where the tester stops: what is certain is a finding, what is not is left open with its request.
@Suite("The end of a capture")
struct CaptureEndTests {
  /// The clean life up to an entry with changes, what is found in it, and what is left open.
  struct End: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let last: Int
    let found: [String]
    let open: [String]
    let plant: @Sendable (inout PlantedLife) -> Void

    init(
      _ what: String, last: Int, found: [String] = [], open: [String] = [],
      _ plant: @escaping @Sendable (inout PlantedLife) -> Void = { _ in }
    ) {
      (testDescription, self.last, self.found, self.open, self.plant) = (what, last, found, open, plant)
    }
  }

  @Test("End", arguments: ends)
  func end(_ end: End) throws {
    var life = try PlantedLife()
    life.requests.removeSubrange(end.last...)
    end.plant(&life)
    let checked = try Checked(life.requests)
    #expect(checked.text == end.found)
    #expect(checked.open.map { "\($0.location.entry) \($0.rule.id): \($0.message)" } == end.open)
  }

  private static let ends: [End] = [
    End(
      "Old metadata, which a new value must have moved", last: 5,
      found: [
        "5 metadata-stale: the last call is 1767229201, as in the request for the value (entry 4), whose answer moves it."
      ]
    ) { $0.makeStale(5) },
    End(
      "Old metadata of the same value, a day after the last call", last: 9,
      found: [
        "9 metadata-stale: the last call is 1767232801, as in the request for the value (entry 8), whose answer moves it."
      ]
    ) { $0.makeStale(9) },
    End(
      "Old metadata of the same value, minutes after the last call", last: 5,
      open: ["5 metadata-stale: no conversion_value follows"]
    ) { life in
      life.makeStale(5)
      life.answer(4, #"{"conversion_value":1,"skan_updated_coarse_value":0,"status":"ok"}"#)
    },
    End("Old metadata after an answer without a value", last: 5) { life in
      life.makeStale(5)
      life.answer(4, #"{"status":"ok"}"#)
    },
  ]

  @Test("What an earlier install left open stays open") func whatEarlier() throws {
    var life = try PlantedLife()
    life.requests.removeSubrange(5...)
    life.makeStale(5)
    life.requests[3].answer = .status(200)
    var next = life.requests[0]
    next.at = Instant(microseconds: 1_771_000_000_000_000)
    life.requests.append(next)
    for name in ["skan_first_call_to_skadnetwork_timestamp", "skan_last_call_to_skadnetwork_timestamp", "utime"] {
      life.set(name, [6], to: "1771000000")
    }
    let checked = try Checked(life.requests)
    #expect(checked.open.map(\.rule) == [.metadataStale], "\(checked.text)")
  }

  @Test("Ten phones with addresses are enough to compare them, also where they differ") func tenPhones() throws {
    let life = try PlantedLife().requests
    var requests: [CapturedRequest] = []
    for number in 1...10 {
      var phone = try PlantedLife()
      phone.requests = [life[0]]
      phone.set("idfv", [1], to: "21DB6612-09B3-4ECC-84AC-0000000000\(10 + number)")
      phone.set("ip", [1], to: "172.58.29.\(number)")
      requests += phone.requests
      let gap = try Checked(requests).summary.gap(of: .sameAddress)
      #expect((gap == nil) == (number >= 3), "\(number)")
    }
  }
}
