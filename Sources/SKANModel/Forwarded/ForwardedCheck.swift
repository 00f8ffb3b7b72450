import SKANBase
import SKANDevice

/// Checks a request of the app's server and finds all problems with its parameters.
package enum ForwardedCheck {
  /// The event name for ad revenue in all of Singular's SDKs.
  package static let adRevenueName = "__ADMON_USER_LEVEL_REVENUE__"

  /// All problems: in the order of the table, then those of several parameters, then those of names that the table
  /// lacks.
  package static func problems(of sent: SentParameters, at endpoint: EndpointKind) -> [ForwardedProblem] {
    rows(sent, at: endpoint) + together(sent, at: endpoint) + metadata(sent) + names(sent, at: endpoint)
  }

  private static func rows(_ sent: SentParameters, at endpoint: EndpointKind) -> [ForwardedProblem] {
    var problems: [ForwardedProblem] = []
    for (parameter, known) in zip(ForwardedParameter.all, ForwardedParameter.indexes) {
      let name = parameter.name
      if let value = sent[known: known] {
        let form = parameter.form
        // At launch `n` is the name of the app.
        let flaw = (form == .eventName && !endpoint.isEvent ? .text : form).flaw(of: value)
        if let flaw { problems.append(.flawed(name, flaw, value: value)) }
      } else if parameter.required.contains(endpoint) {
        // A make without a model is reported as an incomplete pair.
        let isHalfAPair = (name == "ma" && sent["mo"] != nil) || (name == "mo" && sent["ma"] != nil)
        if !isHalfAPair { problems.append(.missing(name)) }
      }
    }
    return problems
  }

  private static func together(_ sent: SentParameters, at endpoint: EndpointKind) -> [ForwardedProblem] {
    var problems: [ForwardedProblem] = []
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
    let flaw = sent["idfa"].map { ForwardedForm.uuid.flaw(of: $0) }
    let hasIDFA = flaw.map { $0 == nil || $0 == .notAUUID } ?? false
    switch (hasIDFA, sent["att_authorization_status"]) {
    case (true, let status?) where status != "3": problems.append(.idfaWithoutConsent(status))
    case (false, "3") where flaw == nil && endpoint != .event(.v2): problems.append(.consentWithoutIDFA)
    default: break
    }
    return problems + adRevenue(sent, at: endpoint)
  }

  /// Checks the parameters of an ad revenue event: two flags, and the platform in `e`.
  private static func adRevenue(_ sent: SentParameters, at endpoint: EndpointKind) -> [ForwardedProblem] {
    guard endpoint.isEvent, sent["n"] == adRevenueName else { return [] }
    let flags = ["is_admon_revenue", "is_revenue_event"].filter { sent[$0] != "true" }
    let attributes = sent["e"].flatMap { try? JSONReader.read(Array($0.utf8)) }
    let platform = attributes?.member("ad_platform") == nil ? ["ad_platform"] : []
    return (flags + platform).map(ForwardedProblem.adRevenueWithout)
  }

  /// Checks the entries of `getSkanDetails`, like the request that carries them to the other endpoint.
  private static func metadata(_ sent: SentParameters) -> [ForwardedProblem] {
    guard let query = ForwardedMetadata.details(sent) else { return [] }
    return RequestCheck.problems(of: query).filter { sent[$0.parameter] != nil }
      .filter { ForwardedParameter.named($0.parameter)?.form == .details }.map(ForwardedProblem.metadata)
  }

  /// The number of unknown and of repeated names that are reported one by one; further ones are counted. A request of 1
  /// MiB can contain 300,000.
  static let mostNames = 20

  private static func names(_ sent: SentParameters, at endpoint: EndpointKind) -> [ForwardedProblem] {
    /// The number of occurrences of each name so far, for names with a slot and for others.
    var counts = [Int](repeating: 0, count: SentParameters.names.count)
    var others: [String: Int] = [:]
    var (unknown, repeated) = (0, 0)
    var problems: [ForwardedProblem] = []
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
      } else if let parameter = ForwardedParameter.row(at: known) {
        if !parameter.endpoints.contains(endpoint) { problems.append(.misplaced(name)) }
      } else {
        unknown += 1
        if unknown <= mostNames {
          let nearest = nearestName(to: name, in: ForwardedParameter.names(of: endpoint))
          problems.append(.unknown(name, nearest: nearest))
        }
      }
    }
    if unknown > mostNames { problems.append(.moreUnknown(unknown - mostNames)) }
    if repeated > mostNames { problems.append(.moreRepeated(repeated - mostNames)) }
    return problems
  }
}

/// A problem with the parameters of a request of the app's server.
package enum ForwardedProblem: Sendable, Equatable {
  /// A required parameter is missing.
  case missing(String)
  /// Neither `ip` nor `use_ip` is present.
  case noAddress
  /// Both `ip` and `use_ip` are present.
  case twoAddresses
  /// `use_ip=true` without a `country`.
  case noCountry
  /// A parameter of a pair is missing.
  case alone(String, without: String)
  /// A value has the wrong form.
  case flawed(String, ForwardedFlaw, value: String)
  /// A value of the metadata is not valid, according to the check of conversion_value requests.
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
    case .missing(let name), .flawed(let name, _, _), .repeated(let name), .misplaced(let name),
      .unknown(let name, _):
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
    case .noAddress: "ip is missing: send the device's public address, or use_ip=true from the device itself."
    case .twoAddresses: "ip and use_ip are both there: one of them says where the device is."
    case .noCountry: "country is missing: it is required with use_ip=true."
    case .alone(let name, let other): "\(name) is there without \(other); they belong together."
    case .flawed(let name, let flaw, let value): "\(name) \(flaw.message(value))."
    case .metadata(let problem): problem.explanation
    case .idfaWithoutConsent(let status):
      "idfa is there although att_authorization_status is \(status): only 3 stands for consent."
    case .consentWithoutIDFA: "idfa is missing although att_authorization_status is 3, which stands for consent."
    case .adRevenueWithout(let name): "the event reports ad revenue, and \(name) is missing."
    case .repeated(let name): "\(name) stands in the request more than once."
    case .misplaced(let name): "\(name) is no parameter of this endpoint for an iOS app."
    case .unknown(let name, let nearest):
      "\(name) is no documented parameter\(nearest.map { "; did you mean \($0)?" } ?? ".")"
    case .moreUnknown(let count): "\(count) more names are no documented parameters."
    case .moreRepeated(let count): "\(count) more names stand in the request more than once."
    }
  }
}
