import SKANBase
import SKANDevice

/// A difference between two models.
package struct ModelDifference: Sendable, Equatable {
  package enum Subject: Sendable, Equatable {
    case appID
    case measurementHours
    case value(ModelValue)
    case lock(ConversionWindow)
  }

  package let subject: Subject
  /// The first model's part; nil if it has none.
  package let before: String?
  /// The second model's part; nil if it has none.
  package let after: String?

  /// The subject in the words of a message.
  package var name: String { subject.name }
}

extension ModelDifference.Subject {
  /// The subject in the words of a message.
  package var name: String {
    switch self {
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

extension ConversionModel {
  /// The differences from another model in meaning: fine values, then each window's coarse values and lock.
  ///
  /// Spelling, the order of mappings and entries, explicit defaults, mappings that no user can fulfil, and lock triggers
  /// that fire for the same users are not differences. A threshold and a range that ends where the next value begins are,
  /// because they are decoded to other amounts.
  package func differences(from old: ConversionModel) -> [ModelDifference] {
    var differences: [ModelDifference] = []
    func compare(_ subject: ModelDifference.Subject, _ before: String?, _ after: String?) {
      if before != after { differences.append(ModelDifference(subject: subject, before: before, after: after)) }
    }
    compare(.appID, old.appID, appID)
    compare(.measurementHours, old.measurementText, measurementText)
    for value in 0...63 as ClosedRange<Int64> {
      differences += difference(from: old, in: .fine(value)).map { [$0] } ?? []
    }
    for window in ConversionWindow.allCases {
      for value in CoarseValue.allCases {
        differences += difference(from: old, in: .coarse(value, window)).map { [$0] } ?? []
      }
      if let before = old.meaning(ofLock: window), let after = meaning(ofLock: window), before.isSame(as: after) {
        continue
      }
      compare(.lock(window), old.windows[window].lock?.displayText, windows[window].lock?.displayText)
    }
    return differences
  }

  private func difference(from old: ConversionModel, in value: ModelValue) -> ModelDifference? {
    let (before, after) = (old.meaning(of: value), meaning(of: value))
    if before.isSame(as: after) { return nil }
    return ModelDifference(subject: .value(value), before: before.displayText, after: after.displayText)
  }

  private func meaning(of value: ModelValue) -> ValueMeaning {
    switch value {
    case .fine(let number):
      ValueMeaning(fine.filter { $0.value == number }.map(\.mapping), hours: hours(of: .p0, measured: false))
    case .coarse(let number, let window):
      ValueMeaning(
        windows[window].coarse.filter { $0.value == number }.map(\.mapping), hours: hours(of: window, measured: false))
    }
  }

  /// The condition on which a window locks; nil if it has no trigger, if the trigger is an event, or if no user can
  /// fulfil it.
  private func meaning(ofLock window: ConversionWindow) -> ValueMeaning? {
    let mappings: [ValueMapping] =
      switch windows[window].lock {
      case .fine(let least)? where window == .p0: fine.filter { $0.value >= least }.map(\.mapping)
      case .coarse(let least)?: windows[window].coarse.filter { $0.value.number >= least.number }.map(\.mapping)
      case .fine, .event, nil: []
      }
    let meaning = ValueMeaning(mappings, hours: hours(of: window, measured: false))
    return meaning.displayText == nil ? nil : meaning
  }

  /// The hours measured; nil if they include all windows.
  var measurementText: String? {
    measurementHours.flatMap { $0 < hours(of: .p2, measured: false).upperBound ? "\($0) h" : nil }
  }
}

/// The condition of a value: any of several mappings.
struct ValueMeaning {
  /// The mappings that a user can fulfil.
  private let mappings: [(mapping: ValueMapping, region: ModelRegion)]

  /// - Parameter hours: the hours of the value's window.
  init(_ mappings: [ValueMapping], hours: Range<Int64>) {
    self.mappings = mappings.map { ($0, ModelRegion($0, hours: hours)) }.filter { !$0.1.isEmpty }
  }

  /// The condition in words; nil if no user can fulfil it.
  var displayText: String? {
    mappings.isEmpty ? nil : mappings.map(\.mapping.displayText).joined(separator: ", or ")
  }

  /// Whether both hold for the same users at the same time.
  func isSame(as other: ValueMeaning) -> Bool { isWithin(other) && other.isWithin(self) }

  private func isWithin(_ other: ValueMeaning) -> Bool {
    let others = other.mappings.map(\.region)
    var budget = ModelRegion.mostWork
    return mappings.allSatisfy { _, region in
      others.contains { region.isWithin($0) } || region.isCovered(by: others, &budget)
    }
  }
}
