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

/// An input as a fit sees it.
package struct FitInput: Sendable {
  package var devices: [FitDevice] = []
  /// How many devices had each of the named events in the first window.
  package var counts: [Int]
  package var tally = InputTally()

  init(eventCount: Int) { counts = [Int](repeating: 0, count: eventCount) }

  mutating func add(_ other: FitInput) {
    devices += other.devices
    for index in counts.indices { counts[index] += other.counts[index] }
    tally += other.tally
  }
}

/// Takes from devices what a fit needs, on one thread.
struct FitCollector {
  private(set) var input: FitInput
  private var assembler: LifeAssembler
  /// By the index of a name in the plan: its index among the named events.
  private let indices: [Int?]
  /// The index of the session among the named events.
  private let session: Int?

  /// - Parameter events: as they were named.
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

  /// Everything that was taken.
  var result: FitInput {
    var input = input
    input.tally = assembler.tally
    return input
  }
}

/// A device as a fit sees it.
package struct FitDevice: Sendable, Equatable {
  /// Revenue of the first window, 48 hours from the beginning, in millionths of the report's currency.
  package var revenue: Int
  /// The index of the last of the named events that it had in the first window; nil when it had none.
  package var event: Int?
  /// Whether nothing is fitted to it, so that the error on it is one that is to be expected.
  package var isHeldOut: Bool

  package init(revenue: Int, event: Int? = nil, isHeldOut: Bool = false) {
    self.revenue = revenue
    self.event = event
    self.isHeldOut = isHeldOut
  }
}

extension DeviceKey {
  /// Of this number of devices one is held out.
  package static let heldOutShare = 5

  /// Whether a fit leaves the device out: by the hash of its identifier, so that it is the same in any order of the input.
  package var isHeldOut: Bool { high % UInt64(Self.heldOutShare) == 0 }
}

extension BacktestRun {
  /// What a fit needs of all devices, instead of running them.
  ///
  /// - Parameters:
  ///   - events: the named events; the plan's model asks for them.
  ///   - jobs: how many threads; the fit does not depend on it.
  ///   - isInterrupted: asked now and then; the result is of no use then.
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
