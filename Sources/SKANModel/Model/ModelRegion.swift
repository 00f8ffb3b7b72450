import SKANDevice

/// The region in which a mapping holds: an interval for each quantity that it uses. Other quantities are unlimited.
///
/// Quantities are treated as independent, although revenue in different currencies is not. Therefore a region reported
/// as covered is covered for every real phone, but the reverse may not hold.
struct ModelRegion {
  enum Axis: Hashable {
    /// Hours since the first call.
    case hours
    case count(String)
    case revenue(RevenueKind, currency: String)
  }

  /// Half-open; counts and hours are integers.
  typealias Interval = Range<Double>

  var sides: [Axis: Interval]
  /// Whether no phone can fulfil all conditions.
  var isEmpty = false

  /// - Parameter hours: the hours of the mapping's window.
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

  /// Whether its hours can be reached.
  var hasHours: Bool { !interval(.hours).isEmpty }

  private func interval(_ axis: Axis) -> Interval { sides[axis] ?? -Double.infinity..<Double.infinity }

  mutating func restrict(_ axis: Axis, from start: Double?, to end: Double?) {
    let old = interval(axis)
    let (lower, upper) = (max(old.lowerBound, start ?? old.lowerBound), min(old.upperBound, end ?? old.upperBound))
    if lower >= upper { isEmpty = true }
    sides[axis] = lower..<max(lower, upper)
  }

  /// Whether it is contained in another region.
  func isWithin(_ other: ModelRegion) -> Bool {
    isEmpty
      || other.sides.allSatisfy { axis, asked in
        let given = interval(axis)
        return asked.lowerBound <= given.lowerBound && given.upperBound <= asked.upperBound
      }
  }

  /// The limit of comparisons for a model; a handwritten one stays far below.
  static let mostWork = 1_000_000

  /// Whether it is contained in the union of other regions.
  ///
  /// - Parameter budget: the remaining number of comparisons; once it is used up, the result is false.
  func isCovered(by others: [ModelRegion], _ budget: inout Int) -> Bool { isCovered(by: others[...], &budget) }

  private func isCovered(by others: ArraySlice<ModelRegion>, _ budget: inout Int) -> Bool {
    if isEmpty { return true }
    budget -= 1 + sides.count
    guard budget > 0, let other = others.first else { return false }
    var inside = self
    for (axis, interval) in other.sides {
      let (start, end) = (interval.lowerBound, interval.upperBound)
      // The parts before and after the other region must be covered by the rest; the remaining part is within it on
      // this axis.
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
  /// The intersection with another region.
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
  /// The mapping with the counts and amounts of a larger region; conditions that the region does not limit are removed.
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
  /// For each fine value, 0–63, the number of the highest coarse value of the first window whose mapping holds whenever
  /// the fine value's does. A user who has the fine value has had this coarse value too.
  var coarseByFine: [Int64?] {
    let steps = windows[.p0].coarse.map { ($0.value.number, ModelRegion($0.mapping, hours: hours(of: .p0))) }
    var standing = [Int64?](repeating: nil, count: 64)
    var seen: Set<Int64> = []
    for fine in fine {
      let region = ModelRegion(fine.mapping, hours: hours(of: .p0))
      // A value that cannot be reached implies nothing.
      if region.isEmpty { continue }
      let coarse = steps.last { region.isWithin($0.1) }?.0
      let index = Int(fine.value)
      // With several mappings, it implies the lowest of their coarse values.
      if seen.insert(fine.value).inserted {
        standing[index] = coarse
      } else if let other = standing[index] {
        standing[index] = coarse.map { min($0, other) }
      }
    }
    return standing
  }
}
