/// The revenue that an app has added, as far as it takes to notice that an app which tries an event again adds its
/// revenue again.
///
/// The header of the snippet: "In case of retrying an event, avoid calling this method so the same revenue will not be
/// counted twice." The revenue of an event is the last one added before it.
///
/// It is small, and costs a step of revenue a few stores, because a long list has a million of them.
struct RevenueMemory: Sendable {
  /// The revenue added since the last event; 0 if there was none, since nothing is added for 0.
  private var amount: Double = 0
  /// Nil unless a currency has no code, or an event failed.
  private var rare: SharedValue<Rare>?
  /// Nil for a currency that is no code.
  private var code: CurrencyCode?
  private var isAd = false

  private struct Rare: Sendable {
    /// The currency that is no code.
    var currency: String?
    var failed: [Failed] = []
  }

  /// An event whose update failed and has not succeeded since, with its revenue.
  private struct Failed: Sendable, Equatable {
    let event: String
    let amount: Double
    let currency: String
    let isAd: Bool
  }

  /// The failed events that are remembered; older ones are forgotten.
  private static let most = 8

  /// Remembers revenue that the app adds.
  ///
  /// - Returns: the failed event to which the same revenue belongs; nil if there is none.
  @inline(__always)
  mutating func add(_ amount: Double, _ currency: String, _ code: CurrencyCode?, isAd: Bool) -> String? {
    (self.amount, self.code, self.isAd) = (amount, code, isAd)
    return code != nil && rare == nil ? nil : compare(amount, currency, isAd)
  }

  @inline(never)
  private mutating func compare(_ amount: Double, _ currency: String, _ isAd: Bool) -> String? {
    var all = rare?.value ?? Rare()
    all.currency = code == nil ? currency : nil
    rare = SharedValue(all)
    return all.failed.first { $0.amount == amount && $0.currency == currency && $0.isAd == isAd }?.event
  }

  /// Remembers how an event ended.
  @inline(__always)
  mutating func note(event name: String, _ outcome: Outcome) {
    if rare != nil || outcome.tellsError { change(name, outcome) }
    amount = 0
  }

  @inline(never)
  private mutating func change(_ name: String, _ outcome: Outcome) {
    var all = rare?.value ?? Rare()
    if outcome.tellsError, amount != 0 {
      let failed = Failed(event: name, amount: amount, currency: code?.name ?? all.currency ?? "", isAd: isAd)
      all.failed.removeAll { $0 == failed }
      all.failed = all.failed.suffix(Self.most - 1) + [failed]
    } else if outcome.isAnswered {
      all.failed.removeAll { $0.event == name }
    }
    all.currency = nil
    rare = all.failed.isEmpty ? nil : SharedValue(all)
  }
}

extension Outcome {
  /// Whether the app's handler is told of an error, after which an app may try an event again.
  fileprivate var tellsError: Bool {
    switch self {
    case .frameworkError, .serverError, .unparsable, .illegalValues, .transportError: true
    default: false
    }
  }

  /// Whether the endpoint had the event and answered without an error.
  fileprivate var isAnswered: Bool { self == .updated || self == .noUpdate || self == .notHigher }
}

extension Device {
  /// Remembers how an event ended, because its revenue is not to be added again when it is retried.
  @inline(__always)
  package mutating func note(event name: String, _ outcome: Outcome) { revenues.note(event: name, outcome) }

  /// Remembers the revenue and the events of a history.
  package mutating func recallRevenue(of history: [LifeEvent]) {
    revenues = RevenueMemory()
    for event in history {
      switch event.kind {
      case .revenue(let amount, let currency, let isAd) where event.outcome == .added:
        _ = revenues.add(amount, currency, CurrencyCode(currency), isAd: isAd)
      case .event(let name): revenues.note(event: name, event.outcome)
      default: break
      }
    }
  }
}
