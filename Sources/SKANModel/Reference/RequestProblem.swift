import SKANDevice
import SKANBase

/// Something wrong with a single parameter of a conversion_value request; see the article "Endpoints".
package enum RequestProblem: Error, Equatable, Sendable {
  /// `p` is missing, or another platform than iOS.
  case unknownPlatform(String?)
  /// A parameter by its name, and what is wrong with it, as in "is missing".
  case badParameter(String, why: String)
  /// `skan_current_conversion_value` is missing: the mark of a phone that was updated from SKAN 3.
  case noCurrentValue

  /// The parameter's name.
  package var parameter: String {
    switch self {
    case .unknownPlatform: QueryParameter.platform.name
    case .badParameter(let name, _): name
    case .noCurrentValue: QueryParameter.fine.name
    }
  }

  /// The `reason` of the endpoint's answer.
  package var reason: String {
    switch self {
    case .unknownPlatform: "Unknown platform error"
    case .badParameter, .noCurrentValue: "Conversion Management: Invalid parameter \(parameter) given"
    }
  }

  /// What the tester learns beyond the reason, a sentence.
  package var explanation: String {
    switch self {
    case .unknownPlatform(let value): "p must be iOS, it is \(value.map(JSONWriter.quoted) ?? "missing")."
    case .badParameter(let name, let why): "\(name) \(why)."
    case .noCurrentValue:
      "\(parameter) is missing. The API reference requires it; a phone that was updated from SKAN 3 has none until an "
        + "answer brings it one, so it never gets a value."
    }
  }
}
