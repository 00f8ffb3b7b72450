import SKANDevice
import SKANModel

/// A model that is fitted to devices, and how well it and two others decode what they spent.
///
/// The objective: the sum over all devices of |decoded − true| revenue of the first window, where a fine value is decoded to the
/// middle of its range, the highest one to its beginning, and all others to 0.
package struct ModelFit: Sendable {
  /// A way to divide revenue, and its errors.
  package struct Ladder: Sendable {
    package let ladder: RevenueLadder
    /// In millionths, on the devices that it was fitted to.
    package let fittedError: Int
    /// In millionths, on those that were held out.
    package let heldOutError: Int
  }

  /// Of the report and the model.
  package let currency: CurrencyCode
  package let events: [String]
  package let fitted: RevenueSample
  package let heldOut: RevenueSample
  package let best: Ladder
  package let quantiles: Ladder
  package let equalWidth: Ladder
  /// How many devices get each value, with 0 and those held out.
  package private(set) var users: [Int]

  /// The most boundaries that are looked at.
  package static let mostEdges = 4096

  /// - Parameters:
  ///   - values: how many values stand for revenue, 1 to 63 together with the events'.
  ///   - events: names that give a value of their own below those of revenue, later ones a higher.
  ///   - mostEdges: less makes it quicker and worse.
  package init(
    _ devices: [FitDevice], values: Int, events: [String], currency: CurrencyCode, mostEdges: Int = Self.mostEdges
  ) {
    let fitted = RevenueSample(devices.filter { !$0.isHeldOut }.map(\.revenue))
    let heldOut = RevenueSample(devices.filter(\.isHeldOut).map(\.revenue))
    let first = fitted.index(of: 1)
    let rivals = RivalLadders(fitted)
    let quantiles = rivals.quantiles(values)
    // The rivals' boundaries, below each amount and of equal width, are among those of the fit.
    let own = LadderCandidates(Array(fitted.amounts[first...]))
      .all(counts: fitted.counts[first...], atMost: mostEdges - 2 * values)
    let equalWidth = rivals.equalWidth(values, edges: own)
    let best = LadderFit(fitted, edges: own + quantiles.boundaries + equalWidth.boundaries).best(ranges: values)
    func rated(_ ladder: RevenueLadder) -> Ladder {
      Ladder(ladder: ladder, fittedError: fitted.error(of: ladder), heldOutError: heldOut.error(of: ladder))
    }
    (self.fitted, self.heldOut, self.currency, self.events) = (fitted, heldOut, currency, events)
    (self.best, self.quantiles, self.equalWidth) = (rated(best), rated(quantiles), rated(equalWidth))
    users = [Int](repeating: 0, count: 1 + events.count + best.boundaries.count)
    for device in devices {
      let value = best.index(of: device.revenue).map { 1 + events.count + $0 } ?? device.event.map { 1 + $0 } ?? 0
      users[value] += 1
    }
  }

  /// The fitted model: the events first, in the order in which they were named, and revenue above them.
  package var model: ConversionModel {
    var model = ConversionModel()
    let ladder = best.ladder
    let entries =
      events.map { MappedEvent(name: $0) }
      + ladder.boundaries.indices.map { index in
        MappedEvent(
          name: MappedEvent.allRevenue, currency: currency.name,
          revenue: RevenueCondition(
            min: RevenueLadder.amount(ladder.boundaries[index]), max: ladder.end(of: index).map(RevenueLadder.amount)))
      }
    model.fine = entries.enumerated().map { index, entry in
      var mapping = ValueMapping()
      mapping.events = [entry]
      return ConversionModel.FineMapping(value: Int64(index + 1), mapping: mapping)
    }
    return model
  }
}
