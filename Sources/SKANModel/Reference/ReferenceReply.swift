import SKANDevice
import SKANBase

/// What the reference endpoint says to a request: values or an error, as data; its texts are made where they are needed.
package enum ReferenceReply: Sendable, Equatable {
  case values(Values)
  case error(EndpointError)

  /// A model's verdict, and what it is about.
  package struct Values: Sendable, Equatable {
    var verdict: ModelVerdict
    var api: EndpointAPI
    var window: ConversionWindow
    /// The index of the event among those of its name in the window, from 1; 0 for an event that no mapping asks for, which is
    /// not counted.
    var count: Int64
    /// Since the first call.
    var elapsed: TimeSpan
    /// The fine value that the phone reported.
    var previousFine: Int64
    var revenue = RevenueBasis.stated
    /// The request is of a new install, with the first call of one that was known.
    var beginsAnew = false
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

  /// Why, in one sentence, for a request with this event.
  package func explanation(event name: String) -> String {
    switch self {
    case .error(let error): return error.explanation
    case .values(let values):
      let verdict = values.verdict
      // Piece by piece: this is made for every request.
      var text = ""
      text.reserveCapacity(name.utf8.count + 120)
      text += name
      if values.count > 0 {
        text += " for the "
        text += Int(values.count).ordinal
        text += " time in P"
      } else {
        text += ", for which no mapping asks, in P"
      }
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
      if let coarse = verdict.coarse {
        text += "coarse "
        text += coarse.rawValue
        if verdict.keepsCoarse {
          text += values.window == .p0 ? ", for which fine value \(values.previousFine) stands" : " as before"
        }
      } else {
        text += "no coarse value"
      }
      text += verdict.locks ? ", locks the window." : "."
      text += values.remarks
      return text
    }
  }
}

extension ReferenceReply.Values {
  /// What is unusual about how the values were found, each a sentence.
  fileprivate var remarks: String {
    let revenueRemark =
      switch revenue {
      case .stated: ""
      case .totalLess(let earlier):
        " The revenue of P\(window.rawValue) is the life-long total less that of the last request in "
          + "P\(earlier.rawValue)."
      case .unknown:
        " The request has the life-long revenue alone, and none of it counts: no request of this install came before "
          + "P\(window.rawValue)."
      }
    return revenueRemark
      + (beginsAnew ? " The install is a new one with the first call of another: counted anew." : "")
  }
}
