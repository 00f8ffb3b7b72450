/// Something that an input must have so that some rules can be evaluated.
package enum TrafficNeed: CaseIterable, Sendable {
  /// What came back: the body, or that nothing came.
  case answers
  /// When a request was sent.
  case times
  /// Requests to conversion_value.
  case conversions
  /// Requests to launch or evt.
  case forwarded
  /// Requests to evt.
  case events
  /// A device that asked conversion_value and was reported to launch or evt, under the same identifier.
  case bothSides
  /// An identifier under which the device's other requests are known, too.
  case links
  /// SDK keys that were not taken out.
  case keys
  /// Three devices with an address.
  case severalDevices

  /// Why a rule that needs it is not evaluated.
  package var reason: String {
    switch self {
    case .answers: "no answers in this input"
    case .times: "no times in this input"
    case .conversions: "no conversion_value requests"
    case .forwarded: "no launch or evt requests"
    case .events: "no evt requests"
    case .bothSides: "no device with conversion_value requests and launch or evt requests"
    case .links: "devices are named by sdid alone"
    case .keys: "no SDK key in this input"
    case .severalDevices: "fewer than three devices with an address"
    }
  }

  /// What the requests lack that do not meet it, behind a count of requests; nil where it is met or not by the input as a
  /// whole.
  package var lack: String? {
    switch self {
    case .answers: "have no answer"
    case .times: "have no time"
    case .links: "name the device by sdid alone"
    case .keys: "have no SDK key"
    case .conversions, .forwarded, .events, .bothSides, .severalDevices: nil
    }
  }
}
