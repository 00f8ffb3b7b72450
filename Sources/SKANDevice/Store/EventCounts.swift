import SKANBase

/// How often each event was seen in each window, as an endpoint with a model remembers it.
public struct EventCounts: Sendable {
  private var events: NameIndex
  /// Indexed by event and window; empty if no event was seen.
  private var counts: [Int64] = []

  private static let noNames = NameIndex([])
  private static let windows = ConversionWindow.allCases.count

  /// No events.
  public static let none = EventCounts(events: noNames)

  private init(events: NameIndex) { self.events = events }

  /// Counts by window and name.
  public init(_ windows: PerWindow<[String: Int64]>) {
    let names = ConversionWindow.allCases.reduce(into: Set<String>()) { $0.formUnion(windows[$1].keys) }
    self.init(events: NameIndex(names.sorted()))
    for (index, name) in events.names.enumerated() {
      for window in ConversionWindow.allCases { self[index, window] = windows[window][name] ?? 0 }
    }
  }

  /// Switches to another table. Counts of events that it lacks are kept in a table of the new and the old names, whose
  /// first indices are those of the new table.
  package mutating func use(_ table: NameIndex) {
    if events === table { return }
    let others = events.names.filter { table.index(of: $0) == nil }
    let joined = others.isEmpty ? table : NameIndex(table.names + others)
    var counts = EventCounts(events: joined)
    for (index, name) in events.names.enumerated() {
      guard let newIndex = joined.index(of: name) else { continue }
      for window in ConversionWindow.allCases where self[index, window] != 0 {
        counts[newIndex, window] = self[index, window]
      }
    }
    self = counts
  }

  /// The count of an event, by its index in the table.
  public subscript(index: Int, window: ConversionWindow) -> Int64 {
    get { counts.isEmpty ? 0 : counts[index * Self.windows + window.rawValue] }
    set {
      if counts.isEmpty { counts = [Int64](repeating: 0, count: events.names.count * Self.windows) }
      counts[index * Self.windows + window.rawValue] = newValue
    }
  }

  /// Calls `body` with all counts, ordered by event index and then by window; the buffer is empty if no event was seen.
  ///
  /// Mutating, so that the counts are not copied.
  public mutating func withUnsafeCounts(_ body: (UnsafeBufferPointer<Int64>) -> UInt64) -> UInt64 {
    unsafe counts.withUnsafeBufferPointer(body)
  }

  /// The counts by window and name.
  public var windows: PerWindow<[String: Int64]> {
    var windows = PerWindow<[String: Int64]>(repeating: [:])
    for window in ConversionWindow.allCases { windows[window] = self[window] }
    return windows
  }

  /// The counts of a window by name, without zeros.
  public subscript(window: ConversionWindow) -> [String: Int64] {
    events.names.enumerated().reduce(into: [:]) { all, event in
      let count = self[event.offset, window]
      if count != 0 { all[event.element] = count }
    }
  }
}

extension EventCounts: Equatable {
  /// Whether the counts of all events are equal.
  public static func == (left: EventCounts, right: EventCounts) -> Bool {
    ConversionWindow.allCases.allSatisfy { left[$0] == right[$0] }
  }
}
