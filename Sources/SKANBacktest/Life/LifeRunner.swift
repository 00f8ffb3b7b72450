import SKANDevice
import SKANModel
import SKANRun

/// Runs devices with one model for their endpoint. Each thread has one of its own.
final class LifeRunner {
  private let runner: StepRunner
  private let profiles: LifeProfiles
  /// A fresh phone of each kind that was asked for, by the index of the kind.
  private var phones: [UInt16: Phone] = [:]
  private var step = Step(.session(Step.Update()))
  private let session = Step.Operation.session(Step.Update())
  /// By the index of the name.
  private let events: [Step.Operation]
  /// Any event that no model asks for.
  private let otherEvent = Step.Operation.event(name: "another_event", Step.Update())

  init(_ model: ConversionModel, names: EventNames, profiles: LifeProfiles, _ rates: ExchangeRates) {
    runner = StepRunner(ModelAnswerer(ReferenceEndpoint(defaultModel: model, rates: rates)))
    self.profiles = profiles
    events = names.names.map { .event(name: $0, Step.Update()) }
  }

  /// Runs a device until its third window is over.
  ///
  /// - Parameter tally: gets what became of each step.
  /// - Returns: what Apple holds at the end.
  func run(_ life: DeviceLife, _ tally: inout BacktestTally) -> LifeValues {
    var phone = phone(life.profile)
    attempt(.register(frameworkError: nil), at: life.start, &phone, &tally)
    for event in life.events {
      let window = life.window(at: event.time)
      let isLocked = window.map { phone.device.framework.held[$0].lockedAt != nil } ?? false
      if let update = event.update { count(update, window, isLocked: isLocked, &tally) }
      // Nothing that happens later is in a postback.
      guard window != nil else { continue }
      if let revenue = event.revenue {
        let revenue = Step.Revenue(
          amount: revenue.amount, currency: revenue.currency.name, isAdMonetization: revenue.isAdMonetization)
        attempt(.revenue(revenue), at: event.time, &phone, &tally)
      }
      switch event.update {
      case nil: break
      case .session?: attempt(session, at: event.time, &phone, &tally)
      case .event(let name)?: attempt(name.map { events[$0] } ?? otherEvent, at: event.time, &phone, &tally)
      }
    }
    return LifeValues(phone.device.framework)
  }

  private func phone(_ profile: UInt16) -> Phone {
    if let phone = phones[profile] { return phone }
    let phone = Phone(device: Device(profiles[profile]), clock: PhoneClock(isVirtual: true))
    phones[profile] = phone
    return phone
  }

  /// Runs an operation; revenue beyond a single-precision number is ignored, as no step can add it.
  private func attempt(
    _ operation: Step.Operation, at time: Instant, _ phone: inout Phone, _ tally: inout BacktestTally
  ) {
    step.operation = operation
    step.time = .at(time)
    do throws(StepError) {
      let completed = try runner.complete(step, on: &phone)
      tally.outcomes[Int(completed.report.outcome.rawValue)] += 1
    } catch {
      tally.outcomes[Int(Outcome.ignored.rawValue)] += 1
    }
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
