import SKANDevice
import SKANJSON
import SKANText

/// Why the endpoint gives no value; the errors and their order are documented, their conditions ours (the article
/// "Endpoints").
package enum EndpointError: Error, Sendable, Equatable {
  case unknownPlatform(String?)
  case badParameter(String, why: String)
  /// `skan_current_conversion_value` is missing: the mark of a phone that was updated from SKAN 3.
  case noCurrentValue
  case noModel(String, known: [String])
  /// With the hours as the guides count them, and since the first call (v1: the last one).
  case closed(hours: Int64, age: Int64, EndpointAPI)
  case badPeriod(Int64, measured: Int64)
  case lastCallBeforeFirst(hours: Int64)
  case noRate(String)

  /// What the phone gets as `reason`.
  package var reason: String {
    switch self {
    case .unknownPlatform: "Unknown platform error"
    case .noCurrentValue: Self.badParameter(QueryParameter.fine.name, why: "").reason
    case .badParameter(let name, _): "Conversion Management: Invalid parameter \(name) given"
    case .noModel(let app, _): "Conversion Management: Conversion model not found for app: \(app)"
    case .closed(let hours, _, _):
      "More than 24 hours since the last conversion update (\(hours) hours), update window is closed"
    case .badPeriod(let hours, _), .lastCallBeforeFirst(let hours): "Invalid measurement period: \(hours)"
    case .noRate(let currency): "Conversion Management: Can't find owner currency: \(currency)"
    }
  }

  /// What the tester gets to know beyond it.
  package var explanation: String {
    switch self {
    case .unknownPlatform(let value): "p must be iOS, it is \(value.map(JSONWriter.quoted) ?? "missing")."
    case .badParameter(let name, let why): "\(name) \(why)."
    case .noCurrentValue:
      "\(QueryParameter.fine.name) is missing. The API reference requires it; a phone that was updated from SKAN 3 has "
        + "none until an answer brings it one, so it never gets a value."
    case .noModel(let app, let known): Self.noModelWords(app, known)
    case .closed(_, let hours, .v1): "The last call was \(hours) hours ago: v1 closes after 24."
    case .closed(_, let hours, .v2): "The first call was \(hours) hours ago: the third window closes after 840."
    case .lastCallBeforeFirst: "The last call is before the first."
    case .badPeriod(let hours, let measured):
      "The model measures \(measured) hours (measurement_window_hours), and \(hours) have passed."
    case .noRate(let currency):
      "There is revenue in \(JSONWriter.quoted(currency)) and no rate for it: --rates FILE gives units per US dollar, as in "
        + "{\"EUR\":0.92}."
    }
  }

  private static func noModelWords(_ app: String, _ known: [String]) -> String {
    guard !known.isEmpty else { return "No --model is given." }
    let names = known.prefix(5).joined(separator: ", ") + (known.count > 5 ? " and \(known.count - 5) more" : "")
    let near = nearestName(to: app, in: known).map { "; did you mean \($0)?" } ?? "."
    return "\(known.count == 1 ? "The model is" : "The models are") for \(names), not for \(app)\(near)"
  }
}
