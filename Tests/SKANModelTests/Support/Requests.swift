import SKANBase

@testable import SKANDevice
@testable import SKANModel

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
