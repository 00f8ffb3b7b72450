import SKANBase
import Testing

@testable import SKANDevice
@testable import SKANModel

/// The endpoint's rules about time and revenue beside plain ones, on both sides of every limit.
@Suite("Time and revenue of a request, beside plain rules")
struct PlainEndpointTests {
  private static let start = TestRequest.start
  private static let hour: Int64 = 3600

  /// The error about time, or the window.
  private enum Outcome: Equatable {
    case window(ConversionWindow)
    case error(EndpointError)
  }

  /// - Parameters:
  ///   - now: seconds since the first call.
  ///   - last: seconds of the last call since the first.
  private static func plain(_ api: EndpointAPI, now: Int64, last: Int64, limit: Int64?) -> Outcome {
    var window = ConversionWindow.p0
    if api == .v1 {
      if now - last > 24 * hour {
        return .error(.closed(hours: (now - last) / hour, age: (now - last) / hour, .v1))
      }
    } else {
      if now >= 840 * hour { return .error(.closed(hours: last / hour, age: now / hour, .v2)) }
      window = now < 48 * hour ? .p0 : now < 168 * hour ? .p1 : .p2
    }
    if last < 0 { return .error(.lastCallBeforeFirst(hours: last / hour)) }
    if let limit, now / hour >= limit { return .error(.badPeriod(now / hour, measured: limit)) }
    return .window(window)
  }

  @Test("The window or the error, a second before and at each limit", arguments: EndpointAPI.allCases)
  func time(api: EndpointAPI) throws {
    let limits = [0, 1, 24, 25, 48, 168, 840, 841].map { $0 * Self.hour }
    let prefix = api == .v2 ? "skan_" : ""
    for limit in [nil, 1, 25, 48, 100, 900] as [Int64?] {
      var model = try Models.read(Part.model(fine: [Part.fine(1, Part.event("a"))]))
      model.measurementHours = limit
      let endpoint = ReferenceEndpoint(defaultModel: model)
      for now in limits.flatMap({ [$0 - 1, $0, $0 + 1] }) + [99 * Self.hour, 100 * Self.hour] {
        for last in [
          -2 * Self.hour, -Self.hour, -1, 0, 1, Self.hour, 24 * Self.hour, now - 24 * Self.hour - 1,
          now - 24 * Self.hour,
        ] {
          let request = TestRequest(
            api, ["\(prefix)last_call_to_skadnetwork_timestamp": String(Self.start + last)])
          var memory = InstallMemory.none
          let moment = Instant(microseconds: (Self.start + now) * 1_000_000 + 999_999)
          let reply = endpoint.reply(to: try #require(request.query), at: moment, memory: &memory)
          let outcome: Outcome =
            switch reply {
            case .values(let values): .window(values.window)
            case .error(let error): .error(error)
            }
          #expect(
            outcome == Self.plain(api, now: now, last: last, limit: limit),
            "\(now) \(last) \(String(describing: limit))")
        }
      }
    }
  }

  @Test("A window's revenue, for every choice of sums in the request and before", arguments: ConversionWindow.allCases)
  func revenue(window: ConversionWindow) throws {
    let names = [
      false: [
        "p0_total_iap_revenue", "p1_total_iap_revenue", "p2_total_iap_revenue", "skan_total_revenue_by_currency",
      ],
      true: [
        "p0_total_admon_revenue", "p1_total_admon_revenue", "p2_total_admon_revenue",
        "skan_total_admon_revenue_by_currency",
      ],
    ]
    // The windows in which earlier requests came, with their totals.
    let pasts: [[ConversionWindow: (iap: Double?, ads: Double?)]] = [
      [:], [.p0: (3, nil)], [.p0: (3, 4), .p1: (nil, 5)], [.p1: (2, 1)], [.p2: (6, 6)],
    ]
    for given in 0..<256 {
      var sent: [String: String] = [:]
      for (index, name) in ((names[false] ?? []) + (names[true] ?? [])).enumerated() where given >> index & 1 == 1 {
        sent[name] = #"{"USD":\#(1 << index),"EUR":1}"#
      }
      let query = try #require(TestRequest(.v2, sent.mapValues { $0 }).query)
      for past in pasts {
        var memory = InstallMemory.none
        for window in ConversionWindow.allCases {
          guard let sums = past[window] else { continue }
          let totals = InstallMemory.Totals(
            iap: sums.iap.map { RevenueTable(["USD": $0]) }, ads: sums.ads.map { RevenueTable(["USD": $0]) })
          memory.note(totals, showsAnswers: false, in: window, at: .listStart)
        }
        let earlier = ConversionWindow.allCases.filter { $0.rawValue < window.rawValue && past[$0] != nil }.last
        var basis = RevenueBasis.stated
        func expected(fromAds: Bool) -> [String: Double] {
          let bits = given >> (fromAds ? 4 : 0) & 15
          let unit = fromAds ? 16.0 : 1
          if bits >> window.rawValue & 1 == 1 { return ["USD": unit * Double(1 << window.rawValue), "EUR": 1] }
          if bits >> 3 & 1 == 0 { return [:] }
          let total = unit * 8
          if window == .p0 { return ["USD": total, "EUR": 1] }
          if bits & 7 != 0 { return [:] }
          guard let earlier, let sums = past[earlier] else {
            if basis == .stated { basis = .unknown }
            return [:]
          }
          basis = .totalLess(earlier)
          return ["USD": total - ((fromAds ? sums.ads : sums.iap) ?? 0), "EUR": 1]
        }
        let (iap, ads) = (expected(fromAds: false), expected(fromAds: true))
        var revenue = WindowRevenue()
        try revenue.read(query, .v2, window, memory)
        for currency in ["USD", "EUR"] {
          #expect(revenue.iap[currency] == iap[currency], "\(sent) \(past)")
          #expect(revenue.ads[currency] == ads[currency], "\(sent) \(past)")
        }
        #expect(revenue.basis == basis, "\(sent) \(past)")
      }
    }
  }
}
