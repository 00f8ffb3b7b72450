import SKANDevice
import SKANJSON

/// The conversion_value endpoint, as a function: parameters, the phone's time and what is remembered of it in, an
/// answer out. The same in process and behind a server; see the article "Endpoints".
package final class ReferenceEndpoint: Sendable {
  /// Carries a phone's own time, Unix seconds, to an endpoint of ours.
  package static let deviceTimeHeader = "X-SKAN-Device-Time"

  /// Bundle identifier → model.
  private let models: [String: ConversionModel]
  /// For every app that has none of its own.
  private let defaultModel: ConversionModel?
  private let rates: ExchangeRates
  private let plans: [String: ModelPlan]
  private let defaultPlan: ModelPlan?
  /// Every event that a model asks for. Only these are counted: a phone with ever-new names must not fill the memory.
  private let events: EventNames

  package init(
    models: [String: ConversionModel] = [:], defaultModel: ConversionModel? = nil,
    rates: ExchangeRates = ExchangeRates()
  ) {
    self.models = models
    self.defaultModel = defaultModel
    self.rates = rates
    let all = models.values + (defaultModel.map { [$0] } ?? [])
    let events = EventNames(all.reduce(into: Set<String>()) { $0.formUnion($1.eventNames) }.sorted())
    self.events = events
    plans = models.mapValues { ModelPlan($0, events) }
    defaultPlan = defaultModel.map { ModelPlan($0, events) }
  }

  /// The same with memory of its own: threads that share an object fight for its reference count.
  package func separated() -> ReferenceEndpoint {
    ReferenceEndpoint(models: models, defaultModel: defaultModel, rates: rates)
  }

  /// Whether there is a model at all.
  package var hasModel: Bool { defaultPlan != nil || !plans.isEmpty }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - query: decoded, as a server reads it.
  ///   - now: the phone's clock.
  ///   - counts: what is remembered of this phone's events; counted on only when there is no error.
  package func reply(to query: ConversionQuery, at now: Instant, counts: inout EventCounts) -> ReferenceReply {
    reply(to: query, event: query.text(.eventName), query.api, isKnown: false, at: now, counts: &counts)
  }

  /// Answers a phone in this process as it would answer the phone's request.
  ///
  /// - Parameter isKnown: whether the phone had an answer with values before, its profile is the same, and its store is
  ///   plain (``KeptState/isPlain``).
  package func reply(
    to device: Device, event name: String, isKnown: Bool = false, at now: Instant, counts: inout EventCounts
  ) -> ReferenceReply {
    reply(
      to: device, event: name.asServersRead, device.snippet.isSKAN4 ? .v2 : .v1, isKnown: isKnown, at: now,
      counts: &counts)
  }

  private func reply(
    to parameters: borrowing some ConversionParameters, event name: String?, _ api: EndpointAPI, isKnown: Bool,
    at now: Instant, counts: inout EventCounts
  ) -> ReferenceReply {
    do throws(EndpointError) {
      let request = try ValidatedRequest(parameters, event: name, api: api, isKnown: isKnown)
      let app = plans.isEmpty ? nil : parameters.text(.bundleID)
      guard let plan = app.flatMap({ plans[$0] }) ?? defaultPlan else {
        throw .noModel(parameters.text(.bundleID) ?? "")
      }
      return .values(try values(request, name ?? "", parameters, plan, at: now, &counts))
    } catch {
      return .error(error)
    }
  }

  private func values(
    _ request: ValidatedRequest, _ name: String, _ parameters: borrowing some ConversionParameters, _ plan: ModelPlan,
    at now: Instant, _ counts: inout EventCounts
  ) throws(EndpointError) -> ReferenceReply.Values {
    let window = try window(request, plan, at: now)
    let (iap, ads) = (
      try revenue(parameters, request.api, .iap, window), try revenue(parameters, request.api, .ads, window)
    )
    counts.use(events)
    let event = events.place(of: name)
    if let event { counts[event, window] += 1 }
    let phone = PhoneHistory(
      elapsed: now.since(Instant(microseconds: request.firstCall * 1_000_000)), window: window, iapRevenue: iap,
      adRevenue: ads, event: event, currentFine: request.currentFine)
    do throws(RateMissing) {
      return ReferenceReply.Values(
        verdict: try plan.verdict(on: phone, counts, rates), api: request.api, window: window,
        count: event.map { counts[$0, window] } ?? 1, elapsed: phone.elapsed, previousFine: request.currentFine)
    } catch {
      if let event { counts[event, window] -= 1 }
      throw .noRate(error.currency)
    }
  }

  /// The phone's window; the errors of time come here.
  private func window(
    _ request: ValidatedRequest, _ plan: ModelPlan, at now: Instant
  ) throws(EndpointError) -> ConversionWindow {
    let seconds = now.wholeSeconds - request.firstCall
    let window: ConversionWindow
    if request.api == .v1 {
      let sinceLast = request.lastCall - request.firstCall
      if sinceLast > ConversionWindow.skan3Length { throw .closed(hours: sinceLast / 3600, request.api) }
      window = .p0
    } else {
      guard let open = ConversionWindow.at(secondsSinceFirstCall: seconds) else {
        throw .closed(hours: seconds / 3600, request.api)
      }
      window = open
    }
    if request.lastCall < request.firstCall {
      throw .lastCallBeforeFirst(hours: (request.lastCall - request.firstCall) / 3600)
    }
    if let limit = plan.measurementHours, seconds / 3600 >= limit { throw .badPeriod(seconds / 3600) }
    return window
  }

  private enum Kind { case iap, ads }

  /// The window's own entry; without one the life-long total, which in the first window is the same.
  private func revenue(
    _ parameters: borrowing some ConversionParameters, _ api: EndpointAPI, _ kind: Kind, _ window: ConversionWindow
  ) throws(EndpointError) -> RevenueTable? {
    if api == .v1 { return kind == .iap ? try parameters.revenue(.skan3Revenue) : nil }
    let (own, total): (QueryParameter, QueryParameter) =
      switch (kind, window) {
      case (.iap, .p0): (.p0IAPRevenue, .iapRevenue)
      case (.iap, .p1): (.p1IAPRevenue, .iapRevenue)
      case (.iap, .p2): (.p2IAPRevenue, .iapRevenue)
      case (.ads, .p0): (.p0AdRevenue, .adRevenue)
      case (.ads, .p1): (.p1AdRevenue, .adRevenue)
      case (.ads, .p2): (.p2AdRevenue, .adRevenue)
      }
    if let table = try parameters.revenue(own) { return table }
    return window == .p0 ? try parameters.revenue(total) : nil
  }
}
