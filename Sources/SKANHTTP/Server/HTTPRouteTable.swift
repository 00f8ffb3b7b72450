/// The routes of a server. What answers is up to the server: its handlers may be of any type.
///
///     let routes = HTTPRouteTable([
///       HTTPRoute("GET", "/journal", lines), HTTPRoute("DELETE", "/journal", clear),
///     ])
///     routes.match(method: "HEAD", path: "/journal")  // .handler(lines)
///     routes.match(method: "POST", path: "/journal")  // .otherMethod(allowed: "GET, DELETE", lines)
public struct HTTPRouteTable<Handler> {
  /// The result of looking up a request's route.
  public enum Match {
    /// The handler of its path and method.
    case handler(Handler)
    /// The path takes other methods, listed as `Allow` has them; the path's first handler. The status is 405.
    case otherMethod(allowed: String, Handler)
    /// There is no such path. The status is 404.
    case noPath
  }

  @usableFromInline let routes: [HTTPRoute<Handler>]

  /// A table of routes, each method of a path once.
  package init(_ routes: [HTTPRoute<Handler>]) { self.routes = routes }

  /// The paths, each once, in the order of the routes.
  package var paths: [String] {
    var paths: [String] = []
    for route in routes where !paths.contains(route.path) { paths.append(route.path) }
    return paths
  }

  /// Looks up a request. Case matters in both its parts.
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
