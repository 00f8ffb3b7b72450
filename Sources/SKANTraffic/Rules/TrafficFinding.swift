import SKANDevice

/// One breach of one rule by one request.
package struct TrafficFinding: Sendable, Equatable {
  /// The rule that fired.
  package var rule: TrafficRule
  /// What is wrong with this request, a sentence. It holds no key and no token.
  package var message: String
  /// Where the request is in its capture.
  package var location: CaptureLocation
  /// When the request was sent; nil where the capture has no time.
  package var at: Instant?
  /// The device that it is about; nil for a request without an identifier.
  package var device: TrafficDevice?

  /// A finding of its parts.
  package init(
    _ rule: TrafficRule, _ message: String, location: CaptureLocation, at: Instant? = nil,
    device: TrafficDevice? = nil
  ) {
    self.rule = rule
    self.message = message
    self.location = location
    self.at = at
    self.device = device
  }
}

/// A finding that is left open at the end of a capture: its message says what is missing, up to the request.
extension TrafficFinding {
  /// The capture ends before it is known whether this request breaks a rule.
  ///
  /// - Parameters:
  ///   - end: the time of the capture's last request, in Unix seconds.
  ///   - seconds: the time of this request, where the capture has none.
  func open(_ rule: TrafficRule, end: Int64?, seconds: Int64?) -> TrafficFinding {
    let after = end.flatMap { end in (at?.wholeSeconds ?? seconds).map { max(0, end - $0) } }
    return open(rule, after.map { "the capture ends \($0) s after" } ?? "the capture ends after")
  }

  func open(_ rule: TrafficRule, _ reason: String) -> TrafficFinding {
    var finding = self
    finding.rule = rule
    finding.message = reason
    return finding
  }
}
