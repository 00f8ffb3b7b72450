import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// What is known about the traffic apart from its requests.
package struct TrafficContext: Sendable {
  /// The sender of conversion_value requests; nil to tell it from the requests of each device.
  package var client: ConversionClient?
  /// The endpoint whose models answer; nil if they are unknown.
  package var endpoint: ReferenceEndpoint?
  /// How long Apple's completion may take to store the values of an answer, from the answer's arrival.
  package var completion: TimeSpan

  /// Apple documents no limit.
  package static let usualCompletion = TimeSpan(microseconds: 5_000_000)

  /// - Parameter completion: at least 0.
  package init(
    client: ConversionClient? = nil, endpoint: ReferenceEndpoint? = nil,
    completion: TimeSpan = TrafficContext.usualCompletion
  ) {
    self.client = client
    self.endpoint = endpoint
    self.completion = completion
  }
}

/// The rules about the parameters of one request: the problems that ``ParameterCheck`` finds.
enum ParameterRules {
  static func findings(_ request: CheckedRequest, in context: TrafficContext) -> [TrafficFinding] {
    let problems = ParameterCheck.problems(
      of: request.sent, at: request.kind, query: request.conversion, by: context.client,
      modelCounts: context.endpoint?.countedRevenue(of: request.sent["i"] ?? ""))
    var findings: [TrafficFinding] = problems.compactMap { problem in
      // A simulated phone without a key sends a placeholder.
      if case .flawed("a", .guidePlaceholder, _) = problem, request.isOfSimulator { return nil }
      var message = problem.explanation
      if case .flawed("cur", .notACurrency, let code) = problem { message += request.tables(with: code) }
      return request.finding(rule(of: problem, in: request), message, about: problem.parameters)
    }
    if !request.kind.isReport, let raw = request.sent.raw("n"), raw.hasPlus {
      findings.append(request.finding(.plusInName, "n is sent as \(JSONWriter.quoted(raw)).", about: ["n"]))
    }
    if request.kind.isReport, request.sent["use_ip"] == "true" {
      findings.append(
        request.finding(
          .serverAddress, "use_ip is true: Singular takes the address of the sender.", about: ["use_ip"]))
    }
    return findings
  }

  /// The endpoints at which the check of parameters can find that a rule is broken, by the table of parameters; empty
  /// for a rule about something else.
  static func endpoints(of rule: TrafficRule) -> Set<EndpointKind> { endpointsByRule[rule] ?? [] }

  private static let endpointsByRule = EndpointKind.allCases.reduce(into: [TrafficRule: Set<EndpointKind>]()) {
    for rule in rules(at: $1) { $0[rule, default: []].insert($1) }
  }

  private static func rules(at endpoint: EndpointKind) -> Set<TrafficRule> {
    let documented = RequestParameter.all.filter { $0.endpoints.contains(endpoint) }
    var rules: Set<TrafficRule> = [.parameterRepeated, .unknownParameter, .parameterMisplaced]
    for parameter in documented {
      for flaw in parameter.form.flaws { rules.insert(rule(of: flaw, in: parameter.name)) }
      if parameter.required.contains(endpoint) { rules.insert(rule(ofMissing: parameter.name)) }
      switch parameter.serverNeed {
      case .since? where !endpoint.isReport: rules.insert(.serverParameterMissing)
      case .models? where !endpoint.isReport: rules.insert(.totalMissing)
      default: break
      }
      // What the endpoint refuses, and what several parameters say together.
      switch (parameter.form, parameter.name) {
      case (.details, _): rules.insert(.parameterForm)
      case (.revenue, _): rules.insert(.jsonDamaged)
      case (_, "ip"): rules.formUnion([.addressChoice, .serverAddress])
      case (_, "ma"): rules.insert(.makeWithoutModel)
      case (_, "amt"): rules.formUnion([.amountWithoutCurrency, .adRevenueIncomplete])
      case (_, "att_authorization_status"):
        rules.insert(.idfaWithoutConsent)
        if endpoint != .event(.v2) { rules.insert(.consentWithoutIDFA) }
      case (_, "n") where !endpoint.isReport: rules.insert(.plusInName)
      default: break
      }
    }
    return rules
  }

  private static func rule(ofMissing name: String) -> TrafficRule {
    switch name {
    case "a": .keyMissing
    case "idfv": .idfvMissing
    case QueryParameter.fine.name: .currentValueMissing
    default: .parameterMissing
    }
  }

  /// The rule that a request to the reference endpoint breaks when it is refused for a parameter.
  private static func rule(of problem: RequestProblem, sent: SentParameters) -> TrafficRule {
    let isGiven = sent[problem.parameter].map { !$0.isEmpty } ?? false
    switch (problem, problem.parameter) {
    case (.noCurrentValue, _): return .currentValueMissing
    case (_, "a"): return .keyMissing
    case (_, "idfv") where !isGiven || ParameterForm.text.flaw(of: sent["idfv"] ?? "") != nil: return .idfvMissing
    case (_, "idfa"): return .idfaZeros
    case (_, let name) where Self.tables.contains(name): return .jsonDamaged
    default: return isGiven ? .parameterForm : .parameterMissing
    }
  }

  /// The parameters that hold revenue by currency.
  private static let tables = Set(
    QueryParameter.allCases.filter { $0.entry?.isRevenue ?? false }.map(\.name))

  private static func rule(of problem: ParameterProblem, in request: CheckedRequest) -> TrafficRule {
    switch problem {
    case .missingFromServer: .serverParameterMissing
    case .missingTotal: .totalMissing
    case .missing(let name): rule(ofMissing: name)
    case .noAddress, .twoAddresses, .noCountry: .addressChoice
    case .alone("amt", _), .alone("cur", _): .amountWithoutCurrency
    case .alone: .makeWithoutModel
    case .flawed(let name, let flaw, _): rule(of: flaw, in: name)
    case .metadata(let problem) where !request.kind.isReport: rule(of: problem, sent: request.sent)
    case .metadata(let problem): tables.contains(problem.parameter) ? .jsonDamaged : .parameterForm
    case .idfaWithoutConsent: .idfaWithoutConsent
    case .consentWithoutIDFA: .consentWithoutIDFA
    case .adRevenueWithout: .adRevenueIncomplete
    case .repeated, .moreRepeated: .parameterRepeated
    case .misplaced: .parameterMisplaced
    case .unknown, .moreUnknown: .unknownParameter
    }
  }

  private static func rule(of flaw: ParameterFlaw, in name: String) -> TrafficRule {
    switch flaw {
    case .empty, .placeholder, .zeroUUID:
      switch name {
      case "a": .keyMissing
      case "idfv": .idfvMissing
      case "idfa": .idfaZeros
      default: .parameterForm
      }
    case .guidePlaceholder: .guidePlaceholder
    case .currencyOfTotal: .currencyForm
    case .milliseconds, .seconds: .timeUnit
    case .decimalComma, .notADecimal, .notACurrency: .amountForm
    case .notATruthValue: .truthValueForm
    case .json: .jsonDamaged
    case .privateAddress: .privateAddress
    case .ipv6: .ipv6Address
    case .notALocale: .localeForm
    case .notATime, .notAUUID, .notWhole, .notAChoice, .notAnAddress, .notACountry, .longName, .notASCII: .parameterForm
    }
  }
}

extension CheckedRequest {
  /// Whether a phone of this program sent the request.
  fileprivate var isOfSimulator: Bool {
    let headers = captured.request.headers
    return headers["User-Agent"]?.hasPrefix("skan/") ?? false || headers[ReferenceEndpoint.deviceTimeHeader] != nil
  }

  /// A sentence about the totals whose currency is also not written in capitals; empty if there are none.
  fileprivate func tables(with code: String) -> String {
    var key: String?
    let names = StoreEntry.skan4.filter { entry in
      guard case .revenue(let table)? = kept.entry(entry),
        let sum = table.sums.first(where: {
          !$0.currency.isCurrencyCode && $0.currency.uppercased() == code.uppercased()
        })
      else { return false }
      key = key ?? sum.currency
      return true
    }
    guard let key else { return "" }
    return " The phone's totals have \(JSONWriter.quoted(key)), too: \(names.map(\.name).joined(separator: ", "))."
  }
}

/// The rules about a request apart from its parameters.
enum TransportRules {
  static func findings(_ captured: CapturedRequest, _ kind: EndpointKind) -> [TrafficFinding] {
    let request = captured.request
    var findings: [TrafficFinding] = []
    func add(_ rule: TrafficRule, _ message: String) {
      findings.append(TrafficFinding(rule, message, location: captured.location, at: captured.at))
    }
    let methods = kind.methods
    if !methods.contains(request.method) {
      let given = request.method.prefix(16)
      add(.methodNotTaken, "the method is \(given), \(kind.name) takes \(methods.joined(separator: " or ")).")
    }
    let reads = kind.isReport ? "reads a query or a form" : "reads its query alone"
    if request.hasJSONBody {
      add(.jsonBody, "the body is JSON; \(kind.name) \(reads).")
    } else if !kind.isReport, !request.body.isEmpty {
      add(.bodySent, "the request has a body of \(request.body.count.counted("byte")); \(kind.name) \(reads).")
    }
    if request.target.origin.lowercased().hasPrefix("http://"), request.target.origin.hasSuffix(".singular.net") {
      add(.plainHTTP, "\(request.target.origin) is not encrypted.")
    }
    return findings
  }
}
