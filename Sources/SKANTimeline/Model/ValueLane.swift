import SKANDevice

/// The conversion values of one side over time: the app's belief, or what Apple holds.
package struct ValueLane: Sendable {
  package enum Side: Sendable { case app, apple }

  package let side: Side
  package let title: String
  package let bands: [Band]
  /// In the order of their moments, for each window.
  package let steps: [Step]
  /// Why there is nothing, if so.
  package let emptyText: String
  /// Whether this side knows coarse values.
  package let hasCoarse: Bool

  /// What a side holds of a window from a moment on.
  package struct Step: Sendable, Equatable {
    package let at: Instant
    package let window: ConversionWindow
    package let values: Values
    /// Whether the moment is not known, only what was held in the end.
    package var isAssumed = false
  }

  package struct Values: Sendable, Equatable {
    package var fine: Int64?
    package var coarse: ShownCoarse?
    package var lockedAt: Instant?

    package var isLocked: Bool { lockedAt != nil }

    package static let none = Values()
  }
}

/// A coarse value as it is shown.
package struct ShownCoarse: Sendable, Equatable {
  package let name: String
  /// 1 to 3; 0 for what is not a coarse value.
  package let level: Int

  private init(name: String, level: Int) {
    self.name = name
    self.level = level
  }

  init(_ value: CoarseValue) {
    name = value.rawValue
    level = Int(value.number) + 1
  }

  init(_ value: HeldCoarse) {
    name = value.rawValue
    level =
      switch value {
      case .literalNone: 0
      case .low: 1
      case .medium: 2
      case .high: 3
      }
  }

  init(_ value: KeptValue) {
    if let coarse = CoarseValue(value) {
      self.init(coarse)
    } else {
      self.init(name: (value.decimalText ?? "text").visible, level: 0)
    }
  }
}
