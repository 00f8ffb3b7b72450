/// The routes of a server, with handlers of any type.
///
///     let routes = HTTPRouteTable([
///       HTTPRoute("GET", "/journal", lines), HTTPRoute("DELETE", "/journal", clear),
///     ])
///     routes.match(method: "HEAD", path: "/journal")  // .handler(lines)
///     routes.match(method: "POST", path: "/journal")  // .otherMethod(allowed: "GET, DELETE", lines)
public struct HTTPRouteTable<Handler> {
  /// The result of looking up a request's route.
  public enum Match {
    /// The handler for the path and method.
    case handler(Handler)
    /// The path has only other methods, listed for the header `Allow`; with the path's first handler. The status is
    /// 405.
    case otherMethod(allowed: String, Handler)
    /// There is no such path. The status is 404.
    case noPath
  }

  @usableFromInline let routes: [HTTPRoute<Handler>]

  /// A table of routes; each method of a path occurs once.
  package init(_ routes: [HTTPRoute<Handler>]) { self.routes = routes }

  /// The paths without duplicates, in the order of the routes.
  package var paths: [String] {
    var paths: [String] = []
    for route in routes where !paths.contains(route.path) { paths.append(route.path) }
    return paths
  }

  /// Looks up a request. Method and path are case-sensitive.
  @inlinable
  public func match(method: String, path: String) -> Match {
    let method = method == "HEAD" ? "GET" : method
    var other: Int?
    for index in routes.indices where routes[index].path == path {
      if routes[index].method == method { return .handler(routes[index].handler) }
      if other == nil { other = index }
    }
    guard let other else { return .noPath }
    let allowed = routes.filter { $0.path == path }.map(\.method).joined(separator: ", ")
    return .otherMethod(allowed: allowed, routes[other].handler)
  }
}

/// A method of a path with its handler.
///
/// Public, so that the lookup in ``HTTPRouteTable`` is specialized in the module of the handlers' type.
public struct HTTPRoute<Handler> {
  /// The method; `GET` answers `HEAD` as well.
  public let method: String
  /// The whole path, without escapes that do not change its meaning.
  public let path: String
  /// The handler of the route.
  public let handler: Handler

  package init(_ method: String, _ path: String, _ handler: Handler) {
    self.method = method
    self.path = path
    self.handler = handler
  }
}
