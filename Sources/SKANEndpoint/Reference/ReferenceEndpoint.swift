import SKANDevice
import SKANJSON

/// The conversion_value endpoint, as a function: parameters, the phone's time and what is remembered of it in, an
/// answer out. The same in process and behind a server; see the article "Endpoints".
package struct ReferenceEndpoint: Sendable {
  /// Carries a phone's own time, Unix seconds, to an endpoint of ours.
  package static let deviceTimeHeader = "X-SKAN-Device-Time"

  /// Bundle identifier → model.
  package var models: [String: ConversionModel] { didSet { findEventNames() } }
  /// For every app that has none of its own.
  package var defaultModel: ConversionModel? { didSet { findEventNames() } }
  /// Every event that a model asks for. Only these are counted: a phone with ever-new names must not fill the memory.
  private var eventNames: Set<String> = []
  package var rates: ExchangeRates

  package init(
    models: [String: ConversionModel] = [:], defaultModel: ConversionModel? = nil,
    rates: ExchangeRates = ExchangeRates()
  ) {
    self.models = models
    self.defaultModel = defaultModel
    self.rates = rates
    findEventNames()
  }

  private mutating func findEventNames() {
    eventNames = ([defaultModel].compactMap(\.self) + models.values).reduce(into: []) { $0.formUnion($1.eventNames) }
  }

  /// What a request got, and why in one sentence.
  package struct Reply: Sendable, Equatable {
    package var body: String
    package var explanation: String

    package init(body: String, explanation: String) {
      self.body = body
      self.explanation = explanation
    }
  }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - query: decoded, as a server reads it.
  ///   - now: the phone's clock.
  ///   - counts: what is remembered of this phone's events; counted on only when there is no error.
  package func reply(
    to query: ConversionQuery, at now: Instant, counts: inout EventCounts
  ) -> Reply {
    do throws(EndpointError) {
      let request = try query.validated()
      guard let model = models[request.bundleID] ?? defaultModel else { throw .noModel(request.bundleID) }
      let phone = try phone(request, model, at: now, counts)
      let verdict: ModelVerdict
      do throws(RateMissing) {
        verdict = try model.verdict(on: phone, rates: rates)
      } catch {
        throw .noRate(error.currency)
      }
      if eventNames.contains(request.eventName) { counts[phone.window] = phone.counts }
      return Reply(body: body(verdict, phone.window, request.api), explanation: words(verdict, phone))
    } catch {
      return Reply(
        body: JSONWriter.text(.object([("reason", .string(error.reason)), ("status", .string("error"))])),
        explanation: error.explanation)
    }
  }

  /// The phone as the endpoint knows it with this request; the errors of time come here.
  private func phone(
    _ request: ConversionQuery.Validated, _ model: ConversionModel, at now: Instant, _ counts: EventCounts
  ) throws(EndpointError) -> PhoneHistory {
    let elapsed = now.since(Instant(microseconds: request.firstCall * 1_000_000))
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
    if request.lastCall < request.firstCall { throw .badPeriod((request.lastCall - request.firstCall) / 3600) }
    if let limit = model.measurementHours, seconds / 3600 >= limit { throw .badPeriod(seconds / 3600) }
    var seen = counts[window]
    seen[request.eventName, default: 0] += 1
    return PhoneHistory(
      elapsed: elapsed, window: window, iapRevenue: request.iapRevenue(in: window),
      adRevenue: request.adRevenue(in: window), counts: seen, eventName: request.eventName,
      currentFine: request.currentFine)
  }

  private func body(_ verdict: ModelVerdict, _ window: ConversionWindow, _ api: EndpointAPI) -> String {
    // By hand, keys sorted: this is made for every request.
    guard api == .v2 else { return "{\"conversion_value\":\(verdict.fine),\"status\":\"ok\"}" }
    let coarse = verdict.coarse.map { ",\"skan_updated_coarse_value\":\($0.rank)" } ?? ""
    let lock = verdict.locks ? ",\"skan_updated_lock_window_value\":true" : ""
    return "{\"conversion_value\":\(verdict.fine),\"postback_sequence_index\":\(window.rawValue)\(coarse)\(lock),"
      + "\"status\":\"ok\"}"
  }

  private func words(_ verdict: ModelVerdict, _ phone: PhoneHistory) -> String {
    let count = phone.counts[phone.eventName] ?? 1
    let rise =
      verdict.fine > phone.currentFine
      ? "fine value \(phone.currentFine) → \(verdict.fine)" : "fine value \(verdict.fine) as before"
    return
      "\(phone.eventName) for the \(count). time in P\(phone.window.rawValue), \(phone.elapsed) after the first call: "
      + rise + (verdict.coarse.map { ", coarse \($0.rawValue)" } ?? ", no coarse value")
      + (verdict.locks ? ", locks the window" : "") + "."
  }
}

/// Event name → how often it was seen, for each window of one phone.
package typealias EventCounts = PerWindow<[String: Int64]>

extension EventCounts {
  package static let none = EventCounts(repeating: [:])
}
