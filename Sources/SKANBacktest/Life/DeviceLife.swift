import SKANDevice
import SKANModel

/// The events of a device from its beginning, in order of time.
package struct DeviceLife {
  /// An action of the app.
  package struct Event {
    package var time: Instant
    /// Nil for revenue without an event.
    package var update: Update?
    package var revenue: Revenue?
  }

  package enum Update: Equatable, Sendable {
    case session
    /// The index of the event's name among those that a model uses; nil for any other name.
    case event(Int?)
  }

  package struct Revenue {
    package var amount: Double
    package var currency: CurrencyCode
    package var isAdMonetization: Bool
    /// The amount in millionths of the report's currency; 0 without a rate.
    package var micros: Int
  }

  package var key: DeviceKey
  /// The time of the first call to Apple's framework.
  package var start: Instant
  package var events: [Event] = []
  /// The index of the kind of phone.
  var profile: UInt16 = 0
  /// The index of the group.
  var group = 0

  /// The window at a time; nil after the third. It is computed from whole seconds, as in the snippet.
  @inline(__always)
  package func window(at time: Instant) -> ConversionWindow? {
    let seconds = time.wholeSeconds - start.wholeSeconds
    if seconds < ConversionWindow.p0.end { return .p0 }
    if seconds < ConversionWindow.p1.end { return .p1 }
    return seconds < ConversionWindow.p2.end ? .p2 : nil
  }

  /// The end of a window.
  func end(of window: ConversionWindow) -> Instant {
    Instant(microseconds: (start.wholeSeconds + window.end) * 1_000_000)
  }

  /// The actual revenue in each window, in millionths.
  package var revenue: PerWindow<Int> {
    var revenue = PerWindow<Int>(repeating: 0)
    for event in events {
      if let micros = event.revenue?.micros, let window = window(at: event.time) { revenue[window].add(micros) }
    }
    return revenue
  }
}

/// Assembles the lives of devices from their records.
struct LifeAssembler {
  let currency: CurrencyCode
  let rates: ExchangeRates
  /// Whether a device whose beginning is not in the input begins with its first row; otherwise it is left out.
  let startsAtFirstRow: Bool
  /// The counts so far.
  private(set) var tally = InputTally()
  private var seen: Set<UInt64> = []
  private var events: [(time: Instant, event: PackedEvent)] = []

  init(currency: CurrencyCode, rates: ExchangeRates, startsAtFirstRow: Bool) {
    self.currency = currency
    self.rates = rates
    self.startsAtFirstRow = startsAtFirstRow
  }

  /// The life of a device; nil when it is left out.
  mutating func life(of key: DeviceKey, _ records: DeviceRecords) -> DeviceLife? {
    events.removeAll(keepingCapacity: true)
    records.forEach { events.append(($0, PackedEvent(from: &$1))) }
    return life(of: key)
  }

  /// The life of a device from its rows, which are in order of time; nil when it is left out.
  mutating func life(of key: DeviceKey, _ rows: [(time: Instant, event: PackedEvent)]) -> DeviceLife? {
    events = rows
    return life(of: key)
  }

  private mutating func life(of key: DeviceKey) -> DeviceLife? {
    guard let last = events.last else { return nil }
    dropDuplicates()
    guard let first = events.first else { return nil }
    tally.include(first.time...last.time)
    tally.devices += 1
    tally.rows += events.count
    for row in events where row.event.revenue != nil { tally.revenues += 1 }
    let installs = events.filter { $0.event.kind == .install }
    let beginning = DeviceBeginning.start(
      first: first.time, installRow: installs.first?.time,
      installed: first.event.installed.map { Instant(microseconds: $0) })
    if beginning == nil { tally.withoutBeginning += 1 }
    tally.furtherInstalls += max(0, installs.count - 1)
    guard let start = beginning ?? (startsAtFirstRow ? first.time : nil) else { return nil }
    tally.starts[start.utcDay, default: 0] += 1
    var life = DeviceLife(key: key, start: start)
    life.group = Int(events.lazy.map(\.event.group).first { $0 != 0 } ?? 0)
    life.profile = events.lazy.map(\.event.profile).first { $0 != 0 } ?? 0
    life.events.reserveCapacity(events.count)
    for (time, event) in events {
      let update: DeviceLife.Update?
      switch event.kind {
      case .install, .revenue: update = nil
      case .session: update = .session
      case .event: update = .event(event.name == EventPacker.otherName ? nil : Int(event.name))
      }
      let revenue = event.revenue.map { converted($0, at: time) }
      if update != nil || revenue != nil {
        life.events.append(DeviceLife.Event(time: time, update: update, revenue: revenue))
      }
    }
    return life
  }

  private mutating func dropDuplicates() {
    guard events.contains(where: { $0.event.duplicateKey != nil }) else { return }
    seen.removeAll(keepingCapacity: true)
    let count = events.count
    events.removeAll { row in
      guard let key = row.event.duplicateKey else { return false }
      return !seen.insert(key).inserted
    }
    tally.duplicates += count - events.count
  }

  private mutating func converted(_ revenue: ExportedRow.Revenue, at time: Instant) -> DeviceLife.Revenue {
    let amount = rates.converted(revenue.amount, from: revenue.currency, to: currency, at: time)
    if amount == nil {
      tally.withoutRate[rates.missing(from: revenue.currency, to: currency, at: time), default: 0] += 1
    }
    return DeviceLife.Revenue(
      amount: revenue.amount, currency: revenue.currency, isAdMonetization: revenue.isAdMonetization,
      micros: amount.map { Int(microUnits: $0) } ?? 0)
  }
}
