import SKANDevice

/// The values that Apple holds of phones at the end of their lists, and their postbacks at that moment.
package struct PhoneTally: Sendable, Equatable {
  /// What a postback is counted by.
  package struct PostbackKind: Sendable, Hashable {
    package let window: ConversionWindow
    package let state: Postback.State
    package let value: Value
  }

  /// The value in a postback.
  package enum Value: Sendable, Hashable {
    case fine(Int64)
    case coarse(String)
    /// The postback has no value, or there is no postback.
    case none
  }

  package private(set) var phones = 0
  /// Phones by fine value, 0-63.
  package private(set) var fine = [Int](repeating: 0, count: 64)
  /// Phones of which Apple holds no fine value.
  package private(set) var withoutFine = 0
  /// Phones by window, and in it by coarse value: none, low, medium, high.
  package private(set) var coarse = PerWindow<[Int]>(repeating: [Int](repeating: 0, count: 4))
  package private(set) var postbacks: [PostbackKind: Int] = [:]

  package init() {}

  /// Adds a phone as it is.
  ///
  /// - Parameter name: its name in the list.
  mutating func count(_ phone: Phone, named name: String) {
    let held = phone.device.framework.held
    phones += 1
    if let value = held[.p0].fine, value < 64 { fine[Int(value)] += 1 } else { withoutFine += 1 }
    for window in [ConversionWindow.p0, .p1, .p2] {
      coarse[window][held[window].isUpdated ? held[window].coarse?.index ?? 0 : 0] += 1
    }
    for postback in phone.device.postbacks(phone: name, at: phone.clock.end ?? .listStart) {
      let value: Value =
        (postback.content?.conversionValue).map(Value.fine)
        ?? (postback.content?.coarseValue).map(Value.coarse) ?? .none
      postbacks[PostbackKind(window: postback.window, state: postback.state, value: value), default: 0] += 1
    }
  }

  static func += (left: inout PhoneTally, right: PhoneTally) {
    left.phones += right.phones
    for value in left.fine.indices { left.fine[value] += right.fine[value] }
    left.withoutFine += right.withoutFine
    for window in [ConversionWindow.p0, .p1, .p2] {
      for index in left.coarse[window].indices { left.coarse[window][index] += right.coarse[window][index] }
    }
    for (kind, count) in right.postbacks { left.postbacks[kind, default: 0] += count }
  }

  /// By window, state and value, in their order; those without a value last.
  package var sortedPostbacks: [(kind: PostbackKind, count: Int)] {
    postbacks.map { (kind: $0.key, count: $0.value) }.sorted { $0.kind.rank.lexicographicallyPrecedes($1.kind.rank) }
  }
}

extension PhoneTally.PostbackKind {
  fileprivate var rank: [Int] {
    [window.rawValue, Postback.State.allCases.firstIndex(of: state) ?? 0] + value.rank
  }
}

extension PhoneTally.Value {
  fileprivate var rank: [Int] {
    switch self {
    case .fine(let value): [0, Int(clamping: value)]
    case .coarse(let name): [1, HeldCoarse.allCases.firstIndex { $0.rawValue == name } ?? 9]
    case .none: [2]
    }
  }

  /// `fine 12`, `coarse high`; nil where there is none.
  package var text: String? {
    switch self {
    case .fine(let value): "fine \(value)"
    case .coarse(let name): "coarse \(name)"
    case .none: nil
    }
  }
}
