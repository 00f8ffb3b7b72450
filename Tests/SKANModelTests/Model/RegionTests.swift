import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

/// Regions beside the points that a plain reading of their mappings holds for.
@Suite("Regions of mappings")
struct RegionTests {
  private struct Point {
    var hour: Int64
    var counts: [String: Int64]
  }

  private static let hours: Range<Int64> = 0..<6
  private static let points = hours.flatMap { hour in
    (0...7 as ClosedRange<Int64>).flatMap { a in
      (0...7 as ClosedRange<Int64>).map { Point(hour: hour, counts: ["a": a, "b": $0]) }
    }
  }

  private static func mapping(_ generator: inout SplitMix64) -> ValueMapping {
    var mapping = ValueMapping()
    if Int.random(in: 0..<3, using: &generator) == 0 { mapping.minHours = .random(in: 1...6, using: &generator) }
    if Int.random(in: 0..<3, using: &generator) == 0 { mapping.maxHours = .random(in: 1...7, using: &generator) }
    for _ in 0..<Int.random(in: 0...2, using: &generator) {
      let least = Int64.random(in: 1...4, using: &generator)
      let most = Bool.random(using: &generator) ? nil : least + .random(in: 0...2, using: &generator)
      mapping.events.append(
        MappedEvent(
          name: Bool.random(using: &generator) ? "a" : "b",
          occurrence: least == 1 && most == nil ? nil : OccurrenceCondition(min: least, max: most)))
    }
    return mapping
  }

  /// The points for which a mapping holds, as their indices.
  private static func held(_ mapping: ValueMapping) -> Set<Int> {
    Set(
      points.indices.filter { index in
        let point = points[index]
        return point.hour >= mapping.minHours ?? 0 && point.hour < mapping.maxHours ?? .max
          && mapping.events.allSatisfy { event in
            let count = point.counts[event.name] ?? 0
            return count >= event.occurrence?.min ?? 1 && count <= event.occurrence?.max ?? .max
          }
      })
  }

  @Test("Empty, within, common, and covered by others") func emptyWithin() {
    var generator = SplitMix64(seed: 21)
    var covered = 0
    for _ in Rounds.of(80) {
      let mappings = (0...3).map { _ in Self.mapping(&generator) }
      let regions = mappings.map { ModelRegion($0, hours: Self.hours) }
      let held = mappings.map(Self.held)
      for index in regions.indices {
        #expect(regions[index].isEmpty == held[index].isEmpty, "\(mappings[index])")
        #expect(regions[index].isWithin(regions[0]) == held[index].isSubset(of: held[0]), "\(mappings)")
        let common = regions[0].common(with: regions[index])
        #expect(common.isEmpty == held[0].isDisjoint(with: held[index]), "\(mappings)")
      }
      let union = held.dropFirst().reduce(Set<Int>()) { $0.union($1) }
      var budget = ModelRegion.mostWork
      let isCovered = regions[0].isCovered(by: Array(regions.dropFirst()), &budget)
      #expect(isCovered == held[0].isSubset(of: union), "\(mappings)")
      covered += isCovered && !held[0].isEmpty ? 1 : 0
    }
    #expect(covered > 5)
  }

  @Test("What is left of the work limits the comparisons") func whatLeft() {
    let region = ModelRegion(ValueMapping(), hours: Self.hours)
    // A comparison costs one, and one more for each side of the region.
    for (budget, isCovered) in [(2, false), (3, true)] {
      var left = budget
      #expect(region.isCovered(by: [region], &left) == isCovered && left == budget - 2)
    }
    #expect(ModelRegion(ValueMapping(), hours: 5..<5).isEmpty && !ModelRegion(ValueMapping(), hours: 5..<5).hasHours)
  }

  @Test("The smallest region of two, and the mapping with its limits") func smallestRegion() {
    var mapping = ValueMapping()
    mapping.events = [
      MappedEvent(
        name: "a", currency: "EUR", revenue: RevenueCondition(min: 2, max: 5),
        occurrence: OccurrenceCondition(min: 2, max: 3)),
      MappedEvent(name: "b"), MappedEvent(name: MappedEvent.iapRevenue, currency: "EUR"),
    ]
    var other = mapping
    other.events[0].occurrence = OccurrenceCondition(min: 1, max: 2)
    other.events[0].revenue = RevenueCondition(min: 4, max: 9)
    other.events[1].occurrence = OccurrenceCondition(min: 3, max: 3)
    let (region, second) = (ModelRegion(mapping, hours: 1..<4), ModelRegion(other, hours: 2..<6))
    let hull = region.hull(with: second)
    #expect(
      hull.sides[.hours] == 1..<6 && hull.sides[.count("a")] == 1..<4 && hull.sides[.count("b")] == 1..<Double.infinity)
    #expect(hull.sides[.revenue(.all, currency: "EUR")] == 2..<9)
    var widened = mapping.widened(to: hull)
    #expect(widened.events[0].occurrence == OccurrenceCondition(min: 1, max: 3))
    #expect(widened.events[0].revenue == RevenueCondition(min: 2, max: 9) && widened.events[0].currency == "EUR")
    #expect(widened.events[1].occurrence == OccurrenceCondition(min: 1) && widened.events[1].revenue == nil)
    // A condition that is not limited goes, and an entry without one.
    var open = hull
    open.sides[.revenue(.all, currency: "EUR")] = nil
    open.sides[.revenue(.purchases, currency: "EUR")] = nil
    open.sides[.count("b")] = nil
    widened = mapping.widened(to: open)
    #expect(widened.events == [MappedEvent(name: "a", occurrence: OccurrenceCondition(min: 1, max: 3))])
    open.sides[.revenue(.all, currency: "EUR")] = 3..<Double.infinity
    #expect(mapping.widened(to: open).events[0].revenue == RevenueCondition(min: 3))
  }
}
