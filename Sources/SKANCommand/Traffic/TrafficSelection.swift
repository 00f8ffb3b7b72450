import SKANDevice
import SKANTraffic

/// The requests that a report is about. The others are history all the same.
struct TrafficSelection {
  var since: Instant?
  var until: Instant?
  /// An idfv, idfa or sdid.
  var device: String?

  /// Whether nothing is left out.
  var isEverything: Bool { since == nil && until == nil && device == nil }

  /// Whether a request or a finding is reported. One without a time is at no time.
  func contains(_ at: Instant?, _ device: TrafficDevice?) -> Bool {
    if let since { guard let at, at >= since else { return false } }
    if let until { guard let at, at < until else { return false } }
    if let id = self.device { guard device?.id == id.uppercased() else { return false } }
    return true
  }
}
