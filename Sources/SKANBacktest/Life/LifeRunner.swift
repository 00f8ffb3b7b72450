import SKANBase
import SKANDevice
import SKANModel
import SKANRun
import SKANSystem

/// Runs devices with one model as their endpoint. Each thread has its own runner.
///
/// A device's steps run as in `skan replay`, with two exceptions that do not affect the numbers: parts that only
/// results show are omitted, and the endpoint is not asked for an update whose answer and effect equal those of the
/// previous one.
final class LifeRunner {
  private let endpoint: ReferenceEndpoint
  private let profiles: LifeProfiles
  private let edges: ModelEdges
  /// Whether an answer can change at midnight UTC without anything else.
  private let hasDailyRates: Bool
  /// A new phone of each kind used so far, by the index of the kind.
  private var fresh: [UInt16: LifePhone] = [:]
  /// The events by index of the name, followed by one for all events that no model uses.
  private let events: [Event]
  private let session: Event
  /// The state at the last device's first answer that locks a window.
  private var fork: Fork?
  private var ignoresLocks = false

  private struct Event {
    let name: String
    /// Nil for an event that the model does not use.
    let index: Int?
    /// The counts at which an answer can change.
    let edges: [Int64]
    let isLock: Bool

    init(_ name: String, _ endpoint: ReferenceEndpoint, _ edges: ModelEdges) {
      self.name = name
      index = endpoint.index(ofEvent: name)
      self.edges = edges.counts(of: name)
      isLock = edges.isLock(name)
    }
  }

  private struct Fork {
    let phone: LifePhone
    let reply: ReferenceReply
    let eventIndex: Int
  }

  init(_ model: ConversionModel, names: NameIndex, profiles: LifeProfiles, _ rates: ExchangeRates) {
    let (endpoint, edges) = (ReferenceEndpoint(defaultModel: model, rates: rates), ModelEdges(model))
    (self.endpoint, self.edges, self.profiles) = (endpoint, edges, profiles)
    hasDailyRates = rates.isDaily
    events = (names.names + ["another_event"]).map { Event($0, endpoint, edges) }
    session = Event(Device.sessionEventName, endpoint, edges)
  }

  /// Runs a device until the end of its third window.
  ///
  /// - Parameter tally: receives the outcomes of the steps.
  /// - Returns: the values that Apple finally holds.
  func run(_ life: DeviceLife, _ tally: inout BacktestTally) -> LifeValues {
    fork = nil
    var phone = phone(life.profile)
    phone.device.framework.launched(at: life.start)
    let report = phone.device.register(at: life.start, frameworkError: nil)
    tally.outcomes[Int(report.outcome.rawValue)] += 1
    run(life, from: 0, &phone, &tally)
    return LifeValues(phone.device.framework)
  }

  /// The values that Apple would finally hold for the last device if answers locked no windows.
  ///
  /// - Returns: nil if no answer locked a window.
  func valuesWithoutLocks(_ life: DeviceLife, _ ignored: inout BacktestTally) -> LifeValues? {
    guard let fork else { return nil }
    ignoresLocks = true
    defer { ignoresLocks = false }
    var phone = fork.phone
    finish(fork.reply.withoutLock, at: life.events[fork.eventIndex].time, of: life, &phone, &ignored)
    run(life, from: fork.eventIndex + 1, &phone, &ignored)
    return LifeValues(phone.device.framework)
  }

  private func run(_ life: DeviceLife, from first: Int, _ phone: inout LifePhone, _ tally: inout BacktestTally) {
    for index in first..<life.events.count {
      let event = life.events[index]
      let window = life.window(at: event.time)
      if let update = event.update {
        let isLocked = window.map { phone.device.framework.held[$0].lockedAt != nil } ?? false
        count(update, window, isLocked: isLocked, &tally)
      }
      // Later events do not affect any postback.
      guard let window else { continue }
      if let revenue = event.revenue { add(revenue, at: event.time, to: &phone, &tally) }
      switch event.update {
      case nil: break
      case .session?: update(session, index, in: window, of: life, &phone, &tally)
      case .event(let name)?: update(events[name ?? events.count - 1], index, in: window, of: life, &phone, &tally)
      }
    }
  }

  private func phone(_ profile: UInt16) -> LifePhone {
    if let phone = fresh[profile] { return phone }
    let phone = LifePhone(Device(profiles[profile]))
    fresh[profile] = phone
    return phone
  }

  /// Adds revenue. An amount beyond single precision is ignored, as no step can add it.
  private func add(
    _ revenue: DeviceLife.Revenue, at time: Instant, to phone: inout LifePhone, _ tally: inout BacktestTally
  ) {
    phone.hasNewRevenue = true
    do throws(RevenueError) {
      let report = try phone.device.addRevenue(
        revenue.amount, currency: revenue.currency.name, isAdMonetization: revenue.isAdMonetization, at: time)
      tally.outcomes[Int(report.outcome.rawValue)] += 1
    } catch {
      tally.outcomes[Int(Outcome.ignored.rawValue)] += 1
    }
  }

  private func update(
    _ event: borrowing Event, _ eventIndex: Int, in window: ConversionWindow, of life: DeviceLife,
    _ phone: inout LifePhone, _ tally: inout BacktestTally
  ) {
    let time = life.events[eventIndex].time
    if !event.isLock, phone.isSteady(at: time) {
      let count = event.index.map { phone.memory.counts[$0, window] + 1 } ?? 0
      if !event.edges.contains(count) {
        if let index = event.index { phone.memory.counts[index, window] = count }
        tally.outcomes[Int(Outcome.updated.rawValue)] += 1
        return
      }
    }
    if case .ended(let report) = phone.device.beginUpdate(at: time) {
      phone.forget()
      tally.outcomes[Int(report.outcome.rawValue)] += 1
      return
    }
    let isChecked = phone.memory.checkedRevision == phone.device.revision
    var reply = endpoint.reply(
      to: &phone.device, event: event.name, isKnown: isChecked, at: time, memory: &phone.memory)
    if let decision = reply.decision {
      phone.memory.checkedRevision = phone.device.revision
      if decision.locks {
        if ignoresLocks {
          reply = reply.withoutLock
        } else if fork == nil {
          fork = Fork(phone: phone, reply: reply, eventIndex: eventIndex)
        }
      }
    }
    finish(reply, at: time, of: life, &phone, &tally)
  }

  private func finish(
    _ reply: ReferenceReply, at time: Instant, of life: DeviceLife, _ phone: inout LifePhone,
    _ tally: inout BacktestTally
  ) {
    var report = StepReport()
    phone.device.finishUpdate(reply.members, at: time, &report)
    tally.outcomes[Int(report.outcome.rawValue)] += 1
    // SKAN 3's windows move with each answer.
    guard let decision = reply.decision, report.outcome == .updated, phone.device.snippet != .skan3,
      let window = life.window(at: time), phone.device.kept.firstCall == life.start.wholeSeconds
    else { return phone.forget() }
    let first = Instant(microseconds: life.start.wholeSeconds * 1_000_000)
    let edge = edges.next(after: time.since(first)).map { first.later(by: $0) }
    var end = life.end(of: window)
    if hasDailyRates { end = min(end, Instant(utcDay: time.utcDay + 1)) }
    phone.note(decision, in: window, at: time, end: edge.map { min($0, end) } ?? end)
  }

  private func count(
    _ update: DeviceLife.Update, _ window: ConversionWindow?, isLocked: Bool, _ tally: inout BacktestTally
  ) {
    tally.events.count(window, isLocked: isLocked)
    if case .event(let index?) = update { tally.names[index].count(window, isLocked: isLocked) }
  }
}

extension BacktestTally.EventCell {
  fileprivate mutating func count(_ window: ConversionWindow?, isLocked: Bool) {
    guard let window else {
      afterWindows += 1
      return
    }
    if isLocked { afterLock += 1 } else { seen[window] += 1 }
  }
}

/// A device during its life.
struct LifePhone {
  var device: Device
  var memory = InstallMemory.none
  /// The last update, if the app and Apple accepted its values; nil before the first one.
  private(set) var last: Answered?
  /// Whether revenue was added since the last update.
  var hasNewRevenue = false

  /// The result of an update.
  struct Answered {
    let decision: ReferenceReply.Decision
    let window: ConversionWindow
    /// Apple's window, which may differ from the snippet's.
    let appleWindow: ConversionWindow
    /// Whether the previous update had the same result, so that this one changed nothing that affects an answer or
    /// Apple.
    let isSteady: Bool
    /// Until this time updates are answered and accepted equally, unless a count or revenue changes it.
    let end: Instant
  }

  init(_ device: Device) { self.device = device }

  /// Whether an update now has the same answer as the last one and changes nothing, if its event's count is not an
  /// edge.
  @inline(__always)
  func isSteady(at time: Instant) -> Bool {
    guard let last else { return false }
    return last.isSteady && !hasNewRevenue && time < last.end
  }

  /// Records an update whose values the app and Apple accepted.
  ///
  /// - Parameter end: the end of the period in which the answer stays the same.
  mutating func note(_ decision: ReferenceReply.Decision, in window: ConversionWindow, at time: Instant, end: Instant) {
    guard let appleWindow = device.appleWindow(at: time),
      let appleEnd = device.framework.end(of: appleWindow, on: device.traits.install)
    else { return forget() }
    let isSteady =
      last.map { $0.decision == decision && $0.window == window && $0.appleWindow == appleWindow } ?? false
    last = Answered(
      decision: decision, window: window, appleWindow: appleWindow, isSteady: isSteady, end: min(end, appleEnd))
    hasNewRevenue = false
  }

  /// Records an update with any other outcome.
  mutating func forget() { last = nil }
}

/// The times and counts at which a model's answer can change without revenue. Between them, updates have equal answers.
struct ModelEdges {
  /// Microseconds since the first call, ascending.
  private let times: [Int64]
  private let model: ConversionModel

  init(_ model: ConversionModel) {
    self.model = model
    let mappings = Self.mappings(of: model)
    let hours = Set((mappings.flatMap { [$0.minHours, $0.maxHours] } + [model.measurementHours]).compactMap(\.self))
    // Later hours are after all windows, and a file may contain any number.
    let possible = hours.filter { (0...ConversionWindow.p2.end / 3600).contains($0) }
    times = possible.sorted().map { $0 * 3_600_000_000 }
  }

  /// The first time edge after an elapsed time, both since the first call; nil after the last one.
  func next(after elapsed: TimeSpan) -> TimeSpan? {
    times.first { $0 > elapsed.microseconds }.map { TimeSpan(microseconds: $0) }
  }

  /// The counts of an event in a window at which a condition begins or ceases to hold.
  func counts(of name: String) -> [Int64] {
    var counts: Set<Int64> = []
    for event in Self.mappings(of: model).flatMap(\.events) where event.name == name && !event.isRevenueOnly {
      let first = event.occurrence?.min ?? 1
      let last = max(first, event.occurrence?.max ?? .max)
      counts.insert(first)
      if last < .max { counts.insert(last + 1) }
    }
    return counts.sorted()
  }

  /// Whether the event is a trigger that locks a window.
  func isLock(_ name: String) -> Bool {
    ConversionWindow.allCases.contains { model.windows[$0].lock == .event(name) }
  }

  private static func mappings(of model: ConversionModel) -> [ValueMapping] {
    model.fine.map(\.mapping) + ConversionWindow.allCases.flatMap { model.windows[$0].coarse.map(\.mapping) }
  }
}

/// The values that Apple holds for a device at the end of its life.
struct LifeValues: Equatable {
  /// The fine value, 0-63; 0 in a first postback if the app set none.
  var fine = 0
  /// The coarse values by window: 0 for none, 1-3 for low, medium, high.
  var coarse = PerWindow<Int>(repeating: 0)
  /// Whether a postback is sent for each window.
  var leaves = PerWindow<Bool>(repeating: false)
  var lockedAt = PerWindow<Instant?>(repeating: nil)

  /// The values of a device before its first call.
  init() {}

  init(_ framework: AppleFramework) {
    fine = framework.held[.p0].fine.map(Int.init) ?? 0
    for window in [ConversionWindow.p0, .p1, .p2] {
      let held = framework.held[window]
      leaves[window] = held.isUpdated
      lockedAt[window] = held.lockedAt
      coarse[window] = held.isUpdated ? held.coarse?.index ?? 0 : 0
    }
  }

  /// Whether the values of a window are equal.
  func isSame(as other: LifeValues, in window: ConversionWindow) -> Bool {
    coarse[window] == other.coarse[window] && (window != .p0 || fine == other.fine)
  }
}

/// The kinds of phones in a backtest: the parts of a profile that affect the values in postbacks.
final class LifeProfiles: Sendable {
  /// The kinds by index; the first is the default.
  private let all = Monitor([reduced(DeviceProfile(idfv: "0"))])

  /// The index of a profile's kind, which is added if it is new.
  func index(of profile: DeviceProfile) -> UInt16 {
    let reduced = Self.reduced(profile)
    return all.withLock { all in
      if let index = all.firstIndex(of: reduced) { return UInt16(truncatingIfNeeded: index) }
      // There are few versions and settings; beyond the limit the default kind is used.
      guard all.count < Int(UInt16.max) else { return 0 }
      all.append(reduced)
      return UInt16(truncatingIfNeeded: all.count - 1)
    }
  }

  subscript(index: UInt16) -> DeviceProfile { all.withLock { $0[Int(index)] } }

  private static func reduced(_ profile: DeviceProfile) -> DeviceProfile {
    var reduced = DeviceProfile(idfv: DeviceProfile.derivedIDFV(phone: ""))
    reduced.snippet = profile.snippet
    reduced.ios = profile.ios
    reduced.settings = profile.settings
    return reduced
  }
}
