import SKANDevice

/// What a phone did so far, as an endpoint knows it.
struct PhoneHistory {
  /// Since the first call.
  var elapsed: TimeSpan
  var window: ConversionWindow
  var revenue = WindowRevenue()
  /// The index of that event among those that are counted; nil for one that no model asks for.
  var event: Int?
  /// The fine value that the phone reports.
  var currentFine: Int64
  /// The coarse value that the request states for this window, 0-2; nil in the first window, where the fine value decides.
  var statedCoarse: Int64?
}

/// What a model says of a phone.
package struct ModelVerdict: Sendable, Equatable {
  package var fine: Int64
  package var coarse: CoarseValue?
  package var locks: Bool
  /// No mapping with this coarse value holds now: it is the one that the phone had.
  package var keepsCoarse = false
}

extension ConversionModel {
  /// Every event that some mapping or lock asks for, in order: only these need to be counted.
  package var eventNames: [String] {
    let mappings = fine.map(\.mapping) + ConversionWindow.allCases.flatMap { windows[$0].coarse.map(\.mapping) }
    let locks = ConversionWindow.allCases.compactMap { window -> String? in
      if case .event(let name)? = windows[window].lock { name } else { nil }
    }
    return Set(mappings.flatMap(\.events).filter { !$0.isRevenueOnly }.map(\.name) + locks).sorted()
  }
}
