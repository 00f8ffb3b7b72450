/// What a client lets an answer cost.
package struct HTTPAnswerLimits: Equatable, Sendable {
  /// The most bytes of an unpacked body where nothing else is asked for.
  package static let defaultBytes = 1 << 20
  /// The most bytes that the heads of an answer may have, those of its redirects included.
  package static let headBytes = 1 << 18

  /// From the call to the last byte of the body, redirects included; fractions count, and zero or less ends the request
  /// at once.
  package var seconds: Double
  /// The most bytes of an unpacked body.
  package var bytes: Int

  /// Limits of both kinds.
  package init(seconds: Double, bytes: Int = Self.defaultBytes) {
    self.seconds = seconds
    self.bytes = bytes
  }

  /// The time that a request really has: neither clock nor session takes any number, and a NaN counts as zero.
  package var boundedSeconds: Double { seconds > 0 ? min(seconds, 1_000_000) : 0 }
}
