import Foundation
import SKANBase
import TestSupport

@testable import SKANDevice
@testable import SKANModel

/// Models for the tests: the examples of the repository, and texts put together from their parts.
enum Models {
  static let examples = ["ad-revenue", "all-revenue", "engagement", "events", "iap-revenue", "mixed", "sample"]

  static let folder = Checkout.fixtures.appending(path: "models")

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: "\(name).json")))
  }

  static func example(_ name: String) throws -> ConversionModel { try ConversionModel(bytes(name)) }

  static func read(_ text: String) throws(SourceProblems) -> ConversionModel { try ConversionModel(Array(text.utf8)) }

  /// What reading a text complains of, with the text of each place.
  static func complaints(_ text: String) -> [String] {
    do throws(SourceProblems) {
      _ = try read(text)
      return []
    } catch {
      return error.problems.map { lines($0, in: text) }
    }
  }

  /// `PLACE: message`, the place as the first bytes of what it covers.
  static func lines(_ problem: SourceProblem, in text: String) -> String {
    let bytes = Array(text.utf8)
    let position = String(decoding: bytes[problem.range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    return "\(position.count > 24 ? position.prefix(24) + "…" : position): \(problem.message)"
  }
}

/// Parts of a model's text.
enum Part {
  static func model(fine: [String] = [], windows: [String] = [], _ more: String = "") -> String {
    #"{"fine_grained_conversion_value_mappings":[\#(fine.joined(separator: ","))],"#
      + #""postback_mappings":[\#(windows.joined(separator: ","))]\#(more.isEmpty ? "" : ",\(more)")}"#
  }

  static func fine(_ value: Int, _ events: String..., hours: String = "") -> String {
    #"{"fine_grained_conversion_value":\#(value),"conversion_value_mapping":\#(mapping(events, hours))}"#
  }

  static func window(
    _ index: Int, low: String? = nil, medium: String? = nil, high: String? = nil, lock: String = ""
  ) -> String {
    let steps = [("low", low), ("medium", medium), ("high", high)].compactMap { name, event in
      event.map { #""\#(name)_conversion_value_mapping":\#(mapping([$0], ""))"# }
    }
    return #"{"postback_sequence_index":\#(index),"coarse_grained_conversion_value_mappings":{"#
      + steps.joined(separator: ",") + "}" + (lock.isEmpty ? "" : ",\(lock)") + "}"
  }

  private static func mapping(_ events: [String], _ hours: String) -> String {
    #"{\#(hours.isEmpty ? "" : "\(hours),")"mapped_events":[\#(events.joined(separator: ","))]}"#
  }

  static func event(_ name: String, _ more: String = "") -> String {
    #"{"mapped_event_name":"\#(name)"\#(more.isEmpty ? "" : ",\(more)")}"#
  }

  /// Revenue of any kind in a range; nil leaves the end out.
  static func revenue(
    _ min: Double?, _ max: Double?, _ name: String = "__REVENUE__", currency: String = "USD"
  ) -> String {
    let ends = [("min", min), ("max", max)].compactMap { end in end.1.map { #""\#(end.0)_event_revenue":\#($0)"# } }
    return event(name, #""currency_code":"\#(currency)","event_revenue_range":{\#(ends.joined(separator: ","))}"#)
  }

  static func count(_ name: String, _ min: Int?, _ max: Int?) -> String {
    let ends = [("min", min), ("max", max)].compactMap { end in end.1.map { #""\#(end.0)_event_count":\#($0)"# } }
    return event(name, #""event_occurrence_range":{\#(ends.joined(separator: ","))}"#)
  }
}

/// What a phone did so far, its events by their names.
@dynamicMemberLookup
struct TestHistory {
  var history: PhoneHistory
  var counts = PerWindow<[String: Int64]>(repeating: [:])
  var eventName: String

  subscript<Value>(dynamicMember path: WritableKeyPath<PhoneHistory, Value>) -> Value {
    get { history[keyPath: path] }
    set { history[keyPath: path] = newValue }
  }
}

extension ConversionModel {
  /// What the model says of a phone.
  func verdict(on phone: TestHistory, rates: ExchangeRates) throws(RateMissing) -> ModelVerdict {
    let events = NameIndex(eventNames)
    var counts = EventCounts(phone.counts)
    counts.use(events)
    var history = phone.history
    history.event = events.index(of: phone.eventName)
    return try ModelPlan(self, events).verdict(on: history, &counts, rates)
  }
}

extension TestHistory {
  /// A phone some time after its first call, in the window of that time.
  static func at(
    hours: Double = 1, iap: [String: Double] = [:], ads: [String: Double] = [:], counts: [String: Int64] = [:],
    event: String = "__SESSION__", fine: Int64 = 0
  ) -> TestHistory {
    let microseconds = Int64((hours * 3_600_000_000).rounded())
    let window = ConversionWindow.at(secondsSinceFirstCall: microseconds / 1_000_000) ?? .p2
    let history = PhoneHistory(
      now: .listStart, elapsed: TimeSpan(microseconds: microseconds), window: window,
      revenue: WindowRevenue(iap: RevenueTable(iap), ads: RevenueTable(ads)), event: nil, currentFine: fine)
    var phone = TestHistory(history: history, eventName: event)
    phone.counts[window] = counts
    return phone
  }
}

extension RevenueTable {
  init(_ sums: [String: Double]) { self.init(sums.map { ($0.key, $0.value) }) }
}

extension TestHistory {
  /// Any phone that an example model can meet.
  static func random(using generator: inout SplitMix64) -> TestHistory {
    let names = ["__SESSION__", "tutorial_done", "level_5", "trial_started", "subscribe", "purchase"]
    let amounts = [0, 0.005, 0.01, 1, 2, 4.99, 5, 7.5, 10, 20, 100, 250, 999, -3]
    var counts: [String: Int64] = [:]
    for name in names where Bool.random(using: &generator) { counts[name] = .random(in: 0...25, using: &generator) }
    let event = names[Int.random(in: names.indices, using: &generator)]
    counts[event, default: 0] += 1
    return .at(
      hours: .random(in: 0..<840, using: &generator),
      iap: ["USD": amounts[Int.random(in: amounts.indices, using: &generator)]],
      ads: ["USD": amounts[Int.random(in: amounts.indices, using: &generator)]], counts: counts, event: event,
      fine: .random(in: 0...63, using: &generator))
  }
}

/// A request to the reference endpoint, changed by name; nil leaves a parameter out.
struct TestRequest {
  /// 2026-01-01T00:00:00Z.
  static let start: Int64 = 1_767_225_600

  var api = EndpointAPI.v2
  var values: [String: String]

  init(_ api: EndpointAPI = .v2, _ changes: [String: String?] = [:]) {
    self.api = api
    values = [
      "a": "key", "i": "com.example.app", "app_v": "1.0", "n": "__SESSION__", "p": "iOS", "idfv": "IDFV-1",
    ]
    let prefix = api == .v2 ? "skan_" : ""
    values["\(prefix)first_call_to_skadnetwork_timestamp"] = String(Self.start)
    values["\(prefix)last_call_to_skadnetwork_timestamp"] = String(Self.start)
    switch api {
    case .v2:
      values["v"] = "17.4"
      values["skan_current_conversion_value"] = "0"
    case .v1:
      values["conversion_value"] = ""
      values["total_revenue_by_currency"] = "{}"
    }
    for (name, value) in changes { values[name] = value }
  }

  var query: ConversionQuery? {
    let text = values.sorted { $0.key < $1.key }.map { "\($0.key)=\(Self.escaped($0.value))" }.joined(separator: "&")
    return ConversionQuery(text, api: api)
  }

  private static func escaped(_ text: String) -> String {
    var escaped: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: escaped.append(byte)
      default: escaped += "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
      }
    }
    return String(decoding: escaped, as: UTF8.self)
  }
}

/// The parsed answer.
struct TestReply: Equatable {
  var body: String
  var explanation: String

  private func member(_ name: String) -> JSON? {
    guard case .object(let members)? = try? JSONReader.read(Array(body.utf8)).value else { return nil }
    return members.first { $0.key == name }?.value
  }

  var reason: String? { if case .string(let text)? = member("reason") { text } else { nil } }
  var status: String? { if case .string(let text)? = member("status") { text } else { nil } }
  var fine: Int64? { number("conversion_value") }
  var coarse: Int64? { number("skan_updated_coarse_value") }
  var index: Int64? { number("postback_sequence_index") }
  var locks: Bool { member("skan_updated_lock_window_value") == .bool(true) }

  private func number(_ name: String) -> Int64? { if case .integer(let number)? = member(name) { number } else { nil } }
}

/// An endpoint and what it remembers of one phone.
struct TestPhone {
  var endpoint: ReferenceEndpoint
  var memory = InstallMemory.none

  var counts: EventCounts { memory.counts }

  init(_ model: ConversionModel?, rates: String = "{}") throws {
    endpoint = ReferenceEndpoint(defaultModel: model, rates: try ExchangeRates(Array(rates.utf8)))
  }

  /// Asks some hours after the first call.
  mutating func ask(_ request: TestRequest, hours: Double = 1) -> TestReply? {
    let microseconds = TestRequest.start * 1_000_000 + Int64((hours * 3_600_000_000).rounded())
    guard let query = request.query else { return nil }
    let reply = endpoint.reply(to: query, at: Instant(microseconds: microseconds), memory: &memory)
    return TestReply(
      body: String(decoding: reply.body, as: UTF8.self),
      explanation: reply.explanation(event: request.values["n"] ?? ""))
  }
}

extension ConversionQuery {
  init?(_ text: String, api: EndpointAPI) {
    guard let sent = SentParameters(text) else { return nil }
    self.init(sent, api: api)
  }
}
