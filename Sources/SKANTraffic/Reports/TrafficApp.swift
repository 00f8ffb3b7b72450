import SKANDevice
import SKANModel

/// What a request says of its app, for the columns of Singular's SDK audit.
package struct TrafficApp: Sendable, Equatable {
  /// `n` of a launch, which is the app's name there.
  package var name = ""
  /// `i`.
  package var bundle = ""
  /// `p`.
  package var platform = ""
  /// `app_v`.
  package var version = ""

  /// Nothing is known.
  init() {}

  /// - Parameter redact: takes secrets out of a value.
  init(_ request: CapturedRequest, redact: (String) -> String) {
    guard let sent = request.sent else { return }
    func value(_ name: String) -> String { sent[name].map(redact) ?? "" }
    if EndpointKind(path: request.request.path) == .launch { name = value("n") }
    bundle = value("i")
    platform = value("p")
    version = value("app_v")
  }
}

extension CapturedRequest {
  /// Its parameters; nil when they cannot be decoded.
  var sent: SentParameters? { SentParameters(query: request.query, form: request.hasForm ? request.body : []) }

  /// The endpoint and the event, as messages name it.
  var name: String {
    guard let kind = EndpointKind(path: request.path) else { return request.path }
    if kind == .launch { return kind.name }
    return "\(kind.name) \(sent?["n"] ?? "")"
  }

  /// The device that sent it, or for which it was sent; nil without an identifier.
  package var device: TrafficDevice? { sent.flatMap(TrafficDevice.init) }
}
