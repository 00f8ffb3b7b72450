import SKANDevice

@testable import SKANEndpoint

extension PhoneHistory {
  /// A phone some time after its first call, in the window of that time.
  static func at(
    hours: Double = 1, iap: [String: Double] = [:], ads: [String: Double] = [:], counts: [String: Int64] = [:],
    event: String = "__SESSION__", fine: Int64 = 0
  ) -> PhoneHistory {
    let microseconds = Int64((hours * 3_600_000_000).rounded())
    let window = ConversionWindow.at(secondsSinceFirstCall: microseconds / 1_000_000) ?? .p2
    var windows = PerWindow<[String: Int64]>(repeating: [:])
    windows[window] = counts
    return PhoneHistory(
      elapsed: TimeSpan(microseconds: microseconds), window: window, iapRevenue: RevenueTable(iap),
      adRevenue: RevenueTable(ads), counts: EventCounts(windows), eventName: event, currentFine: fine)
  }
}

extension RevenueTable {
  init(_ sums: [String: Double]) { self.init(sums.map { ($0.key, $0.value) }) }
}

/// The same numbers on every run (splitmix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension PhoneHistory {
  /// Any phone that an example model can meet.
  static func random(using generator: inout SeededGenerator) -> PhoneHistory {
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
