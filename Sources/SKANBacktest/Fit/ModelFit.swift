import SKANDevice
import SKANModel

/// A model that is fitted to devices, and the accuracy of its revenue ranges compared with two others.
///
/// The objective is the sum over all devices of |decoded − true| revenue of a window: of the first one for fine values,
/// of each one for its coarse values. A value is decoded to the middle of its range, the highest one to the start of its
/// range, and all other values to 0.
package struct ModelFit: Sendable {
  /// A division of revenue into ranges, and its errors.
  package struct Ladder: Sendable {
    package let ladder: RevenueLadder
    /// The error on the fitted devices, in millionths.
    package let fittedError: Int
    /// The error on the held-out devices, in millionths.
    package let heldOutError: Int
  }

  /// The ranges of one window's revenue, and two others that are made without a search.
  package struct Ranges: Sendable {
    package let fitted: RevenueSample
    package let heldOut: RevenueSample
    package let best: Ladder
    /// The best ranges with round boundaries; nil unless they are asked for.
    package let rounded: Ladder?
    package let quantiles: Ladder
    package let equalWidth: Ladder
    /// The number of devices by range, held-out ones included, after the number of those below the first range.
    package private(set) var users: [Int]

    /// The ranges of the model.
    package var chosen: Ladder { rounded ?? best }

    /// - Parameter values: the most ranges.
    fileprivate init(_ devices: [FitDevice], of window: ConversionWindow, values: Int, _ options: Options) {
      let fitted = RevenueSample(devices.filter { !$0.isHeldOut }.map { $0.revenue[window] })
      let heldOut = RevenueSample(devices.filter(\.isHeldOut).map { $0.revenue[window] })
      let first = fitted.index(of: 1)
      let candidates = LadderCandidates(Array(fitted.amounts[first...]))
      let counts = fitted.counts[first...]
      func rated(_ ladder: RevenueLadder) -> Ladder {
        Ladder(ladder: ladder, fittedError: fitted.error(of: ladder), heldOutError: heldOut.error(of: ladder))
      }
      let rivals = RivalLadders(fitted)
      let quantiles = rivals.quantiles(values)
      // The rivals' boundaries are among those of the fit.
      let own = candidates.all(counts: counts, atMost: options.mostEdges - 2 * values)
      let equalWidth = rivals.equalWidth(values, edges: own)
      let round = options.step.map { candidates.multiples(of: $0, counts: counts, atMost: options.mostEdges) }
      let edges = own + quantiles.boundaries + equalWidth.boundaries + (round ?? [])
      best = rated(LadderFit(fitted, edges: edges).best(ranges: values))
      rounded = round.map { rated(LadderFit(fitted, edges: $0).best(ranges: values)) }
      (self.fitted, self.heldOut) = (fitted, heldOut)
      (self.quantiles, self.equalWidth) = (rated(quantiles), rated(equalWidth))
      users = []
      let ladder = chosen.ladder
      users = [Int](repeating: 0, count: 1 + ladder.boundaries.count)
      for device in devices { users[ladder.index(of: device.revenue[window]).map { $0 + 1 } ?? 0] += 1 }
    }
  }

  /// What a fit is asked for.
  package struct Options: Sendable {
    /// Whether coarse values are fitted, too.
    package var fitsCoarse: Bool
    /// The number of millionths whose multiples are the boundaries; nil for any boundaries.
    package var step: Int?
    /// The most boundaries that are considered. A smaller number is faster and less accurate.
    package var mostEdges: Int

    package init(fitsCoarse: Bool = true, step: Int? = nil, mostEdges: Int = 4096) {
      self.fitsCoarse = fitsCoarse
      self.step = step
      self.mostEdges = mostEdges
    }
  }

  /// The currency of the report and the model.
  package let currency: CurrencyCode
  package let events: [String]
  /// The fine values of revenue.
  package let fine: Ranges
  /// The coarse values; nil if they are not fitted.
  package let coarse: PerWindow<Ranges>?
  /// The number of devices by fine value, including value 0 and held-out devices.
  package private(set) var users: [Int]

  /// - Parameters:
  ///   - values: the number of values for revenue, 1 to 63 including those of events.
  ///   - events: events that have their own values below those of revenue, in ascending order.
  package init(
    _ devices: [FitDevice], values: Int, events: [String], currency: CurrencyCode, _ options: Options = Options()
  ) {
    (self.currency, self.events) = (currency, events)
    fine = Ranges(devices, of: .p0, values: values, options)
    func coarse(_ window: ConversionWindow) -> Ranges {
      Ranges(devices, of: window, values: CoarseValue.allCases.count, options)
    }
    self.coarse = options.fitsCoarse ? PerWindow(coarse(.p0), coarse(.p1), coarse(.p2)) : nil
    let ladder = fine.chosen.ladder
    users = [Int](repeating: 0, count: 1 + events.count + ladder.boundaries.count)
    for device in devices {
      let value =
        ladder.index(of: device.revenue[.p0]).map { 1 + events.count + $0 } ?? device.event.map { 1 + $0 } ?? 0
      users[value] += 1
    }
  }

  /// The fitted model: values of events in the given order, and values of revenue above them.
  package var model: ConversionModel {
    var model = ConversionModel()
    let mappings = (events.map { MappedEvent(name: $0) } + entries(fine)).map(ValueMapping.init)
    model.fine = mappings.enumerated().map { index, mapping in
      ConversionModel.FineMapping(value: Int64(index + 1), mapping: mapping)
    }
    if let coarse {
      for window in ConversionWindow.allCases {
        model.windows[window].coarse = zip(CoarseValue.allCases, entries(coarse[window]))
          .map { ConversionModel.CoarseMapping(value: $0, mapping: ValueMapping($1)) }
      }
    }
    return model
  }

  private func entries(_ ranges: Ranges) -> [MappedEvent] {
    let ladder = ranges.chosen.ladder
    return ladder.boundaries.indices.map { index in
      MappedEvent(
        name: MappedEvent.allRevenue, currency: currency.name,
        revenue: RevenueCondition(
          min: RevenueLadder.amount(ladder.boundaries[index]), max: ladder.end(of: index).map(RevenueLadder.amount)))
    }
  }
}

extension ValueMapping {
  fileprivate init(_ entry: MappedEvent) {
    self.init()
    events = [entry]
  }
}

/// The input of a fit.
package struct FitInput: Sendable {
  package var devices: [FitDevice] = []
  /// The number of devices with each of the given events in the first window.
  package var counts: [Int]
  package var tally = InputTally()

  init(eventCount: Int) { counts = [Int](repeating: 0, count: eventCount) }

  mutating func add(_ other: FitInput) {
    devices += other.devices
    for index in counts.indices { counts[index] += other.counts[index] }
    tally += other.tally
  }
}

/// Extracts the input of a fit from devices, on one thread.
struct FitCollector {
  private(set) var input: FitInput
  private var assembler: LifeAssembler
  /// The index among the given events, by index of the name in the plan.
  private let indices: [Int?]
  /// The index of the session among the given events.
  private let session: Int?

  /// - Parameter events: the given events.
  init(_ plan: BacktestPlan, events: [String]) {
    input = FitInput(eventCount: events.count)
    assembler = LifeAssembler(currency: plan.currency, rates: plan.rates, startsAtFirstRow: plan.startsAtFirstRow)
    indices = plan.names.names.map { name in events.firstIndex { $0 == name } }
    session = events.firstIndex(of: Device.sessionEventName)
  }

  mutating func add(_ key: DeviceKey, _ records: DeviceRecords) {
    guard let life = assembler.life(of: key, records) else { return }
    var had: Set<Int> = []
    for event in life.events where life.window(at: event.time) == .p0 {
      switch event.update {
      case nil: break
      case .session?: if let session { had.insert(session) }
      case .event(let name)?: if let index = name.flatMap({ indices[$0] }) { had.insert(index) }
      }
    }
    for index in had { input.counts[index] += 1 }
    input.devices.append(
      FitDevice(revenue: life.revenue, event: had.max(), isHeldOut: key.isHeldOut))
  }

  var result: FitInput {
    var input = input
    input.tally = assembler.tally
    return input
  }
}

/// A device in the input of a fit.
package struct FitDevice: Sendable, Equatable {
  /// The revenue of each window, which end 2, 7 and 35 days after the beginning, in millionths of the report's currency.
  package var revenue: PerWindow<Int>
  /// The index of the last of the given events in the first window; nil without any.
  package var event: Int?
  /// Whether the device is excluded from fitting, so that the error on it is an unbiased estimate.
  package var isHeldOut: Bool

  package init(revenue: PerWindow<Int>, event: Int? = nil, isHeldOut: Bool = false) {
    self.revenue = revenue
    self.event = event
    self.isHeldOut = isHeldOut
  }
}

extension DeviceKey {
  /// One of this number of devices is held out.
  package static let heldOutShare = 5

  /// Whether a fit excludes the device. It depends only on the identifier's hash, not on the order of the input.
  package var isHeldOut: Bool { high % UInt64(Self.heldOutShare) == 0 }
}

extension BacktestRun {
  /// The input of a fit for all devices, which are not run.
  ///
  /// - Parameters:
  ///   - events: the given events, which the plan's model uses.
  ///   - jobs: the number of threads; it does not affect the result.
  ///   - isInterrupted: asked regularly; the result is meaningless after an interruption.
  package func fitInput(
    events: [String], jobs: Int, isInterrupted: @escaping @Sendable () -> Bool = { false }
  ) throws(EventPartitions.ReadFailure) -> FitInput {
    try partitions.reduce(
      into: FitInput(eventCount: events.count), jobs: jobs, isInterrupted: isInterrupted,
      makeWorker: { [plan] in FitCollector(plan, events: events) },
      visit: { collector, key, records in collector.add(key, records) },
      add: { input, collector in input.add(collector.result) })
  }
}
