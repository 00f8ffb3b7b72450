import TestSupport
import Testing

@testable import SKANHTTP

@Suite("Spellings of HTTP")
struct SpellingTests {
  /// The names that decide where a request ends and what follows, with values in words, and what is behind the head.
  private static let fields: [(name: String, value: String, rest: String)] = [
    ("Content-Length", "3", "abc"), ("Transfer-Encoding", "chunked", "3\r\nabc\r\n0\r\n\r\n"), ("Host", "b", ""),
    ("Connection", "close", ""), ("Connection", "keep-alive", ""), ("Expect", "100-continue", ""),
  ]

  private static func cases(_ text: String) -> [String] { [text, text.lowercased(), text.uppercased()] }

  private func steps(_ lines: [String], minor: Int, _ rest: String) -> [HTTPRequestParser.Step] {
    let head = (["POST / HTTP/1.\(minor)"] + lines).map { "\($0)\r\n" }.joined()
    let bytes = Array("\(head)\r\n\(rest)".utf8)
    return ParserCase.steps(of: bytes, pieces: bytes.count)
  }

  @Test("A field in any case, with and without blanks", arguments: fields.indices, [0, 1])
  func names(index: Int, minor: Int) {
    let (name, value, rest) = Self.fields[index]
    let others = minor == 0 || name == "Host" ? [] : ["Host: a"]
    /// What a request is, apart from the spelling of its lines.
    func read(_ line: String) -> String {
      steps(others + [line], minor: minor, rest).map { step in
        guard case .request(let request, let persistence) = step else { return "\(step)" }
        return "\(request.method) \(request.body) \(request.headers[name]?.lowercased() ?? "-") \(persistence)"
      }.joined()
    }
    let plain = read("\(name): \(value)")
    for name in Self.cases(name) {
      for value in Self.cases(value) {
        for (before, after) in [("", ""), (" ", ""), ("\t \t", " \t"), ("", " ")] {
          #expect(read("\(name):\(before)\(value)\(after)") == plain, "\(name): \(value)")
        }
      }
    }
    // A name that only begins or ends alike is another one.
    let without = read("X: \(value)")
    for other in ["\(name)x", "x\(name)", String(name.dropLast()), String(name.dropFirst())] where minor == 0 {
      let found = read("\(other): \(value)").split(separator: " ").filter { $0 != "-" && $0 != value.lowercased() }
      #expect(found == without.split(separator: " ").filter { $0 != "-" && $0 != value.lowercased() }, "\(other)")
    }
  }

  @Test("A target with an origin in any case, and with nothing behind it")
  func targets() {
    for (text, path, query) in [
      ("/a?b", "/a", "b"), ("http://h/a?b", "/a", "b"), ("https://h:1/a?b", "/a", "b"), ("http://h", "/", nil),
      ("http://h?b", "/", "b"), ("https://h/", "/", nil), ("http://h/?", "/", ""),
    ] as [(String, String, String?)] {
      let colon = text.range(of: "://").map { text[..<$0.lowerBound] } ?? ""
      for scheme in Self.cases(String(colon)) {
        let bytes = Array("GET \(scheme)\(text.dropFirst(colon.count)) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        let steps = ParserCase.steps(of: bytes, pieces: bytes.count)
        #expect(steps == [ParserValidTests.request("GET", path, query: query)], "\(text)")
      }
    }
    for (text, target) in [
      ("http:///a?b", HTTPTarget(origin: "http://", path: "/a", query: "b")),
      ("http://", HTTPTarget(origin: "http://", path: "")),
      ("http://?b", HTTPTarget(origin: "http://", path: "", query: "b")),
      ("http://#?b", HTTPTarget(origin: "http://", path: "#", query: "b")),
    ] { #expect(HTTPTarget(text) == target && target.text == text, "\(text)") }
  }

  @Test("A URL of an address in any case, with and without what is understood")
  func addresses() throws {
    let address = HTTPAddress(scheme: .http, host: "a.b", port: 80, path: "/C")
    for text in ["http://a.b/C", "HTTP://A.B/C", "http://a.b:80/C", "Http://a.B:080/C"] {
      #expect(try URLParts(text).address == address, "\(text)")
    }
    #expect(try URLParts("https://a.b/C").address != address && URLParts("http://a.b/c").address != address)
  }
}
