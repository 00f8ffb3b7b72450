import SKANDevice
import SKANJSON

/// The keys of a step, each by its place among all of them, and which of them an operation takes.
enum StepKey {
  static let op = 0, at = 1, after = 2, device = 3, label = 4, expect = 5, skip = 6, name = 7, answer = 8, took = 9
  static let frameworkError = 10, noHandler = 11, amount = 12, currency = 13, adMonetization = 14, file = 15

  private static let fixed = [
    "op", "at", "after", "device", "label", "expect", "skip", "name", "answer", "took", "framework_error", "no_handler",
    "amount", "currency", "ad_monetization", "file",
  ]
  private static let common = [op, at, after, device, label, expect, skip]
  private static let update = [answer, took, frameworkError, noHandler]
  /// What says nothing of the operation itself.
  static let remarks = JSONKeys.Places([label, skip, expect])
  /// What an update can be given besides its name.
  static let circumstances = JSONKeys.Places(update)

  /// Every key; those of a phone's profile come last.
  static let names = fixed + DeviceProfile.keys

  private static func profile(_ own: [String]) -> [Int] { own.compactMap { names.firstIndex(of: $0) } }

  /// What may stand in a step, by the places of the operations.
  static let allowed: [JSONKeys.Places] = OperationName.allCases.map { operation in
    if operation == .include { return JSONKeys.Places([op, file, skip]) }
    let own: [Int] =
      switch operation {
      case .device: profile(DeviceProfile.keys)
      case .register: [frameworkError]
      case .session: update
      case .event: [name] + update
      case .revenue: [amount, currency, adMonetization]
      case .details, .relaunch, .postbacks, .include: []
      case .update: profile(["ios", "app_version", "snippet"])
      }
    return JSONKeys.Places(common + own)
  }
}

/// The operations by their names in an event list.
enum OperationName: Int, CaseIterable {
  case device, register, session, event, revenue, details, relaunch, update, postbacks, include

  static let names = allCases.map { String(describing: $0) }

  /// What a step is called in messages.
  var what: StaticString {
    switch self {
    case .device: "a step with op \"device\""
    case .register: "a step with op \"register\""
    case .session: "a step with op \"session\""
    case .event: "a step with op \"event\""
    case .revenue: "a step with op \"revenue\""
    case .details: "a step with op \"details\""
    case .relaunch: "a step with op \"relaunch\""
    case .update: "a step with op \"update\""
    case .postbacks: "a step with op \"postbacks\""
    case .include: "a step with op \"include\""
    }
  }
}
