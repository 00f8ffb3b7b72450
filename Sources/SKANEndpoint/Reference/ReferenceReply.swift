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
    var eventName: String
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
      guard values.api == .v2 else { return "{\"conversion_value\":\(verdict.fine),\"status\":\"ok\"}" }
      let coarse = verdict.coarse.map { ",\"skan_updated_coarse_value\":\($0.number)" } ?? ""
      let lock = verdict.locks ? ",\"skan_updated_lock_window_value\":true" : ""
      return "{\"conversion_value\":\(verdict.fine),\"postback_sequence_index\":\(values.window.rawValue)\(coarse)\(lock),"
        + "\"status\":\"ok\"}"
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

  /// Why, in one sentence.
  package var explanation: String {
    switch self {
    case .error(let error): return error.explanation
    case .values(let values):
      let verdict = values.verdict
      let rise =
        verdict.fine > values.previousFine
        ? "fine value \(values.previousFine) → \(verdict.fine)" : "fine value \(verdict.fine) as before"
      return "\(values.eventName) for the \(values.count). time in P\(values.window.rawValue), "
        + "\(values.elapsed) after the first call: \(rise)"
        + (verdict.coarse.map { ", coarse \($0.rawValue)" } ?? ", no coarse value")
        + (verdict.locks ? ", locks the window" : "") + "."
    }
  }
}
