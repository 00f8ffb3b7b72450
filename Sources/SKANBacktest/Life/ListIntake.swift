import SKANDevice
import SKANModel
import SKANRun
import SKANSystem
import SKANBase

/// Adds the steps of an event list to a backtest: the app's actions, but not the answers in the list.
///
/// A phone of a list begins with its first step. Expectations, answers and other properties of requests are ignored,
/// and so are steps that send nothing (``InputTally/otherSteps``).
package struct ListIntake {
  private let names: NameIndex
  private let profiles: LifeProfiles
  private let shard: Shard
  /// The time of the last row of any phone, in this shard or not; nil without one.
  private(set) var last: Instant?
  /// The phones by index in their list.
  private var phones: [PhoneState] = []
  private var tally = InputTally()

  private struct PhoneState {
    var clock = PhoneClock(isVirtual: true)
    let key: DeviceKey
    let isIncluded: Bool
    var hasBegun = false
    /// The kind of the next install.
    var profile: UInt16 = 0
  }

  /// A row that a step stands for.
  struct Row {
    let key: DeviceKey
    let device: String
    let time: Instant
    let event: PackedEvent
    let line: Int
  }

  /// Why a list cannot be used.
  package enum Failure: Error {
    /// The list has mistakes; these are those of the first invalid line.
    case wrong([ListProblem])
    case unreadable(SourceFailure)
    case interrupted
    case file(FileError)
    /// Steps of a phone are not consecutive, although they should be.
    case broken(GroupedRun.Broken)
  }

  init(names: NameIndex, profiles: LifeProfiles, shard: Shard) {
    self.names = names
    self.profiles = profiles
    self.shard = shard
  }

  /// Reads a list to its end.
  ///
  /// - Parameter add: receives each row in the order of the list.
  /// - Returns: the counts of the list.
  mutating func read(
    _ reader: ListReader, isInterrupted: () -> Bool,
    add: (Row) throws(Failure) -> Void
  ) throws(Failure) -> InputTally {
    var step = Step(.details)
    while true {
      let item: ListReader.Item?
      do throws(SourceFailure) { item = try reader.next(into: &step) } catch { throw .unreadable(error) }
      switch item {
      case nil: return tally
      case .problems(let problems)?: throw .wrong(problems)
      case .step?:
        if step.skip == nil, step.operation.takesPhone, !take(step) {
          throw .wrong([reader.problem(StepError.timeOutOfRange.message)])
        }
        for (time, event) in rows {
          let key = phones[step.phone].key
          try add(Row(key: key, device: step.device, time: time, event: event, line: reader.location.line))
        }
        rows.removeAll(keepingCapacity: true)
      }
      if isInterrupted() { throw .interrupted }
    }
  }

  /// The rows of the last step.
  private var rows: [(time: Instant, event: PackedEvent)] = []

  /// - Returns: false when the step's time is not in the years 1 to 9999.
  private mutating func take(_ step: Step) -> Bool {
    while phones.count <= step.phone { phones.append(newPhone(step)) }
    let index = step.phone
    guard let at = phones[index].clock.beginning(step.time, now: .listStart) else { return false }
    var end = at
    if let took = step.operation.took {
      guard let later = at.advanced(by: took) else { return false }
      end = later
    }
    if case .device(let profile) = step.operation {
      phones[index].hasBegun = false
      phones[index].profile = profiles.index(of: profile)
      phones[index].clock.startAnew()
      if let time = step.time {
        phones[index].clock.record(time == .now ? .now : .at(at), beginning: at, end: at)
      }
      return true
    }
    phones[index].clock.record(step.time, beginning: at, end: end)
    let isFirst = !phones[index].hasBegun
    phones[index].hasBegun = true
    let event = event(step)
    if isFirst || event != nil { last = max(last ?? at, at) }
    guard phones[index].isIncluded else { return true }
    if isFirst {
      var install = PackedEvent(.install)
      install.begins = true
      install.profile = phones[index].profile
      rows.append((at, install))
    }
    if let event { rows.append((at, event)) } else if !step.isRegistration { tally.otherSteps += 1 }
    return true
  }

  private func newPhone(_ step: Step) -> PhoneState {
    var name = step.device
    let isIncluded = name.withUTF8 { unsafe shard.contains($0) }
    return PhoneState(key: DeviceKey(name), isIncluded: isIncluded)
  }

  /// Nil for a step that is no row.
  private func event(_ step: Step) -> PackedEvent? {
    switch step.operation {
    case .session: return PackedEvent(.session)
    case .event(let name, _):
      var event = PackedEvent(.event)
      event.name = names.index(of: name).map { UInt16(truncatingIfNeeded: $0) } ?? EventPacker.otherName
      return event
    case .revenue(let revenue):
      guard revenue.amount != 0, let currency = revenue.currency.flatMap({ CurrencyCode($0) }) else { break }
      var event = PackedEvent(.revenue)
      event.revenue = ExportedRow.Revenue(
        amount: revenue.amount, currency: currency, isAdMonetization: revenue.isAdMonetization)
      return event
    default: break
    }
    return nil
  }
}

extension Step {
  fileprivate var isRegistration: Bool { if case .register = operation { true } else { false } }
}

extension Step.Operation {
  /// How long the answer takes; nil when the step does not say.
  fileprivate var took: TimeSpan? {
    switch self {
    case .session(let update), .event(_, let update): update.took
    default: nil
    }
  }
}
