import SKANDevice
import SKANHTTP
import SKANBase
import SKANModel

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
