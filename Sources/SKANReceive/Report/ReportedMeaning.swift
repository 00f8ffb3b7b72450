/// What the conversion model said of a postback when it was received.
struct ReportedMeaning: Hashable, Sendable {
  /// Whether it says nothing of the value.
  let isUndecoded: Bool
  /// Nil where the mapping says nothing of revenue.
  let revenue: Revenue?
  let events: [Event]

  /// A range of revenue, half-open.
  struct Revenue: Hashable, Sendable {
    let currency: String
    let min: MicroAmount
    /// Nil for a range without an end.
    let below: MicroAmount?
  }

  /// An event that the value stands for.
  struct Event: Hashable, Sendable {
    let name: String
    let least: Int64
    /// Nil where the mapping sets no end.
    let most: Int64?
  }

  init(_ decoded: DecodedValue) {
    let meaning = decoded.meaning
    isUndecoded = meaning == nil
    revenue = meaning?.revenue.map {
      Revenue(currency: $0.currency, min: MicroAmount($0.min), below: $0.below.map(MicroAmount.init))
    }
    // Revenue alone is no event; it has no count.
    events = (meaning?.events ?? []).compactMap { event in
      event.countMin.map { Event(name: event.name, least: $0, most: event.countMax) }
    }
  }
}
