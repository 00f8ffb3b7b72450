import Testing

@testable import SKANHTTP

@Suite("The target of a request")
struct HTTPTargetTests {
  @Test(
    "Origin, path and query; the text is the same again",
    arguments: [
      (
        "http://localhost:8080/api?a=%20&b", HTTPTarget(origin: "http://localhost:8080", path: "/api", query: "a=%20&b")
      ),
      ("https://h", HTTPTarget(origin: "https://h", path: "")),
      ("https://h?", HTTPTarget(origin: "https://h", path: "", query: "")),
      ("https://h?a?b/c", HTTPTarget(origin: "https://h", path: "", query: "a?b/c")),
      ("http://[::1]:8/", HTTPTarget(origin: "http://[::1]:8", path: "/")),
      ("HTTP://u@H:80/a#b?c", HTTPTarget(origin: "HTTP://u@H:80", path: "/a#b", query: "c")),
      ("/a/b?x=http://h/y", HTTPTarget(path: "/a/b", query: "x=http://h/y")), ("/", HTTPTarget(path: "/")),
      ("//h/a", HTTPTarget(path: "//h/a")), ("/a://b", HTTPTarget(path: "/a://b")), ("*", HTTPTarget(path: "*")),
      ("nonsense", HTTPTarget(path: "nonsense")), ("", HTTPTarget(path: "")), ("?é", HTTPTarget(path: "", query: "é")),
      ("http:/h", HTTPTarget(path: "http:/h")),
    ])
  func parts(text: String, target: HTTPTarget) {
    #expect(HTTPTarget(text) == target)
    #expect(target.text == text)
  }

  @Test(
    "As the request line has it",
    arguments: [
      ("http://h", "/"), ("http://h?a", "/?a"), ("http://h/b?a", "/b?a"), ("/b", "/b"), ("http://h/?", "/?"),
      ("http://h/\u{301}b", "/\u{301}b"),
    ])
  func pathAndQuery(text: String, line: String) { #expect(HTTPTarget(text).pathAndQuery == line) }
}
