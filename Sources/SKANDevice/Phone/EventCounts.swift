import SKANBase

/// The events that are counted, each with an index. Many phones share one table.
public final class EventNames: @unchecked Sendable {
  /// Written in `init` only.
  private let table: NameTable

  /// A table of these names, in their order.
  public init(_ names: [String]) {
    table = NameTable(capacity: names.count)
    for name in names { _ = table.insert(name) }
  }

  /// The names in the order of their indices.
  public var names: [String] { table.names }

  /// Nil for an event that is not counted.
  public func index(of name: String) -> Int? { table.index(of: name) }

  /// The index of an event, and whether there is nothing to say of its name (`isUsualEventName`).
  package func find(_ name: String) -> (index: Int?, isUsual: Bool) {
    let (index, isShort) = table.find(name, without: UInt8(ascii: "+"))
    return (index, isShort || name.isUsualEventName)
  }

  /// Nil for an event that is not counted, by its name's UTF-8 bytes.
  @inline(__always)
  public func index(of name: UnsafeBufferPointer<UInt8>) -> Int? { unsafe table.index(of: name) }
}

/// How often a phone's events were seen in each window: what an endpoint with a model remembers of an install.
public struct EventCounts: Sendable {
  private var events: EventNames
  /// By index and window; empty while nothing was seen.
  private var counts: [Int64] = []

  private static let noNames = EventNames([])
  private static let windows = ConversionWindow.allCases.count

  /// Nothing was seen.
  public static let none = EventCounts(events: noNames)

  private init(events: EventNames) { self.events = events }

  /// By window and name.
  public init(_ windows: PerWindow<[String: Int64]>) {
    let names = ConversionWindow.allCases.reduce(into: Set<String>()) { $0.formUnion(windows[$1].keys) }
    self.init(events: EventNames(names.sorted()))
    for (index, name) in events.names.enumerated() {
      for window in ConversionWindow.allCases { self[index, window] = windows[window][name] ?? 0 }
    }
  }

  /// Counts by this table from here on. What was seen of other events is not forgotten, as a table of the old and the new
  /// names is made then.
  /// The first indices are the table's own.
  public mutating func use(_ table: EventNames) {
    if events === table { return }
    let others = events.names.filter { table.index(of: $0) == nil }
    let joined = others.isEmpty ? table : EventNames(table.names + others)
    var counts = EventCounts(events: joined)
    for (index, name) in events.names.enumerated() {
      guard let newIndex = joined.index(of: name) else { continue }
      for window in ConversionWindow.allCases where self[index, window] != 0 {
        counts[newIndex, window] = self[index, window]
      }
    }
    self = counts
  }

  /// By the event's index in the table.
  public subscript(index: Int, window: ConversionWindow) -> Int64 {
    get { counts.isEmpty ? 0 : counts[index * Self.windows + window.rawValue] }
    set {
      if counts.isEmpty { counts = [Int64](repeating: 0, count: events.names.count * Self.windows) }
      counts[index * Self.windows + window.rawValue] = newValue
    }
  }

  /// What `body` makes of all counts, by the event's index and then by window; none while nothing was seen.
  ///
  /// Mutating, so that no copy of them is made.
  public mutating func withUnsafeCounts(_ body: (UnsafeBufferPointer<Int64>) -> UInt64) -> UInt64 {
    unsafe counts.withUnsafeBufferPointer(body)
  }

  /// By window and name.
  public var windows: PerWindow<[String: Int64]> {
    var windows = PerWindow<[String: Int64]>(repeating: [:])
    for window in ConversionWindow.allCases { windows[window] = self[window] }
    return windows
  }

  /// Everything that was seen in a window, by name.
  public subscript(window: ConversionWindow) -> [String: Int64] {
    events.names.enumerated().reduce(into: [:]) { all, event in
      let count = self[event.offset, window]
      if count != 0 { all[event.element] = count }
    }
  }
}

extension EventCounts: Equatable {
  /// Whether the same was seen of every event.
  public static func == (left: EventCounts, right: EventCounts) -> Bool {
    ConversionWindow.allCases.allSatisfy { left[$0] == right[$0] }
  }
}
