import SKANBase
import SKANCommand
import SKANTraffic
import Testing

@testable import SKANCommandLine

@Suite("check --redacted: what may be shared")
struct SharedCaptureTests {
  private static let parameters =
    "a=KEY99999&p=iOS&i=com.example.app&ip=203.0.113.7&ve=17.4&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334"
    + "&att_authorization_status=0&n=x"

  /// An entry of a HAR, one minute after the one before it.
  private static func entry(_ minute: Int, _ url: String, _ more: String = "", response: String? = nil) -> String {
    """
    {"startedDateTime":"2026-01-01T00:\(minute / 10)\(minute % 10):00Z",\
    "request":{"url":"\(url)"\(more)}\(response.map { ",\"response\":\($0)" } ?? "")}
    """
  }

  private static func har(_ entries: [String]) -> String {
    "{\"log\":{\"entries\":[\n\(entries.joined(separator: ",\n"))\n]}}"
  }

  private static let s2s = "https://s2s.singular.net/api/v1/evt"

  @Test(
    "Every capture with times checks the same when it is shared",
    arguments: [
      "alb.log", "charles.har", "clean-life.ndjson", "cloudfront.log", "combined.log", "journal.ndjson",
      "mitmproxy.har", "pairs.har", "proxyman.har",
    ])
  func same(name: String) throws {
    let world = World()
    try world.addCapture(name)
    func counts(_ file: String) -> Substring? {
      world.run("check \(file)").out.split(separator: "\n").first?.split(separator: ";").first
    }
    let before = counts(name)
    #expect(before?.hasPrefix("0 requests") == false)
    world.run("check -q --redacted shared.har \(name)")
    #expect(counts("shared.har") == before)
  }

  /// The request and the answer of each shared entry.
  private func shared(_ capture: String) throws -> [(request: JSON, response: JSON)] {
    let world = World()
    world["a.har"] = capture
    world.run("check -q --redacted shared.har a.har")
    let file = try JSONReader.read(Array(try #require(world["shared.har"]).utf8)).value
    guard case .array(let entries)? = file["log"]?["entries"] else { return [] }
    return entries.map { ($0["request"] ?? .null, $0["response"] ?? .null) }
  }

  @Test("Bodies go without keys, and an answer is kept as far as it was captured")
  func bodies() throws {
    let body = { (type: String, text: String) in
      ",\"method\":\"POST\",\"postData\":{\"mimeType\":\"\(type)\",\"text\":\(JSONWriter.quoted(text))}"
    }
    let form = "application/x-www-form-urlencoded"
    let shared = try shared(
      Self.har([
        Self.entry(0, Self.s2s, body(form, Self.parameters)), Self.entry(1, Self.s2s, body("", "a=KEY99999&p=iOS")),
        Self.entry(2, Self.s2s + "?a=KEY99999", body("application/json", #"{"a":"KEY99999","n":"x"}"#)),
        Self.entry(3, Self.s2s + "?" + Self.parameters, response: "{\"status\":204}"),
        Self.entry(4, Self.s2s + "?" + Self.parameters, response: "{\"status\":0}"),
        Self.entry(5, Self.s2s + "?" + Self.parameters, response: #"{"status":200,"content":{"text":"KEY99999 ok"}}"#),
      ]))
    #expect(shared.count == 6)
    let redacted = "a=REDACTED" + Self.parameters.dropFirst("a=KEY99999".count)
    #expect(shared[0].request["postData"] == .object([("mimeType", .string(form)), ("text", .string(redacted))]))
    #expect(
      shared[1].request["postData"] == .object([("mimeType", .string(form)), ("text", .string("a=REDACTED&p=iOS"))]))
    #expect(
      shared[2].request["postData"]
        == .object([("mimeType", .string("application/json")), ("text", .string(#"{"a":"REDACTED","n":"x"}"#))]))
    #expect(shared[0].response == .null)
    #expect(shared[3].response["status"] == .integer(204) && shared[4].response["status"] == .integer(0))
    #expect(shared[5].response["content"]?["text"] == .string("REDACTED ok"))
  }

  @Test("A capture without times cannot be shared as a HAR")
  func timeless() throws {
    let world = World()
    try world.addCapture("urls.txt")
    let run = world.run("check -q --redacted shared.har urls.txt")
    #expect(
      run
        == Consequences(
          .badData,
          err:
            "skan: a HAR has times, and these captures have requests without: no shared.har is written\n"))
  }

  @Test("Of many hosts the eight with the most entries; WebSockets are counted; remarks have an end")
  func others() {
    let world = World()
    let hosts = (0..<10).map { Self.entry($0, "https://h\($0).example/") }
    let sockets = ["wss://s2s.singular.net/x", "wss://other.example/x"].map { Self.entry(10, $0) }
    let odd = ",\"queryString\":[{\"name\":\"zz\",\"value\":\"1\"}]"
    let remarks = (0..<110).map { Self.entry(20 + $0 % 30, Self.s2s + "?" + Self.parameters, odd) }
    world["a.har"] = Self.har(hosts + [Self.entry(11, "https://h9.example/")] + sockets + remarks)
    let run = world.run("check a.har")
    let lines = run.out.split(separator: "\n")
    #expect(lines.first?.hasSuffix("; 11 entries of other hosts, 0 not decrypted, 2 WebSockets") == true)
    #expect(
      lines.dropFirst().first
        == "  other hosts: h9.example 2, h0.example 1, h1.example 1, h2.example 1, h3.example 1, h4.example 1, h5.example 1, h6.example 1 and 2 more"
    )
    let notes = run.err.split(separator: "\n")
    #expect(
      notes.first == "a.har:15: entry 14: \"queryString\" differs from the URL at \"a\"; the URL counts", "\(notes)")
    #expect(notes.contains("skan: and 10 more remarks"), "\(notes)")
    #expect(world.run("check -q a.har").saysCountsAlone)
  }
}
