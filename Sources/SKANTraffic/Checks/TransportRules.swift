import SKANDevice
import SKANHTTP

/// The rules that look at a request without reading its parameters.
enum TransportRules {
  static func findings(_ captured: CapturedRequest, _ kind: EndpointKind) -> [TrafficFinding] {
    let request = captured.request
    var findings: [TrafficFinding] = []
    func add(_ rule: TrafficRule, _ message: String) {
      findings.append(TrafficFinding(rule, message, location: captured.location, at: captured.at))
    }
    let methods = kind.methods
    if !methods.contains(request.method) {
      let given = request.method.prefix(16)
      add(.methodNotTaken, "the method is \(given), \(kind.name) takes \(methods.joined(separator: " or ")).")
    }
    if request.hasJSONBody { add(.jsonBody, "the body is JSON; \(kind.name) reads a query or a form.") }
    if request.target.origin.lowercased().hasPrefix("http://"), request.target.origin.hasSuffix(".singular.net") {
      add(.plainHTTP, "\(request.target.origin) is not encrypted.")
    }
    return findings
  }
}
