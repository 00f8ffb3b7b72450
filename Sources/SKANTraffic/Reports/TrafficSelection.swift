import SKANBase
import SKANDevice

/// The requests that a report covers. The other requests still count as history.
package struct TrafficSelection {
  private let since: Instant?
  private let until: Instant?
  /// The idfv, idfa or sdid.
  private let device: String?

  package init(since: Instant?, until: Instant?, device: String?) {
    (self.since, self.until, self.device) = (since, until, device)
  }

  /// Whether every request is selected.
  package var isEverything: Bool { since == nil && until == nil && device == nil }

  /// Whether a request or a finding is selected. One without a time is not, if there is a limit of time.
  package func contains(_ at: Instant?, _ device: TrafficDevice?) -> Bool {
    if let since { guard let at, at >= since else { return false } }
    if let until { guard let at, at < until else { return false } }
    if let id = self.device { guard device?.id == id.uppercased() else { return false } }
    return true
  }
}
