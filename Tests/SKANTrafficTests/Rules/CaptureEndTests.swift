import SKANDevice
import SKANHTTP
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

  @Test(arguments: ends)
  func end(_ end: End) throws {
    var life = try PlantedLife()
    life.requests.removeSubrange(end.last...)
    end.plant(&life)
    let checked = try Checked(life.requests)
    #expect(checked.text == end.found)
    #expect(checked.open.map { "\($0.location.entry) \($0.rule.id): \($0.message)" } == end.open)
  }

  private static func move(_ entry: Int, by seconds: Int64, _ life: inout PlantedLife) {
    life.requests[entry - 1].at = life.requests[entry - 1].at?.advanced(by: TimeSpan(seconds: seconds))
  }

  private static let failed = #"{"status":"error","reason":"try later"}"#
  private static let refused = #"{"status":"error","reason":"no device ID supplied"}"#

  private static let ends: [End] = [
    End("Nothing is left open", last: 5),
    End(
      "An event from the app alone", last: 4,
      open: ["4 event-not-forwarded: the capture ends 0 s after"]),
    End(
      "An event from the app alone, and a session a minute later", last: 7,
      found: ["4 event-not-forwarded: tutorial was not reported."]
    ) { life in
      life.requests.remove(at: 4)
    },
    End("A minute is enough", last: 5, found: ["2 event-not-forwarded: a session was not reported."]) { life in
      life.requests.remove(at: 2)
      life.requests[2].at = life.requests[1].at?.advanced(by: TimeSpan(seconds: 58))
      life.requests[3].at = life.requests[1].at?.advanced(by: TimeSpan(seconds: 60))
    },
    End("59 s are not", last: 5, open: ["2 event-not-forwarded: the capture ends 59 s after"]) { life in
      life.requests.remove(at: 2)
      life.requests[2].at = life.requests[1].at?.advanced(by: TimeSpan(seconds: 57))
      life.requests[3].at = life.requests[1].at?.advanced(by: TimeSpan(seconds: 59))
    },
    End("An event from the server alone", last: 5, open: ["5 event-not-updated: the capture ends 0 s after"]) { life in
      life.makeStale(5)
      life.requests.remove(at: 3)
    },
    End("A session without an update", last: 9, open: ["9 event-not-updated: the capture ends 0 s after"]) { life in
      life.requests.remove(at: 7)
    },
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
    End("A refusal is final", last: 5, found: ["5 request-refused: the answer is: no device ID supplied."]) {
      $0.answer(5, refused)
    },
    End(
      "An error may be tried again", last: 5,
      open: ["5 error-taken-as-delivered: the capture ends 0 s after"]
    ) { $0.answer(5, failed) },
    End("No answer may be tried again", last: 3, open: ["3 failure-not-retried: the capture ends 0 s after"]) {
      $0.answer(3, "", status: 503)
    },
    End(
      "A report that an update has still to follow", last: 2,
      open: ["1 reported-before-updated: the capture ends 2 s after"]
    ) { life in
      move(1, by: 3597, &life)
    },
  ]

  @Test func `What an earlier install left open stays open`() throws {
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

  @Test func `Ten phones with addresses are enough to compare them, also where they differ`() throws {
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
