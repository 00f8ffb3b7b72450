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

extension ModelDifference: JSONObjectWritable {
  package static let fields = JSONFields<ModelDifference> {
    JSONField("what") { $0.name }
    JSONField("window", as: JSONForm.integer(0...2).orNull) { $0.window?.rawValue }
    JSONField("value") { $0.value }
    JSONField("change", as: .names(["added", "removed", "changed"])) {
      $0.before == nil ? "added" : $0.after == nil ? "removed" : "changed"
    }
    JSONField("before") { $0.before }
    JSONField("after") { $0.after }
  }

  private var window: ConversionWindow? {
    switch subject {
    case .appID, .measurementHours: nil
    case .value(.fine): .p0
    case .value(.coarse(_, let window)), .lock(let window): window
    }
  }

  private var value: String? {
    switch subject {
    case .value(.fine(let value)): String(value)
    case .value(.coarse(let value, _)): value.rawValue
    case .appID, .measurementHours, .lock: nil
    }
  }
}
