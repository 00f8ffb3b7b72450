import SKANDevice
import SKANBase

/// The keys of a step apart from those of a phone's profile, in the order in which they are written. The raw value is the
/// key's index among ``names``.
enum StepKey: Int, CaseIterable {
  case op, at, after, device, label, expect, skip, name, answer, took, frameworkError, noHandler, amount, currency
  case adMonetization, file, forward, kind, api, post, stale, parameters, reapply

  /// What every step may have.
  static let common: [StepKey] = [.op, .at, .after, .device, .label, .expect, .skip]

  /// Every key of a step as it is written, those of a phone's profile last.
  static let names = allCases.map { String(describing: $0).snakeCased } + DeviceProfile.keys

  /// The key as it is written: `framework_error`.
  var text: String { Self.names[rawValue] }
}

/// Members by the keys of a step.
extension JSONObjectReader {
  @inline(__always) func has(at key: StepKey) -> Bool { has(at: key.rawValue) }

  @inline(__always) func node(at key: StepKey) -> JSONNode? { node(at: key.rawValue) }

  @inline(__always) mutating func string(at key: StepKey) -> String? { string(at: key.rawValue) }

  @inline(__always) mutating func bool(at key: StepKey) -> Bool? { bool(at: key.rawValue) }

  @inline(__always) mutating func integer(at key: StepKey) -> Int64? { integer(at: key.rawValue) }

  @inline(__always) mutating func number(at key: StepKey) -> Double? { number(at: key.rawValue) }

  @inline(__always) mutating func require(at key: StepKey) { require(at: key.rawValue) }

  @inline(__always) mutating func complain(at key: StepKey, expected: String, hint: String = "") {
    complain(at: key.rawValue, expected: expected, hint: hint)
  }
}
