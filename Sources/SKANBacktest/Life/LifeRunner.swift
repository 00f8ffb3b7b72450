import SKANDevice
import SKANModel
import SKANRun

/// Runs devices with one model for their endpoint. Each thread has one of its own.
final class LifeRunner {
  private let runner: StepRunner
  private let profiles: LifeProfiles
  /// A fresh phone of each kind that was asked for, by the index of the kind.
  private var phones: [UInt16: Phone] = [:]
  // A step is made once and gets its times: to make it for each row would cost as much as to run it.
  private var register = Step(.register(frameworkError: nil))
  private var session = Step(.session(Step.Update()))
  private var revenue = Step(.details)
  /// By the index of the name, and then any event that no model asks for.
  private var events: [Step]

  init(_ model: ConversionModel, names: EventNames, profiles: LifeProfiles, _ rates: ExchangeRates) {
    runner = StepRunner(ModelAnswerer(ReferenceEndpoint(defaultModel: model, rates: rates)))
    self.profiles = profiles
    events = (names.names + ["another_event"]).map { Step(.event(name: $0, Step.Update())) }
  }

  /// Runs a device until its third window is over.
  ///
  /// - Parameter tally: gets what became of each step.
  /// - Returns: what Apple holds at the end.
  func run(_ life: DeviceLife, _ tally: inout BacktestTally) -> LifeValues {
    var phone = phone(life.profile)
    attempt(&register, at: life.start, &phone, &tally)
    for event in life.events {
      let window = life.window(at: event.time)
      let isLocked = window.map { phone.device.framework.held[$0].lockedAt != nil } ?? false
      if let update = event.update { count(update, window, isLocked: isLocked, &tally) }
      // Nothing that happens later is in a postback.
      guard window != nil else { continue }
      if let revenue = event.revenue {
        self.revenue.operation = .revenue(
          Step.Revenue(
            amount: revenue.amount, currency: revenue.currency.name, isAdMonetization: revenue.isAdMonetization))
        attempt(&self.revenue, at: event.time, &phone, &tally)
      }
      switch event.update {
      case nil: break
      case .session?: attempt(&session, at: event.time, &phone, &tally)
      case .event(let name)?: attempt(&events[name ?? events.count - 1], at: event.time, &phone, &tally)
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

  /// Runs a step; revenue beyond a single-precision number is ignored, as no step can add it.
  private func attempt(
    _ step: inout Step, at time: Instant, _ phone: inout Phone, _ tally: inout BacktestTally
  ) {
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
