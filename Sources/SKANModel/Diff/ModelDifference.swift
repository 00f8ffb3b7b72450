import SKANDevice
import SKANBase

/// Something that two models say differently.
package struct ModelDifference: Sendable, Equatable {
  package enum Subject: Sendable, Equatable {
    case appID
    case measurementHours
    case value(ModelValue)
    case lock(ConversionWindow)
  }

  package let subject: Subject
  /// What the first model says; nil when it says nothing.
  package let before: String?
  /// What the second model says; nil when it says nothing.
  package let after: String?

  package var json: JSON {
    var members: [(String, JSON)] = [("what", .string(name))]
    switch subject {
    case .appID, .measurementHours: members += [("window", .null), ("value", .null)]
    case .value(.fine(let value)): members += [("window", .integer(0)), ("value", .string(String(value)))]
    case .value(.coarse(let value, let window)):
      members += [("window", .integer(Int64(window.rawValue))), ("value", .string(value.rawValue))]
    case .lock(let window): members += [("window", .integer(Int64(window.rawValue))), ("value", .null)]
    }
    let change = before == nil ? "added" : after == nil ? "removed" : "changed"
    return .object(
      members + [
        ("change", .string(change)), ("before", .optional(before)), ("after", .optional(after)),
      ])
  }

  /// In the words of a message.
  package var name: String {
    switch subject {
    case .appID: "app_id"
    case .measurementHours: "measurement_window_hours"
    case .value(let value): value.name
    case .lock(let window): "lock of postback \(window.rawValue)"
    }
  }
}
