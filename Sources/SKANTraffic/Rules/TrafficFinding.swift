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
