import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANTraffic

/// What looks like a breach and is none, and the breach beside it.
@Suite("What stands beside a breach")
struct NeighbourTests {
  private static let firstCall: Int64 = 1_767_225_600

  /// An entry of the clean life.
  private func request(_ entry: Int, _ change: (inout PlantedLife) -> Void = { _ in }) throws -> CheckedRequest {
    var life = try PlantedLife()
    change(&life)
    let captured = life.requests[entry - 1]
    let kind = try #require(EndpointKind(path: captured.request.path))
    return try #require(CheckedRequest(captured, kind: kind, in: JSONDocument()))
  }

  private func text(_ change: (inout PlantedLife) -> Void) throws -> [String] {
    var life = try PlantedLife()
    change(&life)
    return try Checked(life.requests).text
  }

  @Test(
    "Two purchases in one second are two when they differ in one of these",
    arguments: [
      ("n", "refill"), ("amt", "4.99"), ("cur", "EUR"), ("purchase_transaction_id", "2000000001"),
      ("e", #"{"sku":"a"}"#),
    ])
  func purchases(name: String, value: String) throws {
    var rules = DeliveryRules()
    var findings: [TrafficFinding] = []
    #expect(!rules.isRepeated(try request(7), into: &findings))
    #expect(!rules.isRepeated(try request(7) { $0.set(name, [7], to: value) }, into: &findings))
    #expect(findings == [])
    // What says nothing of the purchase makes no other of it.
    #expect(rules.isRepeated(try request(7) { $0.set("ua", [7], to: "x") }, into: &findings))
    #expect(findings.map(\.rule) == [.duplicateRequest])
  }

  @Test("A name has 32 characters at most, in the app and on its server", arguments: [(32, []), (33, [30, 31])])
  func names(length: Int, entries: [Int]) throws {
    let found = try text { $0.set("n", [30, 31], to: String(repeating: "n", count: length)) }
    #expect(
      found
        == entries.map {
          "\($0) parameter-form: n has 33 characters, at most 32 are allowed."
        })
  }

  @Test(
    "An answer of launch or evt that was not captured may have given a value",
    arguments: [CapturedAnswer.status(200), .notCaptured])
  func unknownAnswer(answer: CapturedAnswer) throws {
    let found = try text { life in
      life.requests[4].answer = answer
      life.set("skan_current_conversion_value", [8], to: "33")
    }
    #expect(!found.contains { $0.contains("value-never-answered") }, "\(found)")
  }

  @Test("Of a phone whose own requests are not captured no answer is missing") func phoneWhose() throws {
    let life = try PlantedLife()
    let reports = life.forwarded.map { life.requests[$0 - 1] }
    #expect(try Checked(reports).rules == [])
  }

  @Test(
    "The fine value may change until P0 ends by the capture's clock, and ten minutes more",
    arguments: [(599, false), (600, true), (86_400, true)])
  func fineValue(seconds: Int64, isFound: Bool) throws {
    let found = try text { life in
      // The last update of P0 was in its last hour, and shows in the first request of P1.
      life.requests[15].at = Instant(unixSeconds: Self.firstCall + 48 * 3600 + seconds)
      life.set("skan_current_conversion_value", [18], to: "11")
    }
    let message = "18 fine-changed-after-p0: the fine value went from 12 to 11."
    #expect(found.contains(message) == isFound, "\(found)")
  }

  @Test("Sums of another currency are not those of the install before", arguments: [("EUR", false), ("USD", true)])
  func reinstall(currency: String, isSame: Bool) throws {
    let first = try PlantedLife().requests[..<9]
    var life = try PlantedLife()
    // From the middle of the second install, with another previous value.
    let entries = [8, 9]
    for name in ["skan_first_call_to_skadnetwork_timestamp", "skan_last_call_to_skadnetwork_timestamp"] {
      life.set(name, entries) { $0.flatMap { Int64($0) }.map { "\($0 + 864_000)" } }
    }
    life.set("prev_fine_value", entries, to: "1")
    for name in ["skan_total_revenue_by_currency", "p0_total_iap_revenue"] {
      life.set(name, entries) { $0?.replacing("USD", with: currency) }
    }
    let second = entries.map { entry in
      var request = life.requests[entry - 1]
      request.at = request.at?.advanced(by: .hours(240))
      return request
    }
    let rules = try Checked(first + second).rules
    #expect(rules.contains("first-call-changed") == isSame, "\(rules)")
  }

  @Test("A currency in small letters is named in the totals, too") func currencySmall() throws {
    let found = try text { life in
      life.set("cur", [7], to: "usd")
      for name in ["skan_total_revenue_by_currency", "p0_total_iap_revenue"] {
        life.set(name, [6, 7]) { $0?.replacing("USD", with: "usd") }
      }
    }
    let message = "7 amount-form: cur must be an ISO 4217 code in capitals, it is \"usd\"."
    #expect(
      found.contains(
        "\(message) The phone's totals have \"usd\", too: skan_total_revenue_by_currency, p0_total_iap_revenue."),
      "\(found)")
    #expect(try text { $0.set("cur", [7], to: "usd") }.contains(message))
    #expect(
      try text { life in
        life.set("cur", [7], to: "usd")
        life.set("p0_total_iap_revenue", [7]) { $0?.replacing("USD", with: "eur") }
      }.contains(message))
  }

  @Test("A coarse value of 3 in an answer is an error", arguments: [(2, 0), (3, 1)])
  func coarse(value: Int, errors: Int) throws {
    var life = try PlantedLife()
    life.answer(30, #"{"conversion_value":12,"skan_updated_coarse_value":\#(value),"status":"ok"}"#)
    #expect(try Checked(life.requests).summary.count(.error) == errors)
  }
}
