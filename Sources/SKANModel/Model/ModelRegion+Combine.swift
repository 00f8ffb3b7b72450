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
