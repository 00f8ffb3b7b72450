import SKANBase
import SKANDevice

/// The conversion_value endpoint as a function: it maps parameters, the phone's time and the memory of an install to an
/// answer. It is the same in this process and behind a server; see the article "Endpoints".
package final class ReferenceEndpoint: Sendable {
  /// The header with a phone's own time in Unix seconds, for endpoints of this program.
  package static let deviceTimeHeader = "X-SKAN-Device-Time"

  /// Models by bundle identifier.
  private let models: [String: ConversionModel]
  /// The model for apps without their own.
  private let defaultModel: ConversionModel?
  private let rates: ExchangeRates
  private let plans: [String: ModelPlan]
  private let defaultPlan: ModelPlan?
  private let counted: [String: Set<RevenueKind>]
  private let defaultCounted: Set<RevenueKind>?
  /// The apps with their own models, sorted.
  private let apps: [String]
  /// All events that models use. Only these are counted, so that a phone that keeps sending new names cannot fill the
  /// memory.
  private let events: NameIndex

  package init(
    models: [String: ConversionModel] = [:], defaultModel: ConversionModel? = nil,
    rates: ExchangeRates = ExchangeRates()
  ) {
    self.models = models
    self.defaultModel = defaultModel
    self.rates = rates
    let all = models.values + (defaultModel.map { [$0] } ?? [])
    let events = NameIndex(all.reduce(into: Set<String>()) { $0.formUnion($1.eventNames) }.sorted())
    self.events = events
    apps = models.keys.sorted()
    plans = models.mapValues { ModelPlan($0, events) }
    defaultPlan = defaultModel.map { ModelPlan($0, events) }
    counted = models.mapValues(\.countedRevenue)
    defaultCounted = defaultModel?.countedRevenue
  }

  /// A copy that shares no objects: threads that share an object contend for its reference count.
  package func separated() -> ReferenceEndpoint {
    ReferenceEndpoint(models: models, defaultModel: defaultModel, rates: rates)
  }

  /// The models, each with its app; nil for that of apps without their own, which is the last.
  package var allModels: [(app: String?, model: ConversionModel)] {
    apps.compactMap { app in models[app].map { (app, $0) } } + (defaultModel.map { [(nil, $0)] } ?? [])
  }

  /// The revenue that an app's model counts; nil for an app without a model.
  ///
  /// - Parameter app: the bundle identifier.
  package func countedRevenue(of app: String) -> Set<RevenueKind>? { counted[app] ?? defaultCounted }

  /// Whether there is any model.
  package var hasModel: Bool { defaultPlan != nil || !plans.isEmpty }

  /// The index of an event in ``InstallMemory/counts`` after a request was answered; nil if it is not counted.
  package func index(ofEvent name: String) -> Int? { events.index(of: name) }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - query: the decoded parameters, as a server reads them.
  ///   - now: the phone's clock.
  ///   - memory: the memory of this install; it changes only if there is no error.
  package func reply(to query: ConversionQuery, at now: Instant, memory: inout InstallMemory) -> ReferenceReply {
    let name = query.text(.eventName)
    return reply(
      to: query, event: name, events.index(of: name ?? ""), query.api, isKnown: false, isUsualName: false, at: now,
      memory: &memory)
  }

  /// Answers a phone in this process like the request that it would send.
  ///
  /// - Parameters:
  ///   - device: passed in place because a copy is large; it is not changed.
  ///   - isKnown: whether the phone has received values before, its profile is unchanged, and its store is plain
  ///     (``KeptState/isPlain``).
  package func reply(
    to device: inout Device, event name: String, isKnown: Bool = false, at now: Instant, memory: inout InstallMemory
  ) -> ReferenceReply {
    let (event, isShort) = events.find(name, without: UInt8(ascii: "+"))
    if isShort || name.isUsualEventName {
      return reply(
        to: device, event: name, event, device.traits.api, isKnown: isKnown, isUsualName: true, at: now,
        memory: &memory)
    }
    let name = name.formDecoded
    return reply(
      to: device, event: name, events.index(of: name), device.traits.api, isKnown: isKnown, isUsualName: false,
      at: now, memory: &memory)
  }

  private func reply(
    to parameters: borrowing some ConversionParameters, event name: String?, _ event: Int?, _ api: EndpointAPI,
    isKnown: Bool, isUsualName: Bool, at now: Instant, memory: inout InstallMemory
  ) -> ReferenceReply {
    let request: ValidatedRequest
    do throws(RequestProblem) {
      request = try ValidatedRequest(parameters, event: name, api: api, isKnown: isKnown, isUsualName: isUsualName)
    } catch {
      return .error(.request(error))
    }
    do throws(EndpointError) {
      if !plans.isEmpty, let plan = parameters.text(.bundleID).flatMap({ plans[$0] }) {
        return .values(try values(request, event, parameters, plan, at: now, &memory))
      }
      guard let defaultPlan else { throw .noModel(parameters.text(.bundleID) ?? "", known: apps) }
      return .values(try values(request, event, parameters, defaultPlan, at: now, &memory))
    } catch {
      return .error(error)
    }
  }

  private func values(
    _ request: ValidatedRequest, _ event: Int?, _ parameters: borrowing some ConversionParameters, _ plan: ModelPlan,
    at now: Instant, _ memory: inout InstallMemory
  ) throws(EndpointError) -> ReferenceReply.Values {
    let window = try window(request, plan, at: now)
    var (showsAnswers, beginsAnew) = (false, false)
    if parameters.isRemote {
      showsAnswers = request.showsAnswers(parameters)
      beginsAnew = memory.isOfOlderInstall(showsAnswers, at: now)
      if beginsAnew { memory = .none }
    }
    var phone = PhoneHistory(
      now: now, elapsed: now.since(Instant(microseconds: request.firstCall * 1_000_000)), window: window, event: event,
      currentFine: request.currentFine, statedCoarse: statedCoarse(parameters, window))
    do throws(RequestProblem) {
      // In place, because a copy is large.
      try phone.revenue.read(parameters, request.api, window, memory)
    } catch {
      throw .request(error)
    }
    memory.counts.use(events)
    if let event { memory.counts[event, window] += 1 }
    let verdict: ModelVerdict
    do throws(RateMissing) {
      verdict = try plan.verdict(on: phone, &memory.counts, rates)
    } catch {
      if let event { memory.counts[event, window] -= 1 }
      throw .noRate(error.currency, on: rates.isDaily ? now : nil)
    }
    if parameters.isRemote {
      do throws(RequestProblem) {
        memory.note(
          try Self.totals(parameters, request.api), showsAnswers: showsAnswers, in: window, at: now)
      } catch {
        throw .request(error)
      }
    }
    return ReferenceReply.Values(
      verdict: verdict, api: request.api, window: window, count: event.map { memory.counts[$0, window] } ?? 0,
      elapsed: phone.elapsed, previousFine: request.currentFine, revenue: phone.revenue.basis, beginsAnew: beginsAnew)
  }

  /// The life-long revenue of a request, for requests in later windows. A phone in this process states the revenue of
  /// each window.
  private static func totals(
    _ parameters: borrowing some ConversionParameters, _ api: EndpointAPI
  ) throws(RequestProblem) -> InstallMemory.Totals {
    guard api == .v2 else { return InstallMemory.Totals() }
    return InstallMemory.Totals(
      iap: try parameters.revenue(.iapRevenue), ads: try parameters.revenue(.adRevenue))
  }

  /// The coarse value that the request states for a later window; nil in the first, where the fine value decides.
  @inline(__always)
  private func statedCoarse(_ parameters: borrowing some ConversionParameters, _ window: ConversionWindow) -> Int64? {
    switch window {
    case .p0: nil
    case .p1: parameters.number(.p1Coarse)?.value
    case .p2: parameters.number(.p2Coarse)?.value
    }
  }

  /// The phone's window; throws the errors about time.
  private func window(
    _ request: ValidatedRequest, _ plan: ModelPlan, at now: Instant
  ) throws(EndpointError) -> ConversionWindow {
    let seconds = now.wholeSeconds - request.firstCall
    let window: ConversionWindow
    if request.api == .v1 {
      let sinceLast = now.wholeSeconds - request.lastCall
      if sinceLast > ConversionWindow.skan3Length {
        throw .closed(hours: sinceLast / 3600, age: sinceLast / 3600, request.api)
      }
      window = .p0
    } else {
      guard let open = ConversionWindow.at(secondsSinceFirstCall: seconds) else {
        throw .closed(hours: (request.lastCall - request.firstCall) / 3600, age: seconds / 3600, request.api)
      }
      window = open
    }
    if request.lastCall < request.firstCall {
      throw .lastCallBeforeFirst(hours: (request.lastCall - request.firstCall) / 3600)
    }
    if let limit = plan.measurementHours, seconds / 3600 >= limit {
      throw .badPeriod(seconds / 3600, measured: limit)
    }
    return window
  }
}
