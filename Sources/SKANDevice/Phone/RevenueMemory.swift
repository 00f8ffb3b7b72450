/// Events whose updates failed, with their revenue: an app that tries one of them again adds its revenue again.
///
/// The header of the snippet: "In case of retrying an event, avoid calling this method so the same revenue will not be
/// counted twice." The revenue of an event is the last one added before it.
struct RevenueMemory: Sendable, Equatable {
  /// The currency of the last revenue, if it is no code.
  private var currency: String?
  private var failed: [Failed] = []

  /// An event whose update failed and has not succeeded since.
  private struct Failed: Sendable, Equatable {
    let event: String
    let revenue: AddedRevenue
    /// Nil for a currency that is a code.
    let currency: String?
  }

  /// The failed events that are remembered; older ones are forgotten.
  private static let most = 8

  /// Remembers revenue that the app adds.
  ///
  /// - Parameter currency: nil for a currency that is a code.
  /// - Returns: the failed event to which the same revenue belongs; nil without one.
  fileprivate mutating func add(_ revenue: AddedRevenue, _ currency: String?) -> String? {
    self.currency = currency
    return failed.first { $0.revenue == revenue && $0.currency == currency }?.event
  }

  /// Remembers how an event ended.
  ///
  /// - Parameter revenue: what was added before it.
  fileprivate mutating func note(event name: String, _ outcome: Outcome, _ revenue: AddedRevenue) {
    if outcome.tellsError, revenue.amount != 0 {
      let event = Failed(event: name, revenue: revenue, currency: currency)
      failed.removeAll { $0 == event }
      failed = failed.suffix(Self.most - 1) + [event]
    } else if outcome.isAnswered {
      failed.removeAll { $0.event == name }
    }
    currency = nil
  }
}

/// The revenue that was added since the last event.
struct AddedRevenue: Sendable, Equatable {
  /// In single precision, as the snippet narrows it; 0 for none, since nothing is added for 0.
  let amount: Float
  /// The three bytes of the currency's code, 0 for a currency without one; the highest bit is set for revenue from
  /// ads, since a letter has seven bits.
  let code: UInt32

  /// No revenue.
  static var none: AddedRevenue { AddedRevenue(amount: 0, code: 0) }

  @inline(__always)
  init(amount: Float, code: UInt32) { (self.amount, self.code) = (amount, code) }

  @inline(__always)
  fileprivate init(_ amount: Double, _ code: CurrencyCode?, isAd: Bool) {
    self.init(amount: Float(amount), code: (code?.number ?? 0) | (isAd ? 1 << 23 : 0))
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
  /// Remembers revenue that the app adds. It is a few stores, because a long list has a million such steps.
  ///
  /// - Returns: the failed event to which the same revenue belongs; nil without one.
  @inline(__always)
  mutating func noteRevenue(_ amount: Double, _ currency: String, _ code: CurrencyCode?, isAd: Bool) -> String? {
    added = AddedRevenue(amount, code, isAd: isAd)
    return code != nil && !hasRare ? nil : compareRevenue(code == nil ? currency : nil)
  }

  @inline(never)
  private mutating func compareRevenue(_ currency: String?) -> String? {
    let added = added
    return changeRare { $0.revenue.add(added, currency) }
  }

  /// Remembers how an event ended, because its revenue is not to be added again when it is tried again.
  @inline(__always)
  package mutating func note(event name: String, _ outcome: Outcome) {
    if hasRare || outcome.tellsError { noteRare(event: name, outcome) }
    added = .none
  }

  @inline(never)
  private mutating func noteRare(event name: String, _ outcome: Outcome) {
    let added = added
    changeRare { $0.revenue.note(event: name, outcome, added) }
  }

  /// Remembers the revenue and the events of a history.
  package mutating func recallRevenue(of history: [LifeEvent]) {
    for event in history {
      switch event.kind {
      case .revenue(let amount, let currency, let isAd) where event.outcome == .added:
        _ = noteRevenue(amount, currency, CurrencyCode(currency), isAd: isAd)
      case .event(let name): note(event: name, event.outcome)
      default: break
      }
    }
  }
}
