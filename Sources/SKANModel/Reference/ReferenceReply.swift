import SKANBase
import SKANDevice

/// The reference endpoint's answer to a request: values or an error. Its texts are composed on demand.
package enum ReferenceReply: Sendable, Equatable {
  case values(Values)
  case error(EndpointError)

  /// A model's verdict and its context.
  package struct Values: Sendable, Equatable {
    var verdict: ModelVerdict
    var api: EndpointAPI
    var window: ConversionWindow
    /// The number of events with this name in the window, including this one; 0 for an event that no mapping uses,
    /// which is not counted.
    var count: Int64
    /// The time since the first call.
    var elapsed: TimeSpan
    /// The fine value that the phone reported.
    var previousFine: Int64
    var revenue = RevenueBasis.stated
    /// Whether the request comes from a new install with the first call of a known one.
    var beginsAnew = false
  }

  /// The HTTP status of all answers.
  package static let status = 200

  /// The answer's body.
  package var body: [UInt8] {
    var text = ByteText()
    writeBody(to: &text)
    return text.array
  }

  /// Adds the answer's body.
  package func writeBody(to text: inout ByteText) {
    switch self {
    case .error(let error):
      text.append("{\"reason\":")
      text.appendQuoted(error.reason)
      text.append(",\"status\":\"error\"}")
    case .values(let values): values.writeBody(to: &text)
    }
  }

  /// The members that the snippet would parse from the body. A test compares the two.
  package var members: AnswerMembers {
    switch self {
    case .error(let error): AnswerMembers(reason: error.reason)
    case .values(let values) where values.api == .v1:
      AnswerMembers(fine: values.verdict.fine, coarse: nil, locks: false, index: nil)
    case .values(let values):
      AnswerMembers(
        fine: values.verdict.fine, coarse: values.verdict.coarse, locks: values.verdict.locks,
        index: Int64(values.window.rawValue))
    }
  }

  /// The reason in one sentence, for a request with this event.
  package func explanation(event name: String) -> String {
    String(writing: { writeExplanation(event: name, to: &$0) })
  }

  /// Adds the reason in one sentence, for a request with this event.
  package func writeExplanation(event name: String, to text: inout ByteText) {
    switch self {
    case .error(let error): text.append(error.explanation)
    case .values(let values):
      text.append(name)
      values.writeExplanation(to: &text)
    }
  }
}

extension ReferenceReply.Values {
  /// Adds the answer's body, with sorted keys.
  fileprivate func writeBody(to text: inout ByteText) {
    text.append("{\"conversion_value\":")
    text.append(verdict.fine)
    if api == .v2 {
      text.append(",\"postback_sequence_index\":")
      text.append(Int64(window.rawValue))
      if let coarse = verdict.coarse {
        text.append(",\"skan_updated_coarse_value\":")
        text.append(coarse.number)
      }
      if verdict.locks { text.append(",\"skan_updated_lock_window_value\":true") }
    }
    text.append(",\"status\":\"ok\"}")
  }

  /// Adds the reason in one or more sentences, after the name of the event.
  fileprivate func writeExplanation(to text: inout ByteText) {
    if count > 0 {
      text.append(" for the ")
      text.append(ordinal: count)
      text.append(" time in ")
    } else {
      text.append(", for which no mapping asks, in ")
    }
    text.append(window)
    text.append(", ")
    text.append(elapsed)
    text.append(" after the first call: fine value ")
    if verdict.fine > previousFine {
      text.append(previousFine)
      text.append(" → ")
      text.append(verdict.fine)
    } else {
      text.append(verdict.fine)
      text.append(" as before")
    }
    text.append(", ")
    if let coarse = verdict.coarse {
      text.append("coarse ")
      text.append(coarse.rawValue)
      if verdict.keepsCoarse {
        if window == .p0 {
          text.append(", for which fine value ")
          text.append(previousFine)
          text.append(" stands")
        } else {
          text.append(" as before")
        }
      }
    } else {
      text.append("no coarse value")
    }
    text.append(verdict.locks ? ", locks the window." : ".")
    writeRemarks(to: &text)
  }

  /// Adds a sentence for each unusual source of the values.
  private func writeRemarks(to text: inout ByteText) {
    switch revenue {
    case .stated: break
    case .totalLess(let earlier):
      text.append(
        " The revenue of P\(window.rawValue) is the lifetime total minus that of the last request in "
          + "P\(earlier.rawValue).")
    case .unknown:
      text.append(
        " The request has only the lifetime revenue, and none of it counts: no request of this install came before "
          + "P\(window.rawValue).")
    }
    if beginsAnew { text.append(" The install is new but has the first call of another, so counting starts again.") }
  }
}

// MARK: Decisions

extension ReferenceReply {
  /// The values that an answer sets on a phone.
  package struct Decision: Sendable, Equatable {
    package let fine: Int64
    package let coarse: CoarseValue?
    package let locks: Bool
  }

  /// The values; nil for an error.
  @inline(__always)
  package var decision: Decision? {
    guard case .values(let values) = self else { return nil }
    return Decision(fine: values.verdict.fine, coarse: values.verdict.coarse, locks: values.verdict.locks)
  }

  /// The answer without the lock.
  package var withoutLock: ReferenceReply {
    guard case .values(var values) = self else { return self }
    values.verdict.locks = false
    return .values(values)
  }
}

/// Why the endpoint returns no value. The errors and their order are documented; their conditions are this program's
/// own (the article "Endpoints").
package enum EndpointError: Error, Sendable, Equatable {
  /// The first problem of the request's parameters; ``RequestCheck`` finds them all.
  case request(RequestProblem)
  /// No model for this app, and the apps with models.
  case noModel(String, known: [String])
  /// The hours as the guides count them, and the hours since the first call (v1: the last call).
  case closed(hours: Int64, age: Int64, EndpointAPI)
  /// The hours since the first call, more than the model measures.
  case badPeriod(Int64, measured: Int64)
  /// The hours between the calls, which are negative.
  case lastCallBeforeFirst(hours: Int64)
  /// Revenue in a currency without an exchange rate, and the time for rates by day.
  case noRate(String, on: Instant? = nil)

  /// The `reason` of the answer.
  package var reason: String {
    switch self {
    case .request(let problem): problem.reason
    case .noModel(let app, _): "Conversion Management: Conversion model not found for app: \(app)"
    case .closed(let hours, _, _):
      "More than 24 hours since the last conversion update (\(hours) hours), update window is closed"
    case .badPeriod(let hours, _), .lastCallBeforeFirst(let hours): "Invalid measurement period: \(hours)"
    case .noRate(let currency, _): "Conversion Management: Can't find owner currency: \(currency)"
    }
  }

  /// The error in detail, a sentence.
  package var explanation: String {
    switch self {
    case .request(let problem): problem.explanation
    case .noModel(let app, let known): Self.noModelMessage(app, known)
    case .closed(_, let hours, .v1): "The last call was \(hours) hours ago: v1 closes after 24."
    case .closed(_, let hours, .v2): "The first call was \(hours) hours ago: the third window closes after 840."
    case .lastCallBeforeFirst: "The last call is before the first."
    case .badPeriod(let hours, let measured):
      "The model measures \(measured) hours (measurement_window_hours), and \(hours) have passed."
    case .noRate(let currency, let time?):
      "There is revenue in \(JSONWriter.quoted(currency)) and no rate for it on \(time.description.prefix(10)) (UTC): "
        + "the table of --rates FILE needs a row of that day."
    case .noRate(let currency, nil):
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
