import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

/// What the model reads of a phone in this process is what a server reads out of the phone's request.
@Suite("A phone's parameters and those of its request")
struct PhoneParameterTests {
  private static let start: Int64 = 1_767_225_600

  private static func pick<Value>(_ values: [Value], _ generator: inout SplitMix64) -> Value {
    values[Int.random(in: values.indices, using: &generator)]
  }

  /// A phone whose profile and store hold anything that a life can leave there, strings aside: those crash the app
  /// before there is a request.
  private static func device(_ snippet: SnippetVersion, _ generator: inout SplitMix64) -> Device {
    var profile = DeviceProfile(
      idfv: pick(["21DB6612", "", nil, "a+b", "ü&=", String(repeating: "i", count: 300)], &generator))
    profile.snippet = snippet
    profile.ios = pick([IOSVersion(16, 0), IOSVersion(17, 4)], &generator)
    profile.bundleID = pick(["com.example.app", "com.example.a+b", "", "com.example.größe"], &generator)
    profile.appVersion = pick(["1.0", "1.0+5", ""], &generator)
    profile.idfa = pick([nil, "", "NULL", "8D0-1", "a+b"], &generator)
    var device = Device(profile)
    let values: [KeptValue?] = [
      nil, .integer(0), .integer(63), .integer(64), .integer(-1), .double(1.7), .bool(true), .unsigned(.max),
      .double(1e300), .integer(4_294_967_297),
    ]
    let tables: [RevenueTable?] = [
      nil, RevenueTable([:]), RevenueTable(["USD": 9.9899997711181641]), RevenueTable(["": 1, "a+b": -3, "EUR": 0.1]),
      RevenueTable(["US\"D\\/": 1e30]),
    ]
    let moments: [Int64?] = [nil, 0, start, start + 60, start - 60]
    device.kept.fineValue = pick(values, &generator)
    device.kept.previousFineValue = pick(values, &generator)
    for window in ConversionWindow.allCases {
      device.kept.coarseValue[window] = pick(values, &generator)
      device.kept.previousCoarseValue[window] = pick(values, &generator)
      device.kept.windowLock[window] = pick(moments, &generator)
      device.kept.windowIAPRevenue[window] = pick(tables, &generator)
      device.kept.windowAdRevenue[window] = pick(tables, &generator)
    }
    device.kept.iapRevenue = pick(tables, &generator)
    device.kept.adRevenue = pick(tables, &generator)
    device.kept.firstCall = pick(moments, &generator)
    device.kept.lastCall = pick(moments, &generator)
    device.kept.skan3Value = pick([nil, 0, 5, 64, -2], &generator)
    return device
  }

  private static func query(of device: Device, event: String) throws -> ConversionQuery {
    let items = device.request(event: event).queryItems(sdkKey: ConversionRequest.placeholderKey)
    let api: EndpointAPI = device.snippet.rules.api
    return try #require(ConversionQuery(items.percentEncoded, api: api))
  }

  private static let v1: [QueryParameter] = [
    .sdkKey, .appVersion, .bundleID, .idfa, .idfv, .platform, .skan3Value, .skan3FirstCall, .skan3LastCall,
    .skan3Revenue,
  ]
  private static let v2 = QueryParameter.allCases.filter {
    ![.skan3Value, .skan3FirstCall, .skan3LastCall, .skan3Revenue, .eventName].contains($0)
  }

  private func sums(_ parameters: some ConversionParameters, _ parameter: QueryParameter) -> Result<
    RevenueTable, RequestProblem
  > {
    // SKAN 3 sends an empty table where it keeps none.
    do throws(RequestProblem) { return .success(try parameters.revenue(parameter) ?? RevenueTable()) } catch {
      return .failure(error)
    }
  }

  @Test("Each parameter", arguments: SnippetVersion.allCases)
  func each(snippet: SnippetVersion) throws {
    var generator = SplitMix64(seed: 7)
    for _ in Rounds.of(100) {
      let device = Self.device(snippet, &generator)
      let query = try Self.query(of: device, event: "e")
      for parameter in snippet != .skan3 ? Self.v2 : Self.v1 {
        if parameter.isRevenue {
          #expect(sums(device, parameter) == sums(query, parameter), "\(parameter.name)")
        } else {
          #expect(device.text(parameter) == query.text(parameter), "\(parameter.name)")
          guard let number = device.number(parameter) else { continue }
          #expect(number.value == query.number(parameter)?.value, "\(parameter.name)")
        }
      }
    }
  }

  @Test(
    "The answer, and what is counted for it", arguments: SnippetVersion.allCases, ["mixed", "all-revenue", "events"])
  func answers(snippet: SnippetVersion, model: String) throws {
    let endpoint = ReferenceEndpoint(
      defaultModel: try Models.example(model), rates: try ExchangeRates(Array(#"{"EUR":0.92}"#.utf8)))
    var generator = SplitMix64(seed: 11)
    var values = 0
    let rounds = Rounds.of(150)
    for round in rounds {
      var device = Self.device(snippet, &generator)
      // Else one odd entry would be all that most rounds come to.
      if round % 2 == 0 {
        let (profile, first) = (DeviceProfile(idfv: "IDFV"), device.kept.firstCall)
        let iap = device.kept.windowIAPRevenue
        var plain = profile
        plain.snippet = snippet
        device = Device(plain)
        device.kept.fineValue = .integer(Int64.random(in: 0...63, using: &generator))
        device.kept.windowIAPRevenue = iap
        device.kept.firstCall = first ?? Self.start
        device.kept.lastCall = device.kept.firstCall
      }
      let event = Self.pick(["__SESSION__", "purchase", "level_5", "a+b", "", "ä"], &generator)
      let days: Int64 = snippet != .skan3 ? 36 : 2
      let seconds = Self.start + Int64.random(in: 0...(days * 86_400), using: &generator)
      let now = Instant(microseconds: seconds * 1_000_000)
      var (inProcess, served) = (InstallMemory.none, InstallMemory.none)
      let reply = endpoint.reply(to: &device, event: event, at: now, memory: &inProcess)
      let query = try Self.query(of: device, event: event)
      #expect(reply == endpoint.reply(to: query, at: now, memory: &served))
      #expect(inProcess.counts == served.counts)
      if case .values = reply { values += 1 }
    }
    // Both kinds of answers were among them.
    #expect(values > rounds.count / 12 && values < rounds.count, "\(values)")
  }
}

extension QueryParameter {
  fileprivate var isRevenue: Bool { name.hasSuffix("_revenue") || name.hasSuffix("revenue_by_currency") }
}
