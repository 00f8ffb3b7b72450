import SKANDevice

/// Where a mapping holds: an interval of each thing that it looks at; of all others any amount will do.
///
/// Things are taken as independent of each other, though revenue in one currency is not independent of that in another.
/// So what is covered here is never left open by a real phone; the reverse may be.
struct ModelRegion {
  enum Axis: Hashable {
    /// Since the first call.
    case hours
    case count(String)
    case revenue(RevenueKind, currency: String)
  }

  /// The end is not part of an interval; counts and hours are whole numbers.
  typealias Interval = Range<Double>

  var sides: [Axis: Interval]
  /// No amount fulfils all that is asked.
  var isEmpty = false

  /// - Parameter hours: those in which the mapping's window can be reached.
  init(_ mapping: ValueMapping, hours: Range<Int64>) {
    sides = [.hours: Double(hours.lowerBound)..<Double(hours.upperBound)]
    isEmpty = hours.isEmpty
    restrict(.hours, from: mapping.minHours.map(Double.init), to: mapping.maxHours.map(Double.init))
    for event in mapping.events {
      if !event.isRevenueOnly {
        let occurrence = event.occurrence ?? OccurrenceCondition(min: 1)
        restrict(.count(event.name), from: Double(occurrence.min), to: occurrence.max.map { Double($0) + 1 })
        if event.revenue == nil { continue }
      }
      let revenue = event.revenue ?? RevenueCondition(min: .leastNonzeroMagnitude)
      restrict(.revenue(event.revenueKind, currency: event.currency ?? "USD"), from: revenue.min, to: revenue.max)
    }
  }

  /// Whether its hours come at all.
  var hasHours: Bool { !interval(.hours).isEmpty }

  private func interval(_ axis: Axis) -> Interval { sides[axis] ?? -Double.infinity..<Double.infinity }

  mutating func restrict(_ axis: Axis, from start: Double?, to end: Double?) {
    let old = interval(axis)
    let (lower, upper) = (max(old.lowerBound, start ?? old.lowerBound), min(old.upperBound, end ?? old.upperBound))
    if lower >= upper { isEmpty = true }
    sides[axis] = lower..<max(lower, upper)
  }

  /// Whether every point of it lies in another one.
  func isWithin(_ other: ModelRegion) -> Bool {
    isEmpty
      || other.sides.allSatisfy { axis, asked in
        let given = interval(axis)
        return asked.lowerBound <= given.lowerBound && given.upperBound <= asked.upperBound
      }
  }

  /// The limit of comparisons for a model; one that a person wrote stays far below.
  static let mostWork = 1_000_000

  /// Whether every point of it lies in one of the others.
  ///
  /// - Parameter budget: how much may still be looked at; when nothing is left, it is not known to be covered.
  func isCovered(by others: [ModelRegion], _ budget: inout Int) -> Bool { isCovered(by: others[...], &budget) }

  private func isCovered(by others: ArraySlice<ModelRegion>, _ budget: inout Int) -> Bool {
    if isEmpty { return true }
    budget -= 1 + sides.count
    guard budget > 0, let other = others.first else { return false }
    var inside = self
    for (axis, interval) in other.sides {
      let (start, end) = (interval.lowerBound, interval.upperBound)
      // What lies before and behind the other must be covered by the rest; what is left is within it on this side.
      for (from, to) in [(nil, start), (end, nil)] as [(Double?, Double?)] {
        var outside = inside
        outside.restrict(axis, from: from, to: to)
        if !outside.isCovered(by: others.dropFirst(), &budget) { return false }
      }
      inside.restrict(axis, from: start, to: end)
      if inside.isEmpty { return true }
    }
    return true
  }
}

extension ModelRegion {
  /// The points that lie in both.
  func common(with other: ModelRegion) -> ModelRegion {
    var region = self
    for (axis, interval) in other.sides { region.restrict(axis, from: interval.lowerBound, to: interval.upperBound) }
    if other.isEmpty { region.isEmpty = true }
    return region
  }

  /// The smallest region that contains both.
  func hull(with other: ModelRegion) -> ModelRegion {
    var region = self
    for (axis, interval) in sides {
      region.sides[axis] = other.sides[axis].map {
        min($0.lowerBound, interval.lowerBound)..<max($0.upperBound, interval.upperBound)
      }
    }
    return region
  }
}

extension ValueMapping {
  /// The mapping with the counts and amounts of a region that contains its own; what the region leaves open is left out.
  func widened(to region: ModelRegion) -> ValueMapping {
    var mapping = self
    mapping.events = events.compactMap { event in
      var event = event
      if let amounts = region.sides[.revenue(event.revenueKind, currency: event.currency ?? "USD")] {
        if event.revenue != nil {
          event.revenue = RevenueCondition(
            min: amounts.lowerBound, max: amounts.upperBound.isFinite ? amounts.upperBound : nil)
        }
      } else {
        event.revenue = nil
        event.currency = nil
      }
      if event.isRevenueOnly { return event.revenue == nil ? nil : event }
      guard let counts = region.sides[.count(event.name)] else { return nil }
      event.occurrence = OccurrenceCondition(
        min: Int64(counts.lowerBound), max: counts.upperBound.isFinite ? Int64(counts.upperBound) - 1 : nil)
      return event
    }
    return mapping
  }
}

extension ConversionModel {
  /// By fine value, 0-63: the highest coarse value of the first window whose mapping holds whenever the fine value's does,
  /// by its number. Who has the fine value has had this coarse value too.
  var coarseByFine: [Int64?] {
    let steps = windows[.p0].coarse.map { ($0.value.number, ModelRegion($0.mapping, hours: hours(of: .p0))) }
    var standing = [Int64?](repeating: nil, count: 64)
    var seen: Set<Int64> = []
    for fine in fine {
      let region = ModelRegion(fine.mapping, hours: hours(of: .p0))
      // A value that never comes stands for nothing.
      if region.isEmpty { continue }
      let coarse = steps.last { region.isWithin($0.1) }?.0
      let index = Int(fine.value)
      // Mapped twice it stands for what both stand for.
      if seen.insert(fine.value).inserted {
        standing[index] = coarse
      } else if let other = standing[index] {
        standing[index] = coarse.map { min($0, other) }
      }
    }
    return standing
  }
}
