import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// Answers `launch` and `evt` reports with the documented refusals, or with the model's value for the metadata.
///
/// Its events are counted separately: an event that both the phone and its app's server send counts once for each.
final class ReportHandler {
  private let conversion: ConversionHandler
  private var phones: RecentValues<String, Remembered<InstallMemory>>
  private let forgotten: ForgottenPhones

  /// - Parameter conversion: provides the current model.
  init(_ conversion: ConversionHandler, _ forgotten: ForgottenPhones) {
    self.conversion = conversion
    self.forgotten = forgotten
    phones = RecentValues(limit: forgotten.limit)
  }

  func answer(_ report: ServerReport) -> ExplainedReply {
    var isRepeated = false
    let answer: ForwardedAnswer
    if report.isHead {
      var memory = phones.known(report.install)?.value ?? .none
      answer = conversion.endpoint.forwardedAnswer(
        to: report.parameters, at: report.endpoint, report.time, memory: &memory)
    } else {
      let before = phones.forgotten
      answer = phones.with(report.install, new: Remembered(.none)) {
        isRepeated = $0.repeats(report.request)
        return conversion.endpoint.forwardedAnswer(
          to: report.parameters, at: report.endpoint, report.time, memory: &$0.value)
      }
      forgotten.note(before: before, after: phones.forgotten)
    }
    var explanation = answer.explanation
    if report.request.hasUnreadBody {
      explanation += " The body is not a form (application/x-www-form-urlencoded), so its parameters are not read."
    }
    if isRepeated, answer.refusal == nil {
      explanation += " The previous request was the same: Singular counts both, because it does not de-duplicate."
    }
    return ExplainedReply(200, Array(answer.body.utf8), explanation: explanation)
  }
}

/// A report of an app's server for a handler.
struct ServerReport {
  let request: HTTPRequest
  let endpoint: EndpointKind
  /// The parameters of the query, followed by those of the form in the body.
  var parameters: SentParameters
  /// The time of the reported action, or else the server's time.
  var time: Instant

  /// Whether the method is HEAD, which is answered like a GET but changes nothing.
  var isHead: Bool { request.method == "HEAD" }

  /// The time in the parameters: `utime` in Unix seconds or `umilisec` in milliseconds.
  var statedTime: Instant? {
    if let seconds = parameters["utime"].flatMap(Double.init) { return Instant(unixSeconds: seconds) }
    return parameters["umilisec"].flatMap(Double.init).flatMap { Instant(unixSeconds: $0 / 1000) }
  }

  /// The key of the reported install: app and phone identifier, or the app alone.
  var install: String {
    "\(parameters["i"] ?? "")\u{0}\(phone ?? "")"
  }

  /// The phone's identifier in the report; nil if there is none.
  var phone: String? { ["sdid", "idfv", "idfa"].lazy.compactMap { self.parameters[$0] }.first }
}

extension HTTPRequest {
  /// The parameters in the body: empty if it is not a form, nil if it cannot be read.
  var form: SentParameters? { isForm ? SentParameters(body) : SentParameters() }

  /// Whether the body is a form; a body without a content type counts as one.
  private var isForm: Bool {
    let type = headers["Content-Type"]?.lowercased() ?? "application/x-www-form-urlencoded"
    return type.hasPrefix("application/x-www-form-urlencoded")
  }

  /// The body without secrets, for the journal: a form as sent, or a JSON object; empty for anything else.
  var redactedBody: String {
    if isForm { return SecretParameter.redacted(String(decoding: body, as: UTF8.self)) }
    guard let json = try? JSONReader.read(body).value, case .object = json else { return "" }
    return JSONWriter.text(SecretParameter.redacted(json: json))
  }

  /// Whether there is a body that is not a form, which Singular's endpoints do not read.
  var hasUnreadBody: Bool { !body.isEmpty && !isForm }
}
