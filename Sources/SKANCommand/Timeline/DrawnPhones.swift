import SKANDevice
import SKANRun

/// One phone of a list, and what happened to it since it was installed last.
struct DrawnPhone {
  let name: String
  var device: Device
  var history: [LifeEvent] = []
  var first: Instant?
  var end: Instant
  /// The moment of `--at`, once a step has come that is later: nothing more happens to the phone.
  var stoppedAt: Instant?

  /// The clock that `--at` counts by.
  var clock: PhoneClock { PhoneClock(first: first, hasGivenTime: true, end: end, isVirtual: true) }
}

/// The phones of a list that runs, each until the moment of `--at`.
final class DrawnPhones: StepObserver {
  private let invocation: Invocation
  private let time: TimeSpec?
  private let redact: (inout Device) -> Void
  private var phones: [Int: DrawnPhone] = [:]
  /// Why the time of `--at` cannot be used.
  private(set) var failure: CommandError?

  /// - Parameters:
  ///   - time: the time of `--at`.
  ///   - redact: takes the SDK key out of a device.
  init(_ invocation: Invocation, until time: TimeSpec?, redact: @escaping (inout Device) -> Void) {
    self.invocation = invocation
    self.time = time
    self.redact = redact
  }

  /// In the order in which they are first met.
  var inOrder: [DrawnPhone] { phones.sorted { $0.key < $1.key }.map(\.value) }

  func wantsResult(of step: Step) -> Bool { true }

  func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
    guard case .ran(let result, _, _) = event else { return true }
    do throws(CommandError) { try add(result, to: &phones[result.step.phone]) } catch { failure = error }
    return failure == nil
  }

  private func add(_ result: StepResult, to phone: inout DrawnPhone?) throws(CommandError) {
    if phone?.stoppedAt != nil { return }
    var device = result.device
    redact(&device)
    let fresh = DrawnPhone(name: result.step.device, device: device, end: result.endedAt)
    var changed = phone ?? fresh
    if let stop = try stop(before: result, of: changed) {
      changed.stoppedAt = stop
      if changed.first == nil { changed.end = result.at }
      phone = changed
      return
    }
    phone = nil
    if case .device = result.step.operation {
      changed = fresh
    } else {
      changed.first = changed.first ?? result.at
    }
    changed.device = device
    changed.end = result.endedAt
    changed.history += result.lifeEvents
    phone = changed
  }

  /// The moment of `--at` when a step ends after it: the step is not drawn.
  private func stop(before result: StepResult, of phone: DrawnPhone) throws(CommandError) -> Instant? {
    // An install without a time of its own leaves the clock to the step that follows.
    guard let time, phone.first != nil || result.step.time != nil || result.step.operation.takesTime else { return nil }
    var phone = phone
    phone.first = phone.first ?? result.at
    let stop = try invocation.moment(time, by: phone.clock)
    return result.endedAt > stop ? stop : nil
  }
}
