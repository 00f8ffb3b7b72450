import SKANDevice

extension ModelPlan {
  /// Puts the mappings' entries together.
  struct Builder {
    let events: EventNames
    var quantities: [Quantity] = []
    var currencies: [Currency] = []
    var conditions: [Condition] = []
    var asked = PerWindow<[Int]>(repeating: [])
    private var positions: [Quantity: Int] = [:]
    private var currencyPositions: [Currency: Int] = [:]
    private var isAsked = PerWindow<Set<Int>>(repeating: [])

    init(events: EventNames) { self.events = events }

    mutating func rule(_ value: Int64, _ mapping: ValueMapping, in window: ConversionWindow) -> Rule {
      let start = conditions.count
      for event in mapping.events { add(event, in: window) }
      let first = mapping.minHours ?? .min
      return Rule(
        value: value, hours: first..<max(first, mapping.maxHours ?? .max), conditions: start..<conditions.count)
    }

    private mutating func add(_ event: MappedEvent, in window: ConversionWindow) {
      if !event.isRevenueOnly {
        let occurrence = event.occurrence ?? OccurrenceCondition(min: 1)
        let range = occurrence.min...max(occurrence.min, occurrence.max ?? .max)
        if let position = events.index(of: event.name) { add(.count(position), .count(range), in: window) }
        if event.revenue == nil { return }
      }
      // Revenue alone, without a condition, asks for any revenue at all.
      let revenue = event.revenue ?? RevenueCondition(min: .leastNonzeroMagnitude)
      let currency = Currency(event.currency ?? "USD")
      let position = currencyPositions[currency] ?? currencies.count
      if position == currencies.count {
        currencies.append(currency)
        currencyPositions[currency] = position
      }
      add(
        .revenue(event.revenueKind, position),
        .revenue(from: revenue.min, to: revenue.max ?? .infinity), in: window)
    }

    private mutating func add(_ quantity: Quantity, _ range: Condition.Range, in window: ConversionWindow) {
      let index = positions[quantity] ?? quantities.count
      if index == quantities.count {
        quantities.append(quantity)
        positions[quantity] = index
      }
      if isAsked[window].insert(index).inserted { asked[window].append(index) }
      conditions.append(Condition(quantity: index, range: range))
    }
  }
}
