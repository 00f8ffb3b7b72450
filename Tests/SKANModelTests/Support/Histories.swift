@testable import SKANDevice
@testable import SKANModel

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
    let events = EventNames(eventNames)
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
      elapsed: TimeSpan(microseconds: microseconds), window: window,
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
