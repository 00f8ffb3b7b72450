/// One request: what is asked, and what its answer may cost.
package struct HTTPRequest: Equatable, Sendable {
  /// The most bytes of an unpacked body that are taken where nothing else is asked for.
  package static let defaultMaxBytes = 1 << 20
  /// The most bytes that the heads of an answer may have, those of its redirects included.
  package static let maxHeadBytes = 1 << 18

  /// Absolute, http or https, percent-encoded, with its query: not for a message.
  package var url: String
  /// Added to those that URLSession sends by itself.
  package var headers: [HTTPHeader]
  /// What is posted; nil asks with a GET, and follows redirects.
  package var body: [UInt8]?
  /// From the call to the last byte of the body, redirects included; fractions count, and zero or less ends the
  /// request at once.
  package var maxSeconds: Double
  /// The most bytes of an unpacked body that are taken.
  package var maxBytes: Int

  /// A request of its parts.
  package init(
    url: String, headers: [HTTPHeader] = [], body: [UInt8]? = nil, maxSeconds: Double,
    maxBytes: Int = Self.defaultMaxBytes
  ) {
    self.url = url
    self.headers = headers
    self.body = body
    self.maxSeconds = maxSeconds
    self.maxBytes = maxBytes
  }

  /// The time that it really has: neither clock nor session takes any number, and a NaN counts as zero.
  var boundedSeconds: Double { maxSeconds > 0 ? min(maxSeconds, 1_000_000) : 0 }
}
