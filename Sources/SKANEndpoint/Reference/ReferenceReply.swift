import SKANDevice
import SKANJSON

/// What the reference endpoint says to a request: values or an error, as data; its texts are made where they are needed.
package enum ReferenceReply: Sendable, Equatable {
  case values(Values)
  case error(EndpointError)

  /// A model's verdict, and what it was about.
  package struct Values: Sendable, Equatable {
    var verdict: ModelVerdict
    var api: EndpointAPI
    var window: ConversionWindow
    /// The how manieth of its name in the window.
    var count: Int64
    /// Since the first call.
    var elapsed: TimeSpan
    /// The fine value that the phone reported.
    var previousFine: Int64
  }

  /// The answer's body.
  package var body: String {
    switch self {
    case .error(let error):
      return JSONWriter.text(.object([("reason", .string(error.reason)), ("status", .string("error"))]))
    case .values(let values):
      let verdict = values.verdict
      // By hand, keys sorted: this is made for every request.
      var text = "{\"conversion_value\":"
      text.reserveCapacity(160)
      text += String(verdict.fine)
      if values.api == .v2 {
        text += ",\"postback_sequence_index\":"
        text += String(values.window.rawValue)
        if let coarse = verdict.coarse {
          text += ",\"skan_updated_coarse_value\":"
          text += String(coarse.number)
        }
        if verdict.locks { text += ",\"skan_updated_lock_window_value\":true" }
      }
      text += ",\"status\":\"ok\"}"
      return text
    }
  }

  /// What the snippet finds in the body, without writing and reading it. A test holds the two against each other.
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

  /// Why, in one sentence, for a request that told of this event.
  package func explanation(event name: String) -> String {
    switch self {
    case .error(let error): return error.explanation
    case .values(let values):
      let verdict = values.verdict
      // Piece by piece: this is made for every request.
      var text = ""
      text.reserveCapacity(name.utf8.count + 120)
      text += name
      text += " for the "
      text += String(values.count)
      text += ". time in P"
      text += String(values.window.rawValue)
      text += ", "
      text += values.elapsed.description
      text += " after the first call: fine value "
      if verdict.fine > values.previousFine {
        text += String(values.previousFine)
        text += " → "
        text += String(verdict.fine)
      } else {
        text += String(verdict.fine)
        text += " as before"
      }
      text += ", "
      text += verdict.coarse.map { "coarse \($0.rawValue)" } ?? "no coarse value"
      text += verdict.locks ? ", locks the window." : "."
      return text
    }
  }
}
