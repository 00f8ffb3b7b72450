import SKANDevice

/// What a phone did so far, as an endpoint knows it.
package struct PhoneHistory: Sendable {
  /// Since the first call.
  package var elapsed: TimeSpan
  package var window: ConversionWindow
  /// Of this window.
  package var iapRevenue: RevenueTable?
  package var adRevenue: RevenueTable?
  /// The event that is being answered included.
  package var counts: EventCounts
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
  /// The next value of a phone; see ``ModelPlan``.
  package func verdict(on phone: PhoneHistory, rates: ExchangeRates) throws(RateMissing) -> ModelVerdict {
    try ModelPlan(self).verdict(on: phone, rates: rates)
  }

  /// Every event that some mapping asks for: only these need to be counted.
  package var eventNames: Set<String> {
    let mappings = fine.map(\.mapping) + ConversionWindow.allCases.flatMap { windows[$0].coarse.map(\.mapping) }
    return Set(mappings.flatMap(\.events).filter { !$0.isRevenueOnly }.map(\.name))
  }
}
