import SKANDevice

/// How often a phone's events were seen in each window: what an endpoint with a model remembers of an install.
///
/// A model asks for a handful of events, so that a list is searched faster than a dictionary, and takes less room.
package struct EventCounts: Sendable, Equatable {
  private struct Entry: Sendable, Equatable {
    var name: String
    var counts: PerWindow<Int64>
  }

  private var entries: [Entry] = []

  package init() {}

  /// Nothing was seen.
  package static let none = EventCounts()

  package subscript(name: String, window: ConversionWindow) -> Int64 {
    get { entries.first { $0.name.isLiterally(name) }?.counts[window] ?? 0 }
    set {
      if let index = entries.firstIndex(where: { $0.name.isLiterally(name) }) {
        entries[index].counts[window] = newValue
      } else {
        var counts = PerWindow<Int64>(repeating: 0)
        counts[window] = newValue
        entries.append(Entry(name: name, counts: counts))
      }
    }
  }

  /// By window and name.
  package init(_ windows: PerWindow<[String: Int64]>) {
    for window in ConversionWindow.allCases {
      for (name, count) in windows[window] { self[name, window] = count }
    }
  }

  /// By window and name.
  package var windows: PerWindow<[String: Int64]> {
    var windows = PerWindow<[String: Int64]>(repeating: [:])
    for window in ConversionWindow.allCases { windows[window] = self[window] }
    return windows
  }

  /// Everything that was seen in a window, by name.
  package subscript(window: ConversionWindow) -> [String: Int64] {
    entries.reduce(into: [:]) { all, entry in
      if entry.counts[window] != 0 { all[entry.name] = entry.counts[window] }
    }
  }

  package static func == (left: EventCounts, right: EventCounts) -> Bool {
    ConversionWindow.allCases.allSatisfy { left[$0] == right[$0] }
  }
}
