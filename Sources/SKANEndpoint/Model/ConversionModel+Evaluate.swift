import SKANDevice

/// What a phone did so far, as an endpoint knows it.
package struct PhoneHistory: Sendable {
  /// Since the first call.
  package var elapsed: TimeSpan
  package var window: ConversionWindow
  /// Currency → sum of this window.
  package var iapRevenue: [String: Double]
  package var adRevenue: [String: Double]
  /// Event name → times seen in this window, the one that is being answered included.
  package var counts: [String: Int64]
  package var eventName: String
  /// The fine value that the phone reports.
  package var currentFine: Int64
}

/// What a model says of a phone.
package struct ModelVerdict: Sendable, Equatable {
  package var fine: Int64
  package var coarse: CoarseValue?
  package var locks: Bool
}

extension ConversionModel {
  /// The next value of a phone.
  ///
  /// In the first window the fine value is the highest whose mapping holds, and never below the current one; in later
  /// windows it is the current one. The coarse value is the highest of the window's that holds.
  ///
  /// - Throws: ``RateMissing`` when revenue must be converted from a currency that has no rate.
  package func verdict(on phone: PhoneHistory, rates: ExchangeRates) throws(RateMissing) -> ModelVerdict {
    try checkRates(for: phone, rates)
    var fine = phone.currentFine
    if phone.window == .p0 {
      for mapping in self.fine where mapping.value > fine {
        if try mapping.mapping.holds(for: phone, rates) { fine = mapping.value }
      }
    }
    let model = windows[phone.window]
    var coarse: CoarseValue?
    for mapping in model.coarse where try mapping.mapping.holds(for: phone, rates) {
      // The ladder stands in rising order.
      coarse = mapping.value
    }
    let locks =
      switch model.lock {
      case nil: false
      case .fine(let value): fine >= value
      case .coarse(let value): coarse.map { $0.rank >= value.rank } ?? false
      case .event(let name): name == phone.eventName
      }
    return ModelVerdict(fine: fine, coarse: coarse, locks: locks)
  }
}

extension ConversionModel {
  /// Every event that some mapping asks for: only these need to be counted.
  package var eventNames: Set<String> {
    let mappings = fine.map(\.mapping) + ConversionWindow.allCases.flatMap { windows[$0].coarse.map(\.mapping) }
    return Set(mappings.flatMap(\.events).filter { !$0.isRevenueOnly }.map(\.name))
  }

  /// A missing rate is told whenever the window's mappings ask for that revenue, also where another of their conditions
  /// would not have come to it.
  private func checkRates(for phone: PhoneHistory, _ rates: ExchangeRates) throws(RateMissing) {
    if phone.iapRevenue.isEmpty, phone.adRevenue.isEmpty { return }
    if phone.window == .p0 {
      for mapping in fine { try mapping.mapping.checkRates(for: phone, rates) }
    }
    for mapping in windows[phone.window].coarse { try mapping.mapping.checkRates(for: phone, rates) }
  }
}

extension ValueMapping {
  fileprivate func checkRates(for phone: PhoneHistory, _ rates: ExchangeRates) throws(RateMissing) {
    for event in events where event.isRevenueOnly || event.revenue != nil { _ = try event.amount(phone, rates) }
  }

  func holds(for phone: PhoneHistory, _ rates: ExchangeRates) throws(RateMissing) -> Bool {
    // Divided, not multiplied: a file may hold any number of hours.
    let hours = phone.elapsed.microseconds / 3_600_000_000
    if let minHours, hours < minHours { return false }
    if let maxHours, hours >= maxHours { return false }
    for event in events where try !event.holds(for: phone, rates) { return false }
    return true
  }
}

extension MappedEvent {
  func holds(for phone: PhoneHistory, _ rates: ExchangeRates) throws(RateMissing) -> Bool {
    if !isRevenueOnly {
      guard (occurrence ?? OccurrenceCondition(min: 1)).holds(phone.counts[name] ?? 0) else { return false }
      guard revenue != nil else { return true }
    }
    let amount = try amount(phone, rates)
    // Revenue alone, without a condition, asks for any revenue at all.
    guard let revenue else { return amount > 0 }
    return revenue.holds(amount)
  }
}

extension MappedEvent {
  /// The window's revenue of the entry's kind, in its currency.
  func amount(_ phone: PhoneHistory, _ rates: ExchangeRates) throws(RateMissing) -> Double {
    let currency = currency ?? "USD"
    var amount = 0.0
    if name != Self.adRevenue { amount += try rates.total(phone.iapRevenue, in: currency) }
    if name != Self.iapRevenue { amount += try rates.total(phone.adRevenue, in: currency) }
    return amount
  }
}

extension CoarseValue {
  /// 0 low, 1 medium, 2 high: the number on the wire.
  package var rank: Int64 {
    switch self {
    case .low: 0
    case .medium: 1
    case .high: 2
    }
  }
}
