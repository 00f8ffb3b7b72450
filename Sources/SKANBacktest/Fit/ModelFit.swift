import SKANDevice
import SKANModel

/// A model that is fitted to devices, and the accuracy of its revenue ranges compared with two others.
///
/// The objective is the sum over all devices of |decoded − true| revenue of a window: of the first one for fine values,
/// of each one for its coarse values. A value is decoded to the middle of its range, the highest one to the start of its
/// range, and all other values to 0. If events have weights, the weights of those that a device's value does not tell
/// are added.
///
/// Each range of revenue keeps ``LadderLimits``, and each event that the fit chooses has at least as many devices.
package struct ModelFit: Sendable {
  /// A division of revenue into ranges, the events that have values below them, and their errors.
  package struct Ladder: Sendable {
    package let ladder: RevenueLadder
    /// The indices of the events with values, from the lowest value on.
    package let events: [Int]
    /// The names of these events.
    package let eventNames: [String]
    package let fitted: FitError
    /// The error on the held-out devices.
    package let heldOut: FitError

    /// The number of values.
    package var count: Int { events.count + ladder.boundaries.count }

    /// The number of the value of a device, from 1; 0 for a device that has none.
    func value(_ device: FitDevice, in window: ConversionWindow) -> Int {
      if let range = ladder.index(of: device.revenue[window]) { return events.count + range + 1 }
      return (events.lastIndex { device.had[window] >> UInt64($0) & 1 == 1 } ?? -1) + 1
    }

    /// The revenue to which a value is decoded, in millionths.
    func decoded(_ value: Int) -> Int { value > events.count ? ladder.decoded(value - events.count - 1) : 0 }
  }

  /// The values of one window, and others that are made without a search.
  package struct Ranges: Sendable {
    package let fitted: RevenueSample
    package let heldOut: RevenueSample
    /// The revenue of the fitted and of the held-out devices without refunds, of which errors are percentages.
    let gross: (fitted: Int, heldOut: Int)
    package let best: Ladder
    /// The best ranges with round boundaries; nil unless they are asked for.
    package let rounded: Ladder?
    package let quantiles: Ladder
    package let logEqual: Ladder
    package let kMeans: Ladder
    /// The least number of fitted devices for a value.
    package let leastDevices: Int
    /// The number of devices by value, held-out ones included, after the number of those without one.
    package private(set) var users: [Int]

    /// The values of the model.
    package var chosen: Ladder { rounded ?? best }

    /// - Parameters:
    ///   - all: the devices; those that have not ended the window do not count.
    ///   - values: the most values; those of events that have no weights come in addition.
    ///   - events: those that have values.
    fileprivate init(
      _ all: [FitDevice], of window: ConversionWindow, values: Int, events: FitEvents, _ limits: LadderLimits,
      _ options: Options
    ) {
      let devices = all.filter { $0.counts(window) }
      func gross(_ isHeldOut: Bool) -> Int {
        devices.reduce(0) { $1.isHeldOut == isHeldOut ? $0.addedSaturating($1.gross[window]) : $0 }
      }
      self.gross = (gross(false), gross(true))
      let fitted = RevenueSample(devices.filter { !$0.isHeldOut }.map { $0.revenue[window] })
      let heldOut = RevenueSample(devices.filter(\.isHeldOut).map { $0.revenue[window] })
      let first = fitted.index(of: 1)
      let candidates = LadderCandidates(Array(fitted.amounts[first...]))
      let counts = fitted.counts[first...]
      func rated(_ ladder: RevenueLadder, _ told: [Int]) -> Ladder {
        Ladder(
          ladder: ladder, events: told, eventNames: told.map { events.names[$0] },
          fitted: FitError(
            revenue: fitted.error(of: ladder),
            events: events.untold(devices, in: window, heldOut: false, by: ladder, told)),
          heldOut: FitError(
            revenue: heldOut.error(of: ladder),
            events: events.untold(devices, in: window, heldOut: true, by: ladder, told)))
      }
      func best(_ edges: [Int]) -> Ladder {
        let fit = LadderFit(fitted, edges: options.fitsRevenue ? edges : [], most: values, limits: limits)
        let choice = events.choice(fit, devices, in: window, values: values)
        return rated(choice.ladder, choice.events)
      }
      let rivals = RivalLadders(fitted, limits)
      let (quantiles, logEqual, kMeans) = (rivals.quantiles(values), rivals.logEqual(values), rivals.kMeans(values))
      // The rivals' boundaries are among those of the fit.
      let theirs = [quantiles, logEqual, kMeans].flatMap(\.boundaries)
      let usual = candidates.usual(atMost: options.mostEdges / 4)
      let own = candidates.all(counts: counts, atMost: options.mostEdges - theirs.count - usual.count)
      let round = options.step.map { candidates.multiples(of: $0, counts: counts, atMost: options.mostEdges) }
      self.best = best(own + usual + theirs + (round ?? []))
      rounded = round.map { best($0) }
      (self.fitted, self.heldOut) = (fitted, heldOut)
      leastDevices = limits.devices.of(fitted.payers)
      self.quantiles = rated(quantiles, events.always)
      self.logEqual = rated(logEqual, events.always)
      self.kMeans = rated(kMeans, events.always)
      users = []
      let chosen = chosen
      users = [Int](repeating: 0, count: 1 + chosen.count)
      for device in devices { users[chosen.value(device, in: window)] += 1 }
    }
  }

  /// What a fit is asked for.
  package struct Options: Sendable {
    /// Whether coarse values are fitted, too.
    package var fitsCoarse: Bool
    /// Whether values may stand for revenue; otherwise all are for events with weights.
    package var fitsRevenue: Bool
    /// The limits of each range.
    package var limits: LadderLimits
    /// The number of millionths whose multiples are the boundaries; nil for any boundaries.
    package var step: Int?
    /// The hours in which the model measures; nil for all windows. The devices are those measured in them.
    package var hours: Int?
    /// The most boundaries that are considered. A smaller number is faster and less accurate.
    package var mostEdges: Int

    package init(
      fitsCoarse: Bool = true, fitsRevenue: Bool = true, limits: LadderLimits = LadderLimits(), step: Int? = nil,
      hours: Int? = nil, mostEdges: Int = 4096
    ) {
      self.fitsCoarse = fitsCoarse
      self.fitsRevenue = fitsRevenue
      self.limits = limits
      self.step = step
      self.hours = hours
      self.mostEdges = mostEdges
    }
  }

  /// The currency of the report and the model.
  package let currency: CurrencyCode
  package let events: FitEvents
  /// The hours in which the model measures; nil for all windows.
  package let hours: Int?
  package let fitsRevenue: Bool
  /// The limits of each range of revenue, in the currency.
  package let limits: LadderLimits
  /// The fine values.
  package let fine: Ranges
  /// The coarse values; nil if they are not fitted.
  package let coarse: PerWindow<Ranges>?
  /// A text about the model for its readers.
  package var description: String?
  /// The hash of the input, for the model.
  package var inputHash: UInt64?

  /// - Parameters:
  ///   - values: the number of values for revenue, 1 to 63 including those of events; of events with weights, too.
  package init(
    _ devices: [FitDevice], values: Int, events: FitEvents, currency: CurrencyCode, _ options: Options = Options()
  ) {
    (self.currency, self.events) = (currency, events)
    (hours, fitsRevenue) = (options.hours, options.fitsRevenue)
    let limits = options.limits.with(currency)
    self.limits = limits
    fine = Ranges(devices, of: .p0, values: values, events: events, limits, options)
    func coarse(_ window: ConversionWindow) -> Ranges {
      Ranges(devices, of: window, values: CoarseValue.allCases.count, events: events.ofCoarseValues, limits, options)
    }
    self.coarse = options.fitsCoarse ? PerWindow(coarse(.p0), coarse(.p1), coarse(.p2)) : nil
  }

  /// The number of devices by fine value, including value 0 and held-out devices.
  package var users: [Int] { fine.users }

  /// The fitted model: values of events, and values of revenue above them.
  package var model: ConversionModel {
    var model = ConversionModel()
    model.description = description
    model.fittedTo = inputHash?.hexText
    model.measurementHours = hours.map(Int64.init)
    model.fine = mappings(fine).enumerated().map { index, mapping in
      ConversionModel.FineMapping(value: Int64(index + 1), mapping: mapping)
    }
    if let coarse {
      for window in ConversionWindow.allCases {
        model.windows[window].coarse = zip(CoarseValue.allCases, mappings(coarse[window]))
          .map { ConversionModel.CoarseMapping(value: $0, mapping: $1) }
      }
    }
    return model
  }

  private func mappings(_ ranges: Ranges) -> [ValueMapping] {
    let ladder = ranges.chosen.ladder
    let revenues = ladder.boundaries.indices.map { index in
      MappedEvent(
        name: MappedEvent.allRevenue, currency: currency.name,
        revenue: RevenueCondition(
          min: RevenueLadder.amount(ladder.boundaries[index]), max: ladder.end(of: index).map(RevenueLadder.amount)))
    }
    return (ranges.chosen.eventNames.map { MappedEvent(name: $0) } + revenues).map { entry in
      var mapping = ValueMapping()
      mapping.events = [entry]
      return mapping
    }
  }
}

/// The error of a fit, in millionths.
package struct FitError: Sendable, Equatable {
  /// The sum over devices of |decoded − true| revenue.
  package var revenue: Int
  /// The sum over devices of the weights of events that their values do not tell.
  package var events: Int

  var total: Int { revenue.addedSaturating(events) }
}
