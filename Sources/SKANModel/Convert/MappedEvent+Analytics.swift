import SKANBase

extension MappedEvent {
  /// An event mapping of Google Analytics. Its currency is set later: it is that of the property.
  ///
  /// - Parameter amounts: gets the location of an amount.
  init?(analytics node: JSONNode, in outer: inout JSONObjectReader, _ amounts: inout [Range<Int>]) {
    var reader = JSONObjectReader(
      node, what: "an event mapping",
      spellings: ["event_name", "min_event_count", "max_event_count", "min_event_value", "max_event_value"])
    let name = reader.text("event_name")
    if name == nil, reader.problems.isEmpty { reader.complain("an event mapping needs the key \"event_name\"") }
    let counts = (reader.count("min_event_count"), reader.count("max_event_count"))
    let sums = (reader.amount("min_event_value"), reader.amount("max_event_value"))
    if counts.0 == 0 {
      reader.complain("a model counts events from 1: leave it out, or ask for 1", about: "min_event_count")
    }
    if counts.1 == 0 { reader.complain("an event that must not come has no counterpart", about: "max_event_count") }
    if let least = counts.0, let most = counts.1, least > most {
      reader.complain("the counts end (\(most)) before they begin (\(least))", about: "max_event_count")
    }
    if reader.value("max_event_value") != nil, sums.1 ?? 0 <= sums.0 ?? 0, reader.problems.isEmpty {
      reader.complain("no revenue is in this range: its end is not part of it", about: "max_event_value")
    }
    if sums.0 != nil || sums.1 != nil {
      amounts.append((reader.value("min_event_value") ?? reader.value("max_event_value") ?? node).range)
    }
    self.init(
      name: name ?? "",
      revenue: sums.0 == nil && sums.1 == nil ? nil : RevenueCondition(min: sums.0 ?? 0, max: sums.1),
      occurrence: counts.0 == nil && counts.1 == nil ? nil : OccurrenceCondition(min: counts.0 ?? 1, max: counts.1))
    outer.add(reader.problems)
    if !reader.problems.isEmpty { return nil }
  }
}
