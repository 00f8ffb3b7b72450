import SKANDevice
import SKANBase
import SKANModel
import SKANRun

extension CheckedRequest {
  /// Where it is in its capture, for the label of a step.
  var label: String { "\(captured.location.file) entry \(captured.location.entry)" }

  /// `n` as the app passed it: the snippet writes a space as `%20`, so that a bare `+` is one.
  var writtenName: String {
    guard let raw = sent.raw("n"), raw.hasPlus else { return eventName }
    return SentParameters("n=\(raw.replacing("+", with: "%2B"))")?["n"] ?? eventName
  }

  /// The value of the answer, which the client applies; nil without one.
  var appliedValue: Int64? {
    switch captured.answer {
    case .response(let status, let body) where kind.isReport:
      if case .ok(let value) = ForwardedReply(status: status, body: body) { value } else { nil }
    case .response(_, let body):
      if case .integer(let value)? = (try? JSONReader.read(body))?.value["conversion_value"] { value } else { nil }
    case .notCaptured, .status, .failure: nil
    }
  }

  /// Whether an answer came.
  var isAnswered: Bool { if case .response = captured.answer { true } else { false } }
}

extension CapturedAnswer {
  /// The answer in the form of a step; nil where the capture does not have it.
  ///
  /// - Parameter redact: takes secrets out of its text.
  func endpointAnswer(redact: (String) -> String) -> EndpointAnswer? {
    switch self {
    case .notCaptured, .status: nil
    case .response(let status, let body):
      if let text = String(validating: body, as: UTF8.self) {
        .response(status: status, body: Array(redact(text).utf8))
      } else {
        .response(status: status, body: body)
      }
    case .failure(let text): .failure(text.isEmpty ? "no answer" : redact(text))
    }
  }
}

extension Step.Operation {
  /// Whether it can change what the app keeps, or shows it.
  var keepsValues: Bool {
    switch self {
    case .register, .session, .event, .revenue: true
    default: false
    }
  }

  var isRevenue: Bool { if case .revenue = self { true } else { false } }
}
