/// One method of one path, and what answers it.
package struct HTTPRoute<Handler> {
  /// Such as `GET`, which answers `HEAD` as well.
  package let method: String
  /// The whole path, with no escapes but those that change what it means.
  package let path: String
  package let handler: Handler

  /// A route of its parts.
  package init(_ method: String, _ path: String, _ handler: Handler) {
    self.method = method
    self.path = path
    self.handler = handler
  }
}
