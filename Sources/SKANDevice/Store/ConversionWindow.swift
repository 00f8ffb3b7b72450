/// A postback measurement period as the snippet reckons it; see the article "Conversion windows".
package enum ConversionWindow: Int, CaseIterable, Sendable {
  case p0, p1, p2

  /// Seconds from the first call to the framework until the window is over; the end itself is outside.
  package var end: Int64 {
    switch self {
    case .p0: 2 * 86_400
    case .p1: 7 * 86_400
    case .p2: 35 * 86_400
    }
  }

  /// The window so many whole seconds after the first call, or nil when all are over. A clock set back is P0.
  package static func at(secondsSinceFirstCall seconds: Int64) -> ConversionWindow? {
    allCases.first { seconds < $0.end }
  }

  /// How long SKAN 3's one window stays open after the last call, in seconds.
  package static let skan3Length: Int64 = 86_400
}

/// One value for each window.
package struct PerWindow<Value: Sendable>: Sendable {
  private var p0: Value
  private var p1: Value
  private var p2: Value

  package init(repeating value: Value) {
    p0 = value
    p1 = value
    p2 = value
  }

  package subscript(window: ConversionWindow) -> Value {
    get {
      switch window {
      case .p0: p0
      case .p1: p1
      case .p2: p2
      }
    }
    // In place: a dictionary in it is changed and not copied.
    _modify {
      switch window {
      case .p0: yield &p0
      case .p1: yield &p1
      case .p2: yield &p2
      }
    }
  }
}

extension PerWindow: Equatable where Value: Equatable {}
