import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// The rules about the parameters of one request. They report the problems that the endpoints' own checks find.
enum ParameterRules {
  static func findings(_ request: CheckedRequest) -> [TrafficFinding] {
    if let query = request.conversion { return conversion(request, query) }
    var findings = ForwardedCheck.problems(of: request.sent, at: request.kind).map { problem in
      var message = problem.explanation
      if case .flawed("cur", .notACurrency, let code) = problem { message += request.tables(with: code) }
      return request.finding(rule(of: problem), message, about: problem.parameters)
    }
    if request.sent["use_ip"] == "true" {
      findings.append(
        request.finding(
          .serverAddress, "use_ip is true: Singular takes the address of the sender.", about: ["use_ip"]))
    }
    return findings
  }

  private static func conversion(_ request: CheckedRequest, _ query: ConversionQuery) -> [TrafficFinding] {
    var findings = RequestCheck.problems(of: query).map { problem in
      request.finding(rule(of: problem, sent: request.sent), problem.explanation, about: [problem.parameter])
    }
    if let raw = request.sent.raw("n"), raw.hasPlus {
      findings.append(request.finding(.plusInName, "n is sent as \(JSONWriter.quoted(raw)).", about: ["n"]))
    }
    return findings
  }

  private static func rule(of problem: RequestProblem, sent: SentParameters) -> TrafficRule {
    let isGiven = sent[problem.parameter].map { !$0.isEmpty } ?? false
    switch (problem, problem.parameter) {
    case (.noCurrentValue, _): return .currentValueMissing
    case (_, "a"): return .keyMissing
    case (_, "idfv") where !isGiven || ForwardedForm.text.flaw(of: sent["idfv"] ?? "") != nil: return .idfvMissing
    case (_, "idfa"): return .idfaZeros
    case (_, let name) where Self.tables.contains(name): return .jsonDamaged
    default: return isGiven ? .parameterForm : .parameterMissing
    }
  }

  /// The parameters that hold revenue by currency.
  private static let tables = Set(
    QueryParameter.allCases.filter { $0.entry?.isRevenue ?? false }.map(\.name))

  private static func rule(of problem: ForwardedProblem) -> TrafficRule {
    switch problem {
    case .missing("a"): .keyMissing
    case .missing("idfv"): .idfvMissing
    case .missing: .parameterMissing
    case .noAddress, .twoAddresses, .noCountry: .addressChoice
    case .alone("amt", _), .alone("cur", _): .amountWithoutCurrency
    case .alone: .makeWithoutModel
    case .flawed(let name, let flaw, _): rule(of: flaw, in: name)
    case .metadata(let problem): tables.contains(problem.parameter) ? .jsonDamaged : .parameterForm
    case .idfaWithoutConsent: .idfaWithoutConsent
    case .consentWithoutIDFA: .consentWithoutIDFA
    case .adRevenueWithout: .adRevenueIncomplete
    case .repeated, .moreRepeated: .parameterRepeated
    case .misplaced: .parameterMisplaced
    case .unknown, .moreUnknown: .unknownParameter
    }
  }

  private static func rule(of flaw: ForwardedFlaw, in name: String) -> TrafficRule {
    switch flaw {
    case .empty, .placeholder, .zeroUUID:
      switch name {
      case "a": .keyMissing
      case "idfv": .idfvMissing
      case "idfa": .idfaZeros
      default: .parameterForm
      }
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
    if request.hasJSONBody { add(.jsonBody, "the body is JSON; \(kind.name) reads a query or a form.") }
    if request.target.origin.lowercased().hasPrefix("http://"), request.target.origin.hasSuffix(".singular.net") {
      add(.plainHTTP, "\(request.target.origin) is not encrypted.")
    }
    return findings
  }
}
