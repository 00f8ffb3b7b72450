import SKANDevice
import SKANBase

/// Why the endpoint gives no value; the errors and their order are documented, their conditions ours (the article
/// "Endpoints").
package enum EndpointError: Error, Sendable, Equatable {
  /// The first problem of the request's parameters; ``RequestCheck`` finds them all.
  case request(RequestProblem)
  /// No model for this app; those that there are for others.
  case noModel(String, known: [String])
  /// With the hours as the guides count them, and since the first call (v1: the last one).
  case closed(hours: Int64, age: Int64, EndpointAPI)
  /// The hours since the first call, more than the model measures.
  case badPeriod(Int64, measured: Int64)
  /// With the hours between them, which are negative.
  case lastCallBeforeFirst(hours: Int64)
  /// Revenue in a currency without an exchange rate.
  case noRate(String)

  /// The `reason` of the answer.
  package var reason: String {
    switch self {
    case .request(let problem): problem.reason
    case .noModel(let app, _): "Conversion Management: Conversion model not found for app: \(app)"
    case .closed(let hours, _, _):
      "More than 24 hours since the last conversion update (\(hours) hours), update window is closed"
    case .badPeriod(let hours, _), .lastCallBeforeFirst(let hours): "Invalid measurement period: \(hours)"
    case .noRate(let currency): "Conversion Management: Can't find owner currency: \(currency)"
    }
  }

  /// What the tester learns beyond the reason, a sentence.
  package var explanation: String {
    switch self {
    case .request(let problem): problem.explanation
    case .noModel(let app, let known): Self.noModelMessage(app, known)
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

  private static func noModelMessage(_ app: String, _ known: [String]) -> String {
    guard !known.isEmpty else { return "No --model is given." }
    let names = known.prefix(5).joined(separator: ", ") + (known.count > 5 ? " and \(known.count - 5) more" : "")
    let near = nearestName(to: app, in: known).map { "; did you mean \($0)?" } ?? "."
    return "\(known.count == 1 ? "The model is" : "The models are") for \(names), not for \(app)\(near)"
  }
}
