import SKANBase

extension MappedEvent {
  init?(_ node: JSONNode, in outer: inout JSONObjectReader) {
    var reader = JSONObjectReader(
      node, what: "a mapped event", spellings: ModelObject.mappedEvent.keys)
    defer { outer.add(reader.problems) }
    let before = reader.problems.count
    currency = reader.text("currency_code")
    let amounts = reader.range("event_revenue_range", "event_revenue", "a revenue range") { object, key, isEnd in
      object.amount(key, takesInfinity: isEnd)
    }
    let counts = reader.range("event_occurrence_range", "event_count", "an occurrence range") { object, key, _ in
      object.positive(key)
    }
    let (atLeast, exactly) = (reader.amount("event_revenue_value"), reader.positive("event_counter"))
    revenue =
      amounts.map { RevenueCondition(min: $0.min ?? 0, max: $0.max) } ?? atLeast.map { RevenueCondition(min: $0) }
    occurrence =
      counts.map { OccurrenceCondition(min: $0.min ?? 1, max: $0.max) }
      ?? exactly.map { OccurrenceCondition(min: $0, max: $0) }
    // Without an event it is about revenue alone.
    name = reader.text("mapped_event_name") ?? (revenue == nil ? "" : Self.allRevenue)
    if name.isEmpty {
      if reader.value("mapped_event_name") == nil {
        reader.require("mapped_event_name")
      } else if reader.problems.count == before {
        reader.complain("an event needs a name", about: "mapped_event_name")
      }
      return nil
    }
    if let revenue, revenue.min == revenue.max {
      reader.complain("no revenue is in this range: its end is not part of it", about: "event_revenue_range")
    }
    if amounts != nil, atLeast != nil { reader.complainOfBoth("event_revenue_range", "event_revenue_value") }
    if counts != nil, exactly != nil { reader.complainOfBoth("event_occurrence_range", "event_counter") }
  }
}

extension JSONObjectReader {
  fileprivate mutating func require(_ key: JSONKey) {
    complain("a mapped event needs the key \"\(key.name)\"")
  }

  fileprivate mutating func complainOfBoth(_ range: JSONKey, _ value: JSONKey) {
    complain("an event has \"\(range.name)\" or \"\(value.name)\", not both", about: value)
  }

  /// `{"min_NAME":…,"max_NAME":…}` under a key; nil when neither is set.
  fileprivate mutating func range<Bound: Comparable>(
    _ key: JSONKey, _ name: String, _ what: StaticString,
    read: (inout JSONObjectReader, JSONKey, _ isEnd: Bool) -> Bound?
  ) -> (min: Bound?, max: Bound?)? {
    guard let node = value(key) else { return nil }
    var reader = JSONObjectReader(node, what: what, spellings: ["min_\(name)", "max_\(name)"])
    let bounds = (
      min: read(&reader, JSONKey("min_\(name)"), false), max: read(&reader, JSONKey("max_\(name)"), true)
    )
    if let least = bounds.min, let most = bounds.max, least > most {
      reader.complain("\(what) ends (\(most)) before it begins (\(least))", about: JSONKey("max_\(name)"))
    }
    add(reader.problems)
    return bounds.min == nil && bounds.max == nil ? nil : bounds
  }
}
