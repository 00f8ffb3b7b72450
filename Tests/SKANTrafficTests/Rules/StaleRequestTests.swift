import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANTraffic

@Suite("Requests that left before an answer could be stored")
struct StaleRequestTests {
  /// A request of the snippet: its time, the fine values that it shows, and its answer.
  struct Ask: Sendable {
    /// Seconds after the first call.
    let at: Double
    let fine: Int
    var previous: Int?
    /// The last call, in seconds after the first one.
    var last = 0
    let answer: Int
    /// Seconds until the answer, where the capture says so.
    var took: Double?
  }

  private static let start = 1_767_225_600.0

  private static func request(_ ask: Ask, entry: Int, api: EndpointAPI) -> CapturedRequest {
    let prefix = api == .v2 ? "skan_" : ""
    var query =
      "a=k&p=iOS\(api == .v2 ? "&v=17.4" : "")&i=com.example.app&app_v=1.0&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334&n=level"
    query += api == .v2 ? "&skan_current_conversion_value=\(ask.fine)" : "&conversion_value=\(ask.fine)"
    query += "&\(prefix)first_call_to_skadnetwork_timestamp=\(Int(start))"
    query += "&\(prefix)last_call_to_skadnetwork_timestamp=\(Int(start) + ask.last)"
    if let previous = ask.previous { query += "&prev_fine_value=\(previous)" }
    if api == .v1 { query += "&total_revenue_by_currency=%7B%7D" }
    var captured = CapturedRequest(
      .get("https://sdk-api-v1.singular.net/api/\(api.rawValue)/conversion_value?\(query)"),
      at: Instant(unixSeconds: start + ask.at),
      answer: .response(status: 200, body: Array(#"{"conversion_value":\#(ask.answer),"status":"ok"}"#.utf8)),
      location: CaptureLocation(file: "capture", entry: entry, line: entry))
    captured.answeredAt = ask.took.flatMap { Instant(unixSeconds: start + ask.at + $0) }
    return captured
  }

  private func check(
    _ asks: [Ask], api: EndpointAPI = .v2, completion: TimeSpan = TrafficContext.usualCompletion
  ) throws -> Checked {
    let requests = asks.enumerated().map { Self.request($1, entry: $0 + 1, api: api) }
    return try Checked(requests, TrafficContext(completion: completion))
  }

  private func found(_ checked: Checked) -> [String] {
    checked.findings.map { "\($0.location.entry) \($0.rule.id): \($0.message)" }
  }

  private static let first = Ask(at: 1, fine: 0, answer: 1)
  /// Three seconds later, with the values of before.
  private static let second = Ask(at: 4, fine: 0, answer: 4)
  private static let stale = "2 stale-request: the answer at entry 1 gave value 1, and was asked for 3s before."
  private static let lost =
    "3 answer-not-shown: the answer at entry 1 gave value 1, and entry 2 left too early to show it."

  @Test(
    "Whether the values may come, are late or are lost depends on when the request left and what the next ones show",
    arguments: [
      // Both are stored.
      ([first, second, Ask(at: 100, fine: 4, previous: 1, last: 8, answer: 4)], [stale]),
      // Neither is.
      (
        [first, second, Ask(at: 100, fine: 0, answer: 4)],
        [stale, lost, "3 answer-not-shown: the answer at entry 2 gave value 4."]
      ),
      // The first one is lost, with the process that waited for Apple.
      ([first, second, Ask(at: 100, fine: 4, previous: 0, last: 8, answer: 4)], [stale, lost]),
      // The second one is.
      (
        [first, second, Ask(at: 100, fine: 1, previous: 0, last: 5, answer: 1)],
        [stale, "3 answer-not-shown: the answer at entry 2 gave value 4."]
      ),
      // Apple completes the first call last.
      ([first, second, Ask(at: 100, fine: 1, previous: 4, last: 8, answer: 1)], [stale]),
      // Each request is one answer behind.
      (
        [
          first, second, Ask(at: 7, fine: 1, previous: 0, last: 5, answer: 9),
          Ask(at: 100, fine: 9, previous: 4, last: 9, answer: 9),
        ], [stale, "3 stale-request: the answer at entry 2 gave value 4, and was asked for 3s before."]
      ),
      // Three at once: one note for each request.
      (
        [
          first, Ask(at: 1, fine: 0, answer: 4), Ask(at: 1, fine: 0, answer: 9),
          Ask(at: 100, fine: 9, previous: 4, last: 2, answer: 9),
        ],
        [
          "2 stale-request: the answer at entry 1 gave value 1, and was asked for 0s before.",
          "3 stale-request: the answer at entry 2 gave value 4, and was asked for 0s before.",
        ]
      ),
      // The third leaves too late for the first answer, and too early for the second.
      (
        [first, second, Ask(at: 9, fine: 0, answer: 9), Ask(at: 100, fine: 9, previous: 4, last: 10, answer: 9)],
        [stale, lost, "3 stale-request: the answer at entry 2 gave value 4, and was asked for 5s before."]
      ),
      // An answer that gives the values of before changes nothing that the next requests could lack.
      (
        [
          Ask(at: 1, fine: 0, answer: 0), Ask(at: 4, fine: 0, answer: 4), Ask(at: 7, fine: 0, last: 2, answer: 4),
          Ask(at: 100, fine: 4, previous: 0, last: 9, answer: 4),
        ], ["3 stale-request: the answer at entry 2 gave value 4, and was asked for 3s before."]
      ),
      // Values that are neither those of before nor those of an answer.
      (
        [first, Ask(at: 4, fine: 0, previous: 0, last: 3, answer: 4)],
        ["2 answer-not-shown: the answer at entry 1 gave value 1."]
      ),
      // The phone's clock was set back.
      ([first, Ask(at: 0.5, fine: 0, answer: 4)], ["2 answer-not-shown: the answer at entry 1 gave value 1."]),
    ] as [([Ask], [String])])
  func lives(asks: [Ask], findings: [String]) throws {
    let checked = try check(asks)
    #expect(found(checked) == findings)
  }

  @Test(
    "The span counts from the answer, or from its request where the capture does not say when it came",
    arguments: [
      (nil, 5, 5, "was asked for 5s before"), (nil, 5, 5.000001, nil), (nil, 0, 0, "was asked for 0s before"),
      (nil, 0, 0.000001, nil), (8, 5, 13, "came 5s before"), (8, 5, 13.000001, nil), (8, 5, 8, "came 0s before"),
      (8, 5, 7.9, "was still on its way"), (8, 0, 1, "was still on its way"), (8, 0, 8.000001, nil),
    ] as [(Double?, Int64, Double, String?)])
  func span(took: Double?, completion: Int64, after: Double, words: String?) throws {
    let asks = [Ask(at: 1, fine: 0, answer: 1, took: took), Ask(at: 1 + after, fine: 0, answer: 4)]
    let checked = try check(asks, completion: TimeSpan(seconds: completion))
    let message = words.map { "2 stale-request: the answer at entry 1 gave value 1, and \($0)." }
    #expect(found(checked) == [message ?? "2 answer-not-shown: the answer at entry 1 gave value 1."])
    // The end leaves open whether the values came.
    #expect(
      checked.open.map { "\($0.location.entry) \($0.rule.id): \($0.message)" }
        == (words == nil ? [] : ["2 answer-not-shown: no conversion_value follows"]))
  }

  @Test("SKAN 3 stores before it frees the lock") func skan3() throws {
    let asks = [Self.first, Self.second]
    let found = found(try check(asks, api: .v1))
    #expect(found == ["2 answer-not-shown: the answer at entry 1 gave value 1."])
  }

  @Test(
    "The time of a HAR says when the answer came, but by the clock of the capture",
    arguments: [
      ("8000", false, 8_000_000), ("0.5", false, 500), ("86400000", false, 86_400_000_000), ("86400000.1", false, nil),
      ("0", false, nil), ("-1", false, nil), ("null", false, nil), (#""8000""#, false, nil), ("8000", true, nil),
    ] as [(String, Bool, Int64?)])
  func timeOfHAR(time: String, isVirtual: Bool, microseconds: Int64?) throws {
    let headers = isVirtual ? #"{"name":"X-SKAN-Device-Time","value":"1767225600"}"# : ""
    let har = """
      {"log":{"entries":[{"startedDateTime":"2026-01-01T00:00:00Z","time":\(time),"request":{"method":"GET",\
      "url":"https://sdk-api-v1.singular.net/api/v2/conversion_value?p=iOS","headers":[\(headers)]},\
      "response":{"status":200,"content":{"text":"{}"}}}]}}
      """
    let request = try #require(try Captured(Array(har.utf8)).requests.first)
    #expect(request.answeredAt == microseconds.map { Instant.listStart.later(by: TimeSpan(microseconds: $0)) })
  }
}
