import SKANDevice

/// A conversion model, which assigns values to actions of a user; see the article "Conversion models".
///
/// Its file form is the public JSON of Google Ads API's `SkAdNetworkConversionValueSchema`.
package struct ConversionModel: Sendable, Equatable {
  /// The app's App Store ID, as in the file.
  package var appID: String?
  /// A text for the model's readers; it means nothing to a phone.
  package var description: String?
  /// The hash of the input that the model was fitted to (`InputHash`), in hexadecimal; nil if it was not fitted.
  package var fittedTo: String?
  /// The hours after the first call in which the model measures; nil for all windows.
  package var measurementHours: Int64?
  /// The location of the hours in the file.
  package var measurementRange: Range<Int> = 0..<0
  /// The fine mappings in the order of the file.
  package var fine: [FineMapping] = []
  package var windows = PerWindow<WindowModel>(repeating: WindowModel())

  package init() {}

  /// The model with some events renamed.
  package func renamingEvents(_ names: [String: String]) -> ConversionModel {
    var model = self
    for index in model.fine.indices { model.fine[index].mapping.renameEvents(names) }
    for window in ConversionWindow.allCases {
      for index in model.windows[window].coarse.indices {
        model.windows[window].coarse[index].mapping.renameEvents(names)
      }
      if case .event(let name)? = model.windows[window].lock {
        model.windows[window].lock = .event(names[name] ?? name)
      }
    }
    return model
  }

  /// A fine value, 0–63, and its mapping.
  package struct FineMapping: Sendable, Equatable {
    package var value: Int64
    package var mapping: ValueMapping

    package init(value: Int64, mapping: ValueMapping) {
      self.value = value
      self.mapping = mapping
    }
  }

  /// The coarse mappings and the lock of one postback's window.
  package struct WindowModel: Sendable, Equatable {
    package var coarse: [CoarseMapping] = []
    package var lock: LockTrigger?
    /// The location of the trigger in the file.
    package var lockRange: Range<Int> = 0..<0
  }

  package struct CoarseMapping: Sendable, Equatable {
    package var value: CoarseValue
    package var mapping: ValueMapping

    package init(value: CoarseValue, mapping: ValueMapping) {
      self.value = value
      self.mapping = mapping
    }
  }

  /// The trigger that locks a window: a value reached or passed, or an event.
  package enum LockTrigger: Sendable, Equatable {
    case fine(Int64)
    case coarse(CoarseValue)
    case event(String)
  }
}

/// The conditions of a value: all entries must hold, within a range of hours.
package struct ValueMapping: Sendable, Equatable {
  /// Hours after the first call, half-open; nil if unlimited.
  package var minHours: Int64?
  package var maxHours: Int64?
  package var events: [MappedEvent] = []
  /// The location of the mapping in the file.
  package var range: Range<Int> = 0..<0

  package init() {}

  fileprivate mutating func renameEvents(_ names: [String: String]) {
    for index in events.indices { events[index].name = names[events[index].name] ?? events[index].name }
  }
}

/// An entry of a mapping.
package struct MappedEvent: Sendable, Equatable {
  package var name: String
  /// ISO 4217; nil for US dollar.
  package var currency: String?
  package var revenue: RevenueCondition?
  package var occurrence: OccurrenceCondition?

  package init(
    name: String, currency: String? = nil, revenue: RevenueCondition? = nil, occurrence: OccurrenceCondition? = nil
  ) {
    self.name = name
    self.currency = currency
    self.revenue = revenue
    self.occurrence = occurrence
  }

  /// Names that stand for revenue alone and need no event.
  package static let allRevenue = "__REVENUE__"
  package static let iapRevenue = "__IAP_REVENUE__"
  package static let adRevenue = "__ADMON_REVENUE__"

  /// Whether the entry is about revenue alone.
  package var isRevenueOnly: Bool { [Self.allRevenue, Self.iapRevenue, Self.adRevenue].contains(name) }
}

/// Revenue of the window, in the entry's currency: `min ≤ x < max`.
package struct RevenueCondition: Sendable, Equatable {
  package var min: Double
  /// Nil for no upper end.
  package var max: Double?

  package init(min: Double, max: Double? = nil) {
    self.min = min
    self.max = max
  }

  package func holds(_ amount: Double) -> Bool { amount >= min && max.map { amount < $0 } ?? true }
}

/// The number of times the event was seen in the window: `min ≤ n ≤ max`.
package struct OccurrenceCondition: Sendable, Equatable {
  package var min: Int64
  /// Nil for no upper end.
  package var max: Int64?
}

extension ValueMapping {
  /// The conditions in words: `purchase once and 5 ≤ revenue < 10 USD, within 24 h`.
  package var displayText: String {
    let events = events.isEmpty ? "anything" : events.map(\.displayText).joined(separator: " and ")
    return events + (hoursText.map { ", \($0)" } ?? "")
  }

  /// The range of hours in words; nil if it is unlimited.
  var hoursText: String? {
    switch (minHours, maxHours) {
    case (nil, nil): nil
    case (nil, let end?): "within \(end) h of the first call"
    case (let start?, nil): "from \(start) h after the first call"
    case (let start?, let end?): "between \(start) h and \(end) h after the first call"
    }
  }
}

extension MappedEvent {
  package var displayText: String {
    guard !isRevenueOnly else { return revenueText }
    return "\(Self.displayName(of: name)) \(countText)" + (revenue == nil ? "" : " with \(revenueText)")
  }

  /// An event's name in reports.
  package static func displayName(of event: String) -> String {
    event == Device.sessionEventName ? "a session" : event
  }

  private var countText: String {
    switch (occurrence?.min, occurrence?.max) {
    case (nil, _): "at least once"
    case (let least?, nil): least == 1 ? "at least once" : "at least \(least) times"
    case (let least?, let most?) where least == most: least == 1 ? "exactly once" : "exactly \(least) times"
    case (let least?, let most?): "\(least) to \(most) times"
    }
  }

  private var revenueText: String {
    let kind =
      switch name {
      case Self.iapRevenue: "in-app purchase revenue"
      case Self.adRevenue: "ad revenue"
      default: "revenue"
      }
    let currency = currency ?? "USD"
    switch (revenue?.min, revenue?.max) {
    case (nil, _): return "any \(kind)"
    case (let least?, nil): return "\(kind) of at least \(least.jsonText) \(currency)"
    case (let least?, let end?): return "\(kind) from \(least.jsonText) to below \(end.jsonText) \(currency)"
    }
  }
}

extension ConversionModel {
  /// A part of the model as a table: a title, and a row for each value.
  package struct Table: Sendable, Equatable {
    package var title: String
    package var rows: [Row]
  }

  /// A value and its meaning.
  package struct Row: Sendable, Equatable {
    package var value: String
    package var meaning: String
    /// Why no user can get it; nil if users can.
    package var never: String?
  }

  /// The model for a person: fine values, then each postback's coarse values and lock.
  package var tables: [Table] {
    var tables: [Table] = []
    let never = unreachable
    if !fine.isEmpty {
      let rows = fine.sorted { $0.value < $1.value }.map {
        Row(value: String($0.value), meaning: $0.mapping.displayText, never: never[.fine($0.value)])
      }
      tables.append(Table(title: "Fine value (first postback, the highest that holds)", rows: rows))
    }
    for (window, days) in zip(ConversionWindow.allCases, ["days 0-2", "days 2-7", "days 7-35"]) {
      let model = windows[window]
      var rows = model.coarse.map {
        Row(value: $0.value.rawValue, meaning: $0.mapping.displayText, never: never[.coarse($0.value, window)])
      }
      if let lock = model.lock { rows.append(Row(value: "lock", meaning: lock.displayText)) }
      if !rows.isEmpty {
        tables.append(Table(title: "Coarse value of postback \(window.rawValue) (\(days))", rows: rows))
      }
    }
    return tables
  }
}

extension ConversionModel.LockTrigger {
  /// The trigger in words: `once fine value 5 is reached`.
  package var displayText: String {
    switch self {
    case .fine(let value): "once fine value \(value) is reached"
    case .coarse(let value): "once coarse value \(value.rawValue) is reached"
    case .event(let name): "with the event \(name)"
    }
  }
}
