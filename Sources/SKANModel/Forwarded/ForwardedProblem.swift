/// Something wrong with the parameters of a request that the app's server sends.
package enum ForwardedProblem: Sendable, Equatable {
  /// A parameter that the endpoint asks for.
  case missing(String)
  /// Neither `ip` nor `use_ip`.
  case noAddress
  /// Both `ip` and `use_ip`.
  case twoAddresses
  /// `use_ip=true` without a `country`.
  case noCountry
  /// One of a pair that belongs together.
  case alone(String, without: String)
  /// A value of the wrong form.
  case flawed(String, ForwardedFlaw, value: String)
  /// A value of the metadata, by the check of conversion_value requests.
  case metadata(RequestProblem)
  /// `idfa` although `att_authorization_status` is not 3; with the status.
  case idfaWithoutConsent(String)
  /// `att_authorization_status` is 3 and there is no `idfa`.
  case consentWithoutIDFA
  /// An event of ad revenue without what belongs to it.
  case adRevenueWithout(String)
  /// The name stands in the request more than once.
  case repeated(String)
  /// A parameter of another endpoint, or of another platform.
  case misplaced(String)
  /// A name that no source has, and a known one that is near.
  case unknown(String, nearest: String?)
  /// Further names that no source has.
  case moreUnknown(Int)
  /// Further names that stand in the request more than once.
  case moreRepeated(Int)

  /// The parameter's name; empty for a count of several.
  package var parameter: String {
    switch self {
    case .missing(let name), .alone(let name, _), .flawed(let name, _, _), .adRevenueWithout(let name),
      .repeated(let name), .misplaced(let name), .unknown(let name, _):
      name
    case .noAddress, .twoAddresses: "ip"
    case .noCountry: "country"
    case .metadata(let problem): problem.parameter
    case .idfaWithoutConsent, .consentWithoutIDFA: "idfa"
    case .moreUnknown, .moreRepeated: ""
    }
  }

  /// What is wrong, a sentence.
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
