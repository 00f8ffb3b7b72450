import SKANDevice

extension ValueMapping {
  /// What a user did for the value, in words: `purchase once and 5 ≤ revenue < 10 USD, within 24 h`.
  package var displayText: String {
    let events = events.isEmpty ? "anything" : events.map(\.displayText).joined(separator: " and ")
    return events + (hoursText.map { ", \($0)" } ?? "")
  }

  private var hoursText: String? {
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
    let event = name == Device.sessionEventName ? "a session" : name
    return "\(event) \(countText)" + (revenue == nil ? "" : " with \(revenueText)")
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

  /// A value and what it means.
  package struct Row: Sendable, Equatable {
    package var value: String
    package var meaning: String
    /// Why no user can get it; nil for one that can be had.
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
  /// When it locks, in words: `once fine value 5 is reached`.
  package var displayText: String {
    switch self {
    case .fine(let value): "once fine value \(value) is reached"
    case .coarse(let value): "once coarse value \(value.rawValue) is reached"
    case .event(let name): "with the event \(name)"
    }
  }
}
