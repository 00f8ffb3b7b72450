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

  @Test func `Of a phone whose own requests are not captured no answer is missing`() throws {
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

  @Test func `A currency in small letters is named in the totals, too`() throws {
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

/// A life with the older snippet, whose requests have names of their own.
@Suite("The life of a phone with SKAN 3")
struct SKAN3LifeTests {
  private static let start: Int64 = 1_767_225_600
  private static let idfv = "21DB6612-09B3-4ECC-84AC-B353B0AF1334"

  /// A request for the next value, some hours after the first call.
  private func ask(_ hour: Double, _ name: String, value: String, last: Double, answer: String) -> CapturedRequest {
    request(
      hour, "https://sdk-api-v1.singular.net/api/v1/conversion_value",
      "a=k&p=iOS&i=com.example.app&app_v=1.0&idfv=\(Self.idfv)&n=\(name)&conversion_value=\(value)"
        + "&total_revenue_by_currency=%7B%7D&first_call_to_skadnetwork_timestamp=\(Self.start)"
        + "&last_call_to_skadnetwork_timestamp=\(Self.seconds(last))", answer)
  }

  /// A report of the app's server.
  private func report(
    _ hour: Double, _ name: String, value: String?, last: Double, more: String = ""
  ) -> CapturedRequest {
    let common =
      "a=k&p=iOS&i=com.example.app&ip=172.58.29.235&ve=15.0&idfv=\(Self.idfv)&att_authorization_status=0"
      + "&utime=\(Self.seconds(hour))\(value.map { "&skan_conversion_value=\($0)" } ?? "")"
      + "&skan_first_call_timestamp=\(Self.start)&skan_last_call_timestamp=\(Self.seconds(last))\(more)"
    return name == "launch"
      ? request(
        hour, "https://s2s.singular.net/api/v1/launch",
        common + "&ma=Apple&mo=iPhone14,5&lc=en_US&bd=19A346&app_v=1.0&install=false", #"{"status":"ok"}"#)
      : request(hour, "https://s2s.singular.net/api/v1/evt", "\(common)&n=\(name)", #"{"status":"ok"}"#)
  }

  private func request(_ hour: Double, _ url: String, _ query: String, _ answer: String) -> CapturedRequest {
    CapturedRequest(
      .get("\(url)?\(query)"), at: Instant(unixSeconds: Self.seconds(hour)),
      answer: .response(status: 200, body: Array(answer.utf8)), location: CaptureLocation(file: "a", entry: 0, line: 0))
  }

  private static func seconds(_ hour: Double) -> Int64 { start + Int64(hour * 3600) }

  private func findings(_ requests: [CapturedRequest]) throws -> [String] {
    try Checked(
      requests.enumerated().map { index, request in
        var request = request
        request.location = CaptureLocation(file: "a", entry: index + 1, line: index + 1)
        return request
      }
    ).text
  }

  private func value(_ number: Int) -> String { #"{"conversion_value":\#(number),"status":"ok"}"# }

  /// Two updates, each reported.
  private var life: [CapturedRequest] {
    [
      ask(1, "__SESSION__", value: "", last: 0, answer: value(3)), report(1.001, "launch", value: "3", last: 1),
      ask(2, "level", value: "3", last: 1, answer: value(5)), report(2.001, "level", value: "5", last: 2),
      ask(3, "level", value: "5", last: 2, answer: #"{"status":"ok"}"#), report(3.001, "level", value: "5", last: 2),
    ]
  }

  @Test func `In order it has no finding`() throws { #expect(try findings(life) == []) }

  @Test func `A value that the next request does not show`() throws {
    var requests = life
    requests[4] = ask(3, "level", value: "3", last: 1, answer: #"{"status":"ok"}"#)
    let found = try findings(requests)
    #expect(found.contains("5 answer-not-shown: the answer at entry 3 gave value 5."), "\(found)")
  }

  @Test func `A value that no answer gave`() throws {
    var requests = life
    requests[2] = ask(2, "level", value: "9", last: 1, answer: value(10))
    let found = try findings(requests)
    #expect(found.contains("3 value-never-answered: the value is 9, which no answer gave."), "\(found)")
  }

  @Test func `An update a day after the last one comes too late`() throws {
    let late = [ask(28, "level", value: "5", last: 2, answer: #"{"status":"ok"}"#)]
    let found = try findings(life + late + [report(28.001, "level", value: "5", last: 2)])
    #expect(found == ["7 request-after-windows: the last call was 26 hours before."])
    // The server goes on after the last window, and the app has no reason to ask.
    #expect(try findings(life + [report(28, "level", value: "5", last: 2)]) == [])
    let early = try findings(
      life + [report(20, "level", value: "5", last: 2), report(22, "launch", value: "5", last: 2)])
    // What came in the last minute may still be answered.
    #expect(early == ["7 event-not-updated: conversion_value was not asked with level."])
  }

  @Test func `The names of the other snippet`() throws {
    var requests = life
    requests[3] = report(
      2.001, "level", value: nil, last: 2,
      more: "&skan_current_conversion_value=5&skan_first_call_to_skadnetwork_timestamp=\(Self.start)"
        + "&skan_last_call_to_skadnetwork_timestamp=\(Self.seconds(2))")
    requests[3].request.target.query = requests[3].request.query?.replacing(
      /&skan_(first|last)_call_timestamp=\d+/, with: "")
    let found = try findings(requests)
    #expect(found.contains { $0.hasPrefix("4 metadata-names: ") }, "\(found)")
  }

  @Test func `As a list it is a phone with SKAN 3`() {
    let list = CapturedList(life)
    let lines = list.text.split(separator: "\n")
    #expect(list.phones == 1 && list.leftOut == [])
    #expect(lines.first?.contains(#""snippet":"skan3""#) == true, "\(list.text)")
    #expect(lines.filter { $0.contains(#""op":"event""#) }.count == 2)
    // A value that is sent empty is not set.
    #expect(lines.count > 2 && !lines[1].contains("skan_conversion_value"), "\(list.text)")
    #expect(lines.count > 2 && lines[2].contains(#""skan_conversion_value":"3""#), "\(list.text)")
  }
}
