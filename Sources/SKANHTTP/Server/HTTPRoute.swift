/// One method of one path, and what answers it.
///
/// Public, as the search in ``HTTPRouteTable`` is made for the type of a server's handlers, in its module.
public struct HTTPRoute<Handler> {
  /// Such as `GET`, which answers `HEAD` as well.
  public let method: String
  /// The whole path, with no escapes but those that change what it means.
  public let path: String
  /// What answers it.
  public let handler: Handler

  /// A route of its parts.
  package init(_ method: String, _ path: String, _ handler: Handler) {
    self.method = method
    self.path = path
    self.handler = handler
  }
}
