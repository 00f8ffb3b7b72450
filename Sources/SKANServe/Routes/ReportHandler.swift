import SKANBase
import SKANDevice
import SKANHTTP
import SKANModel

/// Answers launch and evt: with the documented refusals, and with the value that the model makes of the metadata.
///
/// Its counts are its own: an event that a phone asks about and its server reports is one event for each.
final class ReportHandler {
  private let conversion: ConversionHandler
  private var phones: PhoneMemory<Remembered<InstallMemory>>
  private let forgotten: ForgottenPhones

  /// - Parameter conversion: whose model counts, also after a change.
  init(_ conversion: ConversionHandler, _ forgotten: ForgottenPhones) {
    self.conversion = conversion
    self.forgotten = forgotten
    phones = PhoneMemory(limit: forgotten.limit)
  }

  func answer(_ report: ServerReport) -> PhoneAnswer {
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
      explanation += " The request before was the same: Singular counts both, as it does not de-duplicate."
    }
    return PhoneAnswer(body: Array(answer.body.utf8), explanation: Array(explanation.utf8))
  }
}

/// A report of an app's server as a handler gets it.
struct ServerReport {
  let request: HTTPRequest
  let endpoint: EndpointKind
  /// Those of the query, and then those of the form in the body.
  var parameters: SentParameters
  /// The time of what is reported, or else the server's own.
  var time: Instant

  /// A HEAD is answered as a GET would be, and changes nothing.
  var isHead: Bool { request.method == "HEAD" }

  /// The time that the parameters state: `utime` in Unix seconds or `umilisec` in milliseconds.
  var statedTime: Instant? {
    if let seconds = parameters["utime"].flatMap(Double.init) { return Instant(unixSeconds: seconds) }
    return parameters["umilisec"].flatMap(Double.init).flatMap { Instant(unixSeconds: $0 / 1000) }
  }

  /// The phone that is reported of; the address stands for one without an identifier.
  var install: String {
    "\(parameters["i"] ?? "")\u{0}\(phone ?? "")"
  }

  /// The identifier that is stated of it; nil without one.
  var phone: String? { ["sdid", "idfv", "idfa"].lazy.compactMap { self.parameters[$0] }.first }
}

extension HTTPRequest {
  /// The parameters in the body; none where it is not a form, and nil when it cannot be read.
  var form: SentParameters? { isForm ? SentParameters(body) : SentParameters() }

  /// Whether the body is a form; one without a type is taken for it.
  private var isForm: Bool {
    let type = headers["Content-Type"]?.lowercased() ?? "application/x-www-form-urlencoded"
    return type.hasPrefix("application/x-www-form-urlencoded")
  }

  /// The body for the journal, without its secrets: a form as it came, or a JSON object; empty for anything else.
  var redactedBody: String {
    if isForm { return SecretParameter.redacted(String(decoding: body, as: UTF8.self)) }
    guard let json = try? JSONReader.read(body).value, case .object = json else { return "" }
    return JSONWriter.text(SecretParameter.redacted(json: json))
  }

  /// Whether a body came that is not a form, which Singular's endpoints do not read.
  var hasUnreadBody: Bool { !body.isEmpty && !isForm }
}
