import SKANDevice
import SKANJSON

/// The keys of a step, each with its place among all of them, and which of them an operation takes.
enum StepKey {
  static var op: JSONKey { JSONKey("op", place: 0) }
  static var at: JSONKey { JSONKey("at", place: 1) }
  static var after: JSONKey { JSONKey("after", place: 2) }
  static var device: JSONKey { JSONKey("device", place: 3) }
  static var label: JSONKey { JSONKey("label", place: 4) }
  static var expect: JSONKey { JSONKey("expect", place: 5) }
  static var name: JSONKey { JSONKey("name", place: 6) }
  static var answer: JSONKey { JSONKey("answer", place: 7) }
  static var took: JSONKey { JSONKey("took", place: 8) }
  static var frameworkError: JSONKey { JSONKey("framework_error", place: 9) }
  static var noHandler: JSONKey { JSONKey("no_handler", place: 10) }
  static var amount: JSONKey { JSONKey("amount", place: 11) }
  static var currency: JSONKey { JSONKey("currency", place: 12) }
  static var adMonetization: JSONKey { JSONKey("ad_monetization", place: 13) }

  private static let fixed = [
    op, at, after, device, label, expect, name, answer, took, frameworkError, noHandler, amount, currency,
    adMonetization,
  ]
  private static let common = [op, at, after, device, label, expect]
  private static let update = [answer, took, frameworkError, noHandler]

  /// Every key; those of a phone's profile come last.
  static let all = JSONKeys(fixed.map(\.name) + DeviceProfile.keys)

  private static func profile(_ names: [String]) -> [JSONKey] {
    names.compactMap { name in all.place(of: name).map { JSONKey(name, place: $0) } }
  }

  /// What may stand in a step, by the places of ``OperationName/all``.
  static let allowed: [JSONKeys.Places] = OperationName.allCases.map { operation in
    let own: [JSONKey] =
      switch operation {
      case .device: profile(DeviceProfile.keys)
      case .register: [frameworkError]
      case .session: update
      case .event: [name] + update
      case .revenue: [amount, currency, adMonetization]
      case .details, .relaunch: []
      case .update: profile(["ios", "app_version", "snippet"])
      }
    return JSONKeys.Places(common + own)
  }
}

/// The operations by their names in an event list.
enum OperationName: Int, CaseIterable {
  case device, register, session, event, revenue, details, relaunch, update

  static let names = allCases.map { String(describing: $0) }
  static let all = JSONKeys(names)
  /// What a step is called in messages.
  static let what = names.map { "a step with op \"\($0)\"" }
}
