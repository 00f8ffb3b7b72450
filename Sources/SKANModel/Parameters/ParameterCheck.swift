import SKANBase
import SKANDevice

/// The sender of conversion_value requests. The reference asks more of a server than the snippet sends.
package enum ConversionClient: String, CaseIterable, Sendable {
  /// Singular's snippet in the app.
  case snippet
  /// A server that calls conversion_value itself.
  case server
}

/// Checks a request to one of the five endpoints and finds all problems with its parameters.
package enum ParameterCheck {
  /// The event name for ad revenue in all of Singular's SDKs.
  package static let adRevenueName = "__ADMON_USER_LEVEL_REVENUE__"

  /// All problems: in the order of the table, then those of several parameters, then those of names that the table
  /// lacks. At conversion_value those with which the reference endpoint refuses a request are first.
  ///
  /// A parameter has one problem at most, except for a repetition.
  ///
  /// - Parameters:
  ///   - query: the parameters of a conversion_value request, if they were already read.
  ///   - client: the sender of a conversion_value request; nil if it is unknown, which leaves open whether parameters
  ///     are missing that only a server must send.
  ///   - revenue: the revenue that the app's model counts; nil for an unknown model.
  package static func problems(
    of sent: SentParameters, at endpoint: EndpointKind, query: ConversionQuery? = nil,
    by client: ConversionClient? = nil, modelCounts revenue: Set<RevenueKind>? = nil
  ) -> [ParameterProblem] {
    guard case .conversionValue(let api) = endpoint else {
      return rows(sent, at: endpoint, isKnown: { _ in false }) + together(sent, at: endpoint) + metadata(sent)
        + names(sent, at: endpoint)
    }
    let refused = RequestCheck.problems(of: query ?? ConversionQuery(sent, api: api))
    let known = Set(refused.map(\.parameter))
    return refused.map(ParameterProblem.metadata)
      + rows(sent, at: endpoint, isKnown: known.contains)
      + (client == .server ? ofServers(sent, modelCounts: revenue, at: endpoint) : [])
      + names(sent, at: endpoint)
  }

  /// The parameters that are missing in a request of a server that calls conversion_value.
  private static func ofServers(
    _ sent: SentParameters, modelCounts revenue: Set<RevenueKind>?, at endpoint: EndpointKind
  ) -> [ParameterProblem] {
    RequestParameter.all.filter { $0.endpoints.contains(endpoint) && sent[$0.name] == nil }.compactMap { parameter in
      switch parameter.serverNeed {
      case .since(let minimum)?:
        sent["v"].flatMap { IOSVersion($0) }.map { $0 >= minimum } ?? true ? .missingFromServer(parameter.name) : nil
      case .models(let kind)?: revenue?.contains(kind) ?? false ? .missingTotal(parameter.name) : nil
      case nil: nil
      }
    }
  }

  /// - Parameter isKnown: whether a parameter's problem was found already.
  private static func rows(
    _ sent: SentParameters, at endpoint: EndpointKind, isKnown: (String) -> Bool
  ) -> [ParameterProblem] {
    var problems: [ParameterProblem] = []
    for (parameter, known) in zip(RequestParameter.all, RequestParameter.indexes) where !isKnown(parameter.name) {
      // At conversion_value the check above covers the phone's values, and a parameter of a report is only misplaced.
      if !endpoint.isReport, parameter.form == .details || !parameter.endpoints.contains(endpoint) { continue }
      let name = parameter.name
      if let value = sent[known: known] {
        let form = parameter.form
        // At launch `n` is the name of the app.
        let flaw = (form == .eventName && endpoint == .launch ? .text : form).flaw(of: value)
        if let flaw { problems.append(.flawed(name, flaw, value: value)) }
      } else if parameter.required.contains(endpoint) {
        // A make without a model is reported as an incomplete pair.
        let isHalfAPair = (name == "ma" && sent["mo"] != nil) || (name == "mo" && sent["ma"] != nil)
        if !isHalfAPair { problems.append(.missing(name)) }
      }
    }
    return problems
  }

  private static func together(_ sent: SentParameters, at endpoint: EndpointKind) -> [ParameterProblem] {
    var problems: [ParameterProblem] = []
    let usesOwnAddress = sent["use_ip"] == "true"
    switch (sent["ip"] != nil, sent["use_ip"] != nil) {
    // The requirements of V2 are unknown.
    case (false, false) where endpoint != .event(.v2): problems.append(.noAddress)
    case (true, true): problems.append(.twoAddresses)
    default: break
    }
    if usesOwnAddress, sent["country"] == nil { problems.append(.noCountry) }
    for (first, second) in [("ma", "mo"), ("amt", "cur")] {
      for (name, other) in [(first, second), (second, first)] where sent[name] != nil && sent[other] == nil {
        problems.append(.alone(name, without: other))
      }
    }
    // A text that is not an identifier is reported separately.
    let flaw = sent["idfa"].map { ParameterForm.uuid.flaw(of: $0) }
    let hasIDFA = flaw.map { $0 == nil || $0 == .notAUUID } ?? false
    switch (hasIDFA, sent["att_authorization_status"]) {
    case (true, let status?) where status != "3": problems.append(.idfaWithoutConsent(status))
    case (false, "3") where flaw == nil && endpoint != .event(.v2): problems.append(.consentWithoutIDFA)
    default: break
    }
    return problems + adRevenue(sent, at: endpoint)
  }

  /// Checks the parameters of an ad revenue event: two flags, and the platform in `e`.
  private static func adRevenue(_ sent: SentParameters, at endpoint: EndpointKind) -> [ParameterProblem] {
    guard endpoint.isEvent, sent["n"] == adRevenueName else { return [] }
    let flags = ["is_admon_revenue", "is_revenue_event"].filter { sent[$0] != "true" }
    let attributes = sent["e"].flatMap { try? JSONReader.read(Array($0.utf8)) }
    let platform = attributes?.member("ad_platform") == nil ? ["ad_platform"] : []
    return (flags + platform).map(ParameterProblem.adRevenueWithout)
  }

  /// Checks the entries of `getSkanDetails`, like the request that carries them to the other endpoint.
  private static func metadata(_ sent: SentParameters) -> [ParameterProblem] {
    guard let query = ForwardedMetadata.details(sent) else { return [] }
    return RequestCheck.problems(of: query).filter { sent[$0.parameter] != nil }
      .filter { RequestParameter.named($0.parameter)?.isDetail ?? false }.map(ParameterProblem.metadata)
  }

  /// The documented name that an unknown one means: one that is a single slip away, that begins with it, or that is near.
  private static func nearest(to name: String, at endpoint: EndpointKind) -> String? {
    let known = RequestParameter.names(of: endpoint)
    return nearestName(to: name, in: known, atMost: 1)
      ?? (name.utf8.count < 4 ? nil : known.first { $0.hasPrefix(name) }) ?? nearestName(to: name, in: known)
  }

  /// The number of unknown and of repeated names that are reported one by one; further ones are counted. A request of 1
  /// MiB can contain 300,000.
  static let mostNames = 20

  private static func names(_ sent: SentParameters, at endpoint: EndpointKind) -> [ParameterProblem] {
    /// The number of occurrences of each name so far, for names with a slot and for others.
    var counts = [Int](repeating: 0, count: SentParameters.names.count)
    var others: [String: Int] = [:]
    var (unknown, repeated) = (0, 0)
    var problems: [ParameterProblem] = []
    for (item, known) in zip(sent.items, sent.knownNames) {
      let name = item.name
      let count: Int
      if let known {
        counts[known] += 1
        count = counts[known]
      } else {
        count = others[name, default: 0] + 1
        others[name] = count
      }
      if count > 1 {
        if count == 2 { repeated += 1 }
        if count == 2, repeated <= mostNames { problems.append(.repeated(name)) }
      } else if let parameter = RequestParameter.row(at: known) {
        if !parameter.endpoints.contains(endpoint) { problems.append(.misplaced(name)) }
      } else {
        unknown += 1
        if unknown <= mostNames {
          let nearest = nearest(to: name, at: endpoint)
          problems.append(.unknown(name, nearest: nearest))
        }
      }
    }
    if unknown > mostNames { problems.append(.moreUnknown(unknown - mostNames)) }
    if repeated > mostNames { problems.append(.moreRepeated(repeated - mostNames)) }
    return problems
  }
}

/// A problem with the parameters of a request.
package enum ParameterProblem: Sendable, Equatable {
  /// A required parameter is missing.
  case missing(String)
  /// A parameter is missing that a server must send to conversion_value.
  case missingFromServer(String)
  /// A total of revenue is missing that a server must send to conversion_value, because the app's model counts it.
  case missingTotal(String)
  /// Neither `ip` nor `use_ip` is present.
  case noAddress
  /// Both `ip` and `use_ip` are present.
  case twoAddresses
  /// `use_ip=true` without a `country`.
  case noCountry
  /// A parameter of a pair is missing.
  case alone(String, without: String)
  /// A value has the wrong form.
  case flawed(String, ParameterFlaw, value: String)
  /// The reference endpoint would refuse a value, in a request to it or among the metadata of another.
  case metadata(RequestProblem)
  /// `idfa` is present although `att_authorization_status`, given here, is not 3.
  case idfaWithoutConsent(String)
  /// `att_authorization_status` is 3 without an `idfa`.
  case consentWithoutIDFA
  /// An ad revenue event lacks this parameter or attribute.
  case adRevenueWithout(String)
  /// A name occurs more than once.
  case repeated(String)
  /// A parameter of another endpoint or platform.
  case misplaced(String)
  /// A name that no source documents, and the nearest known one.
  case unknown(String, nearest: String?)
  /// The number of further names that no source documents.
  case moreUnknown(Int)
  /// The number of further names that occur more than once.
  case moreRepeated(Int)

  /// The names of the parameters, the wrong or missing one first; empty for a count.
  package var parameters: [String] {
    switch self {
    case .missing(let name), .missingFromServer(let name), .missingTotal(let name), .flawed(let name, _, _),
      .repeated(let name), .misplaced(let name), .unknown(let name, _):
      [name]
    case .alone(let name, let other): [name, other]
    // The platform is an attribute within `e`.
    case .adRevenueWithout(let name): [name == "ad_platform" ? "e" : name]
    case .noAddress, .twoAddresses: ["ip", "use_ip"]
    case .noCountry: ["country", "use_ip"]
    case .metadata(let problem): [problem.parameter]
    case .idfaWithoutConsent, .consentWithoutIDFA: ["idfa", "att_authorization_status"]
    case .moreUnknown, .moreRepeated: []
    }
  }

  /// The problem as a sentence.
  package var explanation: String {
    switch self {
    case .missing(let name): "\(name) is missing."
    case .missingFromServer(let name):
      "\(name) is missing: a server sends it with every request of iOS 16.1 or later."
    case .missingTotal(let name): "\(name) is missing, and the app's model counts it: it counts as 0."
    case .noAddress: "ip is missing: send the device's public address, or use_ip=true from the device itself."
    case .twoAddresses: "ip and use_ip are both present: send only one of them."
    case .noCountry: "country is missing: it is required with use_ip=true."
    case .alone(let name, let other): "\(name) is present without \(other); they belong together."
    case .flawed(let name, let flaw, let value): "\(name) \(flaw.message(value))."
    case .metadata(let problem): problem.explanation
    case .idfaWithoutConsent(let status):
      "idfa is present although att_authorization_status is \(status): only 3 means consent."
    case .consentWithoutIDFA: "idfa is missing although att_authorization_status is 3, which means consent."
    case .adRevenueWithout(let name): "the event reports ad revenue, and \(name) is missing."
    case .repeated(let name): "\(name) is in the request more than once."
    case .misplaced(let name): "\(name) is not a parameter of this endpoint for an iOS app."
    case .unknown(let name, let nearest):
      "\(name) is not a documented parameter\(nearest.map { "; did you mean \($0)?" } ?? ".")"
    case .moreUnknown(let count): "\(count) more names are not documented parameters."
    case .moreRepeated(let count): "\(count) more names are in the request more than once."
    }
  }
}
