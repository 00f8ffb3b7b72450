/// Something wrong with an entry of a capture, or worth a remark.
package struct CaptureProblem: Error, Sendable, Equatable {
  /// The entry that it is about.
  package var location: CaptureLocation
  /// A sentence without its location. It holds no key and no token.
  package var message: String

  /// A problem of its parts.
  package init(_ message: String, at location: CaptureLocation) {
    self.location = location
    self.message = message
  }
}
