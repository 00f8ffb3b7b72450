import SKANDevice
import SKANModel

/// A model that is fitted to devices, and the accuracy of its revenue ranges compared with two others.
///
/// The objective is the sum over all devices of |decoded − true| revenue of the first window. A fine value is decoded
/// to the middle of its range, the highest one to the start of its range, and all other values to 0.
package struct ModelFit: Sendable {
  /// A division of revenue into ranges, and its errors.
  package struct Ladder: Sendable {
    package let ladder: RevenueLadder
    /// The error on the fitted devices, in millionths.
    package let fittedError: Int
    /// The error on the held-out devices, in millionths.
    package let heldOutError: Int
  }

  /// The currency of the report and the model.
  package let currency: CurrencyCode
  package let events: [String]
  package let fitted: RevenueSample
  package let heldOut: RevenueSample
  package let best: Ladder
  package let quantiles: Ladder
  package let equalWidth: Ladder
  /// The number of devices by value, including value 0 and held-out devices.
  package private(set) var users: [Int]

  /// The most boundaries that are considered.
  package static let mostEdges = 4096

  /// - Parameters:
  ///   - values: the number of values for revenue, 1 to 63 including those of events.
  ///   - events: events that have their own values below those of revenue, in ascending order.
  ///   - mostEdges: a smaller number is faster and less accurate.
  package init(
    _ devices: [FitDevice], values: Int, events: [String], currency: CurrencyCode, mostEdges: Int = Self.mostEdges
  ) {
    let fitted = RevenueSample(devices.filter { !$0.isHeldOut }.map(\.revenue))
    let heldOut = RevenueSample(devices.filter(\.isHeldOut).map(\.revenue))
    let first = fitted.index(of: 1)
    let rivals = RivalLadders(fitted)
    let quantiles = rivals.quantiles(values)
    // The rivals' boundaries are among those of the fit.
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

  /// The fitted model: values of events in the given order, and values of revenue above them.
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
      FitDevice(revenue: life.revenue[.p0], event: had.max(), isHeldOut: key.isHeldOut))
  }

  var result: FitInput {
    var input = input
    input.tally = assembler.tally
    return input
  }
}

/// A device in the input of a fit.
package struct FitDevice: Sendable, Equatable {
  /// The revenue of the first window, 48 hours from the beginning, in millionths of the report's currency.
  package var revenue: Int
  /// The index of the last of the given events in the first window; nil without any.
  package var event: Int?
  /// Whether the device is excluded from fitting, so that the error on it is an unbiased estimate.
  package var isHeldOut: Bool

  package init(revenue: Int, event: Int? = nil, isHeldOut: Bool = false) {
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
