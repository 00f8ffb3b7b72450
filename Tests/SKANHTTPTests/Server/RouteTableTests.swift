import SKANHTTP
import Testing

@Suite("Routes")
struct RouteTableTests {
  private let routes = HTTPRouteTable([
    HTTPRoute("GET", "/a", "get a"), HTTPRoute("POST", "/b", "post b"), HTTPRoute("DELETE", "/a", "delete a"),
    HTTPRoute("GET", "/b", "get b"), HTTPRoute("PUT", "/c", "put c"),
  ])

  /// What a request comes to, as a text.
  private func outcome(_ method: String, _ path: String) -> String {
    switch routes.match(method: method, path: path) {
    case .handler(let handler): handler
    case .otherMethod(let allowed, let handler): "405 \(allowed), like \(handler)"
    case .noPath: "404"
    }
  }

  @Test(
    "A method of a path, HEAD as GET; 405 with the methods that there are; 404",
    arguments: [
      ("GET", "/a", "get a"), ("HEAD", "/a", "get a"), ("DELETE", "/a", "delete a"), ("POST", "/b", "post b"),
      ("GET", "/b", "get b"), ("HEAD", "/c", "405 PUT, like put c"), ("POST", "/a", "405 GET, DELETE, like get a"),
      ("get", "/b", "405 POST, GET, like post b"), ("OPTIONS", "/c", "405 PUT, like put c"), ("GET", "/A", "404"),
      ("GET", "/a/", "404"), ("GET", "", "404"), ("OPTIONS", "*", "404"),
    ])
  func match(method: String, path: String, expected: String) { #expect(outcome(method, path) == expected) }

  @Test("The paths, each once, in the order of the routes")
  func paths() { #expect(routes.paths == ["/a", "/b", "/c"]) }
}
