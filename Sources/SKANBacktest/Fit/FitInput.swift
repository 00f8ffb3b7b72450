import SKANDevice
import SKANModel

/// What a fit knows of an input.
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
