import SKANDevice
import SKANModel

/// Where the answer of a model can change without any revenue: elsewhere an update is answered as the one before it.
struct ModelEdges {
  /// Microseconds since the first call, ascending.
  private let times: [Int64]
  private let model: ConversionModel

  init(_ model: ConversionModel) {
    self.model = model
    let mappings = Self.mappings(of: model)
    let hours = Set((mappings.flatMap { [$0.minHours, $0.maxHours] } + [model.measurementHours]).compactMap(\.self))
    // No window is open beyond them, and a file may hold any number.
    let possible = hours.filter { (0...ConversionWindow.p2.end / 3600).contains($0) }
    times = possible.sorted().map { $0 * 3_600_000_000 }
  }

  /// The first edge of time behind a moment, both since the first call; nil when there is none.
  func next(after elapsed: TimeSpan) -> TimeSpan? {
    times.first { $0 > elapsed.microseconds }.map { TimeSpan(microseconds: $0) }
  }

  /// The counts of an event in a window from which on a condition holds, or no longer holds.
  func counts(of name: String) -> [Int64] {
    var counts: Set<Int64> = []
    for event in Self.mappings(of: model).flatMap(\.events) where event.name == name && !event.isRevenueOnly {
      let first = event.occurrence?.min ?? 1
      let last = max(first, event.occurrence?.max ?? .max)
      counts.insert(first)
      if last < .max { counts.insert(last + 1) }
    }
    return counts.sorted()
  }

  /// Whether an event itself locks a window.
  func isLock(_ name: String) -> Bool {
    ConversionWindow.allCases.contains { model.windows[$0].lock == .event(name) }
  }

  private static func mappings(of model: ConversionModel) -> [ValueMapping] {
    model.fine.map(\.mapping) + ConversionWindow.allCases.flatMap { model.windows[$0].coarse.map(\.mapping) }
  }
}
