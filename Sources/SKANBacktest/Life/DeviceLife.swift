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
  /// The number of windows, from the first on, that ended by the end of what was observed. Only these count, and
  /// ``events`` has no later ones, unless all three have ended.
  package var ended = ConversionWindow.allCases.count
  /// The device's identifier in UTF-8; empty unless the plan lists devices.
  var identifier: [UInt8] = []

  /// Whether a window of the device counts.
  @inline(__always)
  package func counts(_ window: ConversionWindow) -> Bool { window.rawValue < ended }

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

  /// The actual revenue.
  package var amounts: Amounts {
    var amounts = Amounts()
    for event in events {
      if let micros = event.revenue?.micros, let window = window(at: event.time) { amounts.add(micros, in: window) }
    }
    return amounts
  }

  /// The actual revenue in each window, in millionths of the report's currency.
  package struct Amounts: Sendable, Equatable {
    /// With refunds taken off.
    package var net = PerWindow<Int>(repeating: 0)
    /// Without refunds.
    package var gross = PerWindow<Int>(repeating: 0)

    mutating func add(_ micros: Int, in window: ConversionWindow) {
      net[window].add(micros)
      if micros > 0 { gross[window].add(micros) }
    }
  }
}

/// Assembles the lives of devices from their records.
struct LifeAssembler {
  private let plan: BacktestPlan
  /// The end of what was observed.
  private let until: Instant
  /// The counts so far.
  private(set) var tally = InputTally()
  private var seen: Set<UInt64> = []
  private var events: [(time: Instant, event: PackedEvent)] = []

  init(_ plan: BacktestPlan, until: Instant) {
    self.plan = plan
    self.until = until
  }

  /// The life of a device; nil when it is left out.
  mutating func life(of key: DeviceKey, _ records: DeviceRecords) -> DeviceLife? {
    events.removeAll(keepingCapacity: true)
    var identifier: [UInt8] = []
    records.forEach { time, reader in
      events.append((time, PackedEvent(from: &reader)))
      // The identifier is at the end of each record.
      if identifier.isEmpty, reader.rest > 0 { identifier = unsafe Array(reader.slice(reader.rest)) }
    }
    return life(of: key, identifier)
  }

  /// The life of a device from its rows, which are in order of time; nil when it is left out.
  mutating func life(
    of key: DeviceKey, _ identifier: [UInt8], _ rows: [(time: Instant, event: PackedEvent)]
  ) -> DeviceLife? {
    events = rows
    return life(of: key, identifier)
  }

  private mutating func life(of key: DeviceKey, _ identifier: [UInt8]) -> DeviceLife? {
    guard let last = events.last else { return nil }
    dropDuplicates()
    guard let first = events.first else { return nil }
    tally.include(first.time...last.time)
    tally.devices += 1
    tally.rows += events.count
    let beginning = DeviceBeginning.start(
      of: events.lazy.map { DeviceBeginning.Row($0.time, $0.event.kind, begins: $0.event.begins, $0.event.revenue) },
      installed: first.event.installed.map { Instant(microseconds: $0) })
    if beginning == nil { tally.withoutBeginning += 1 }
    tally.furtherInstalls += max(0, events.count { $0.event.kind == .install } - 1)
    guard let start = beginning ?? (plan.startsAtFirstRow ? first.time : nil) else { return nil }
    var life = DeviceLife(key: key, start: start)
    life.identifier = identifier
    life.group = Int(events.lazy.map(\.event.group).first { $0 != 0 } ?? 0)
    life.profile = events.lazy.map(\.event.profile).first { $0 != 0 } ?? 0
    let end = countEnded(&life)
    life.events.reserveCapacity(events.count)
    for (time, event) in events {
      let update: DeviceLife.Update?
      switch event.kind {
      case .install, .revenue: update = nil
      case .session: update = .session
      case .event: update = .event(event.name == EventPacker.otherName ? nil : Int(event.name))
      }
      let revenue = event.revenue.map { converted($0, at: time) }
      guard update != nil || revenue != nil else { continue }
      if time < start {
        tally.beforeBeginning += 1
      } else if time <= end {
        life.events.append(DeviceLife.Event(time: time, update: update, revenue: revenue))
      }
    }
    return life
  }

  /// Counts the windows that ended, and returns the last time at which events count.
  private mutating func countEnded(_ life: inout DeviceLife) -> Instant {
    var end = life.start
    life.ended = 0
    for window in [ConversionWindow.p0, .p1, .p2] {
      if life.end(of: window) <= until {
        life.ended += 1
        end = life.end(of: window)
      } else {
        tally.young[window] += 1
      }
    }
    // What comes after the last window, and was observed, is counted, too.
    return life.counts(.p2) ? until : Instant(microseconds: end.microseconds - 1)
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
    let (rates, currency) = (plan.rates, plan.currency)
    let amount = rates.converted(revenue.amount, from: revenue.currency, to: currency, at: time)
    if amount == nil {
      tally.withoutRate[rates.missing(from: revenue.currency, to: currency, at: time), default: 0] += 1
    }
    return DeviceLife.Revenue(
      amount: revenue.amount, currency: revenue.currency, isAdMonetization: revenue.isAdMonetization,
      micros: amount.map { Int(microUnits: $0) } ?? 0)
  }
}
