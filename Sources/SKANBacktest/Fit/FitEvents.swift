import SKANDevice

/// The events that a fit gives values, below those of revenue.
///
/// Without weights each has a fine value, in the given order. With weights they share the values with revenue, in every
/// window: a weight is what it costs, in the fit's objective, not to be told that a device had the event. A value of an
/// event tells of that event alone, a value of revenue of none.
package struct FitEvents: Sendable, Equatable {
  package let names: [String]
  /// In millionths of the currency, ascending; nil without weights.
  package let weights: [Int]?

  /// The most events with weights: all sets of them are tried.
  package static let mostWeights = 8

  /// Events that each have a value, from the lowest on.
  package init(_ names: [String]) { (self.names, weights) = (names, nil) }

  /// Events with weights above 0; of equal ones the later is higher.
  package init(weights: [(name: String, weight: Int)]) {
    let sorted = weights.enumerated().sorted { ($0.element.weight, $0.offset) < ($1.element.weight, $1.offset) }
    names = sorted.map(\.element.name)
    self.weights = sorted.map(\.element.weight)
  }

  /// The events that have values in any case.
  var always: [Int] { weights == nil ? Array(names.indices) : [] }

  /// The events of coarse values.
  var ofCoarseValues: FitEvents { weights == nil ? FitEvents([]) : self }

  /// The event that a device's value tells of, if these have values.
  private func told(_ had: UInt64, of values: UInt64) -> Int? {
    let common = had & values
    return common == 0 ? nil : 63 - common.leadingZeroBitCount
  }

  /// The sum of the weights of a set of events.
  private func sum(_ events: UInt64) -> Int {
    (weights ?? []).enumerated().reduce(0) {
      events >> UInt64($1.offset) & 1 == 1 ? $0.addedSaturating($1.element) : $0
    }
  }

  /// The weights of events that the values of devices do not tell.
  func untold(
    _ devices: [FitDevice], in window: ConversionWindow, heldOut: Bool, by ladder: RevenueLadder, _ events: [Int]
  ) -> Int {
    guard let weights else { return 0 }
    let values = events.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
    return devices.reduce(0) { cost, device in
      guard device.isHeldOut == heldOut else { return cost }
      let had = device.had[window]
      let told = ladder.index(of: device.revenue[window]) == nil ? told(had, of: values) : nil
      return cost.addedSaturating(sum(had) - (told.map { weights[$0] } ?? 0))
    }
  }

  /// The events that get values, and the ranges of revenue, with the least sum of both errors on the devices that are
  /// fitted. Of equally good ones it has the fewest ranges. Each event with a value has the least number of devices that
  /// the fit of the ranges keeps.
  ///
  /// - Parameter values: the most values; without weights, those of revenue alone.
  func choice(
    _ fit: LadderFit, _ devices: [FitDevice], in window: ConversionWindow, values: Int
  ) -> (events: [Int], ladder: RevenueLadder) {
    guard let weights else { return (always, fit.best(ranges: values)?.ladder ?? RevenueLadder([])) }
    // The devices by number of boundaries that are not above their revenue, and by the events that they had.
    var counts = [[UInt64: Int]](repeating: [:], count: fit.edges.count + 1)
    for device in devices where !device.isHeldOut {
      counts[fit.position(of: device.revenue[window])][device.had[window], default: 0] += 1
    }
    var best: (cost: Int, events: [Int], ladder: RevenueLadder)?
    for subset in 0..<UInt64(1) << UInt64(weights.count) where subset.nonzeroBitCount <= values {
      // The weights told of devices below each boundary, and at the end of all devices; nil if an event has too few.
      var (sum, users) = (0, [Int](repeating: 0, count: weights.count))
      let told = counts.map { counts -> Int? in
        for (had, count) in counts {
          guard let event = self.told(had, of: subset) else { continue }
          sum = sum.addedSaturating(count.multipliedSaturating(by: weights[event]))
          users[event] += count
        }
        return users.enumerated().allSatisfy { subset >> UInt64($0) & 1 == 0 || $1 >= fit.leastDevices } ? sum : nil
      }
      var choice = fit.best(ranges: values - subset.nonzeroBitCount, credit: told)
      if let all = told[fit.edges.count], fit.errorWithoutRanges - all <= choice?.error ?? .max {
        choice = (fit.errorWithoutRanges - all, RevenueLadder([]))
      }
      guard let (cost, ladder) = choice else { continue }
      if best.map({ cost < $0.cost }) ?? true {
        best = (cost, weights.indices.filter { subset >> UInt64($0) & 1 == 1 }, ladder)
      }
    }
    return best.map { ($0.events, $0.ladder) } ?? ([], RevenueLadder([]))
  }
}
