import Foundation
import SKANBase
import SKANHTTP
import TestSupport
import Testing
import skan_http

@Suite("serve as an executable", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ServeTests {
  private static let query =
    "a=SECRET&v=17.4&i=com.example.app&app_v=1.0&n=__SESSION__&p=iOS&idfv=IDFV-1&skan_current_conversion_value=0"
    + "&skan_last_call_to_skadnetwork_timestamp=1767225600&skan_first_call_to_skadnetwork_timestamp=1767225600"
  private static let path = "/api/v2/conversion_value?\(query)"
  private static let time = [("X-SKAN-Device-Time", "1767225600")]

  private func workspace() throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write("model.json", Workspace.exampleModel("engagement"))
    return workspace
  }

  @Test("Port 0: the address is the first line; signals end it with 0", arguments: [SIGTERM, SIGINT])
  func signals(signal: Int32) throws {
    let server = try Served(["--model", "model.json"], in: workspace())
    #expect(try #require(server.firstLine.wholeMatch(of: /listening on http:\/\/127\.0\.0\.1:([0-9]+)\n/)).1 != "0")
    #expect(try server.get("/healthz").text == #"{"phones":0,"status":"ok"}"#)
    let end = server.end(signal)
    #expect(end == (code: 0, out: "", err: ""))
  }

  @Test("--once ends it after this many requests")
  func once() throws {
    let server = try Served(["--model", "model.json", "--once", "2"], in: workspace())
    #expect(try server.get(Self.path, headers: Self.time).text.hasPrefix(#"{"conversion_value":1,"#))
    #expect(try server.get(Self.path, headers: Self.time).text.hasPrefix(#"{"conversion_value":2,"#))
    #expect(server.end() == (code: 0, out: "", err: ""))
  }

  @Test("Without a model it says so, and has the test endpoint")
  func noModel() throws {
    let server = try Served(["--once", "1"], in: workspace())
    #expect(try server.get("/testing/api/v1/conversion_value?idfv=A").text == #"{"conversion_value":0,"status":"ok"}"#)
    #expect(
      server.end()
        == (code: 0, out: "", err: "skan: no --model is given: only /testing/api/v1/conversion_value has values\n"))
  }

  @Test("SIGHUP: the models are read again; a broken one changes nothing")
  func hangup() throws {
    let workspace = try workspace()
    let server = try Served(["--model", "model.json"], in: workspace)
    func fine(isNow value: Int) throws -> Bool {
      let query = Self.path.replacing("__SESSION__", with: "other")
      return try TestTime.wait {
        try server.get(query, headers: Self.time).text.hasPrefix("{\"conversion_value\":\(value),")
      }
    }
    #expect(try fine(isNow: 0))
    let always = #"{"fine_grained_conversion_value_mappings":[{"fine_grained_conversion_value":V}]}"#
    try workspace.write("model.json", always.replacing("V", with: "9"))
    server.send(SIGHUP)
    #expect(try fine(isNow: 9))
    try workspace.write("model.json", "{}")
    server.send(SIGHUP)
    Thread.sleep(forTimeInterval: 0.5)
    #expect(try fine(isNow: 9))
    try workspace.write("model.json", always.replacing("V", with: "11"))
    server.send(SIGHUP)
    #expect(try fine(isNow: 11))
    let end = server.end(SIGTERM)
    #expect(end.code == 0)
    #expect(end.err.contains("model.json:1:1: the model maps nothing"), "\(end.err)")
    #expect(end.err.contains("skan: the models from before go on answering\n"))
  }

  @Test("--journal appends whole lines without the key; GET /journal shows the same")
  func journal() throws {
    let workspace = try workspace()
    let before = #"{"answer":"","at":0,"explanation":"","method":"GET","path":"/","query":{},"status":200}"# + "\n"
    try workspace.write("journal.jsonl", before)
    let server = try Served(["--model", "model.json", "--journal", "journal.jsonl"], in: workspace)
    _ = try server.get(Self.path, headers: Self.time)
    _ = try server.get("/api/v1/conversion_value?p=Android&a=SECRET")
    let shown = try server.get("/journal").text
    #expect(server.end(SIGTERM).code == 0)
    #expect(workspace["journal.jsonl"] == before + shown)
    #expect(shown.split(separator: "\n").count == 2 && shown.hasSuffix("\n") && !shown.contains("SECRET"))
  }

  @Test("--answers: a script first, then the model")
  func answers() throws {
    let workspace = try workspace()
    try workspace.write("answers.jsonl", "# first\n{\"error\":\"gone\"}\n\n{\"status\":500,\"text\":\"one\"}\n")
    let server = try Served(["--model", "model.json", "--answers", "answers.jsonl"], in: workspace)
    // On a new connection: one that was used before is closed by chance too, and a GET on it is tried again.
    #expect(throws: (any Error).self) { try server.get(Self.path, headers: Self.time) }
    let second = try server.get(Self.path, headers: Self.time)
    #expect(second.status == 500 && second.text == "one")
    #expect(try server.get(Self.path, headers: Self.time).text.contains(#""status":"ok""#))
    #expect(server.end(SIGTERM).code == 0)
  }

  @Test("Faults by header, over the wire")
  func faults() throws {
    let server = try Served(["--model", "model.json"], in: workspace())
    let ask = { (fault: String) in try server.get(Self.path, headers: Self.time + [("X-SKAN-Fault", fault)]) }
    #expect(try ask("illegal-values").text.hasPrefix(#"{"conversion_value":64,"#))
    #expect(try ask("status-503").status == 503)
    #expect(try ask("nothing").status == 400)
    for name in ["close", "truncated", "not-http"] { #expect(throws: (any Error).self) { try ask(name) } }
    #expect(try server.get("/healthz").status == 200)
    #expect(server.end(SIGTERM).code == 0)
  }

  @Test("Why, in a header; what was no HTTP is in the journal too")
  func explanation() throws {
    let server = try Served(["--model", "model.json"], in: workspace())
    let exchange = try server.exchange(Self.path, headers: Self.time)
    let header = try #require(exchange.response.headers["X-SKAN-Explanation"])
    #expect(header.hasPrefix("__SESSION__ for the 1"))
    #expect(header.contains("fine value 0 -> 1"))
    #expect(try server.get("/x", headers: [("Content-Length", "x")]).status == 400)
    #expect(try server.get("/journal").text.contains("The Content-Length header must be a number of bytes."))
    #expect(server.end(SIGTERM).code == 0)
  }

  @Test("What a page of another site sends uses up neither --once nor --answers")
  func foreignPage() throws {
    let workspace = try workspace()
    try workspace.write("answers.jsonl", "{\"status\":201,\"text\":\"one\"}\n")
    let server = try Served(["--answers", "answers.jsonl", "--once", "1"], in: workspace)
    #expect(try server.get(Self.path, headers: [("Sec-Fetch-Site", "cross-site")]).status == 403)
    #expect(try server.get(Self.path, headers: [("Referer", "http://evil.example/")]).status == 403)
    #expect(try server.get(Self.path).status == 201)
    #expect(server.end().code == 0)
  }

  @Test("A port in use ends it with 69; a wrong host is the command line's fault")
  func inUse() throws {
    let workspace = try workspace()
    let server = try Served(["--model", "model.json"], in: workspace)
    let port = try #require(server.address.split(separator: ":").last.map(String.init))
    let run = try workspace.run(["serve", "--model", "model.json", "--port", port])
    #expect(run.code == 69)
    #expect(run.err == "skan: 127.0.0.1:\(port) is in use already; --port 0 picks a free port\n")
    #expect(try workspace.run(["serve", "--host", "192.0.2.1"]).code == 64)
    #expect(server.end(SIGTERM).code == 0)
  }

  @Test("A journal that ends within a line: the line is ended first, and that is said")
  func tornJournal() throws {
    let workspace = try workspace()
    try workspace.write("journal.jsonl", "{\"answer\":\"torn")
    let server = try Served(["--model", "model.json", "--journal", "journal.jsonl"], in: workspace)
    _ = try server.get(Self.path, headers: Self.time)
    let shown = try server.get("/journal").text
    #expect(
      server.end(SIGTERM).err
        == "skan: journal.jsonl ends within a line: it is ended there, and what follows is whole\n")
    #expect(workspace["journal.jsonl"] == "{\"answer\":\"torn\n" + shown)
  }

  @Test("With standard output closed, the address is not written into the journal")
  func closedOutput() throws {
    let workspace = try workspace()
    let run = try workspace.shell(
      """
      "$SKAN" serve --port 0 --model model.json --journal j >&- &
      until [ -e j ]; do sleep 0.05; done
      kill $! && wait $!
      """)
    #expect(run.code == 0)
    #expect(run.out == "")
    #expect(workspace["j"] == "")
  }

  @Test(
    "A journal that cannot be written says why, once", .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"))
  )
  func fullJournal() throws {
    let server = try Served(["--model", "model.json", "--journal", "/dev/full"], in: workspace())
    for _ in 0..<3 { _ = try server.get(Self.path, headers: Self.time) }
    #expect(
      server.end(SIGTERM).err
        == "skan: cannot write /dev/full: No space left on device; requests are missing in it from here on\n")
  }
}

/// The endpoint in process and the one behind HTTP are the same: one life, run both ways.
@Suite("A model embedded and served", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ParityTests {
  /// 36 days: sessions, events, revenue in two currencies in every window, and what comes after the last.
  private static func life(_ snippet: String) -> String {
    var steps = [
      #"{"op":"device","snippet":"\#(snippet)","idfv":"21DB6612-09B3-4ECC-84AC-B353B0AF1334"}"#,
      #"{"op":"register","at":"2026-01-01T00:00:00Z"}"#,
    ]
    let day = [
      #""op":"session""#, #""op":"event","name":"tutorial_done""#, #""op":"revenue","amount":1.99,"currency":"USD""#,
      #""op":"event","name":"purchase""#, #""op":"revenue","amount":3.49,"currency":"EUR""#, #""op":"session""#,
    ]
    // From the hours of day 0 across both borders of windows, exactly on one, to the end and beyond it.
    for gap in ["1h", "4h", "23h", "27h", "100h", "500h"] {
      for (index, step) in day.enumerated() {
        steps.append("{\(step),\"after\":\"\(index == 0 ? gap : "90.25s")\"}")
      }
    }
    steps += [
      #"{"op":"revenue","amount":20,"currency":"EUR","after":"1m"}"#, #"{"op":"event","name":"a b+c&d","after":"1m"}"#,
      #"{"op":"revenue","amount":1,"currency":"GBP","after":"1m"}"#, #"{"op":"session","after":"1m"}"#,
      #"{"op":"session","at":"2026-02-04T23:59:59Z"}"#, #"{"op":"session","at":"2026-02-05T00:00:00Z"}"#,
      #"{"op":"event","name":"purchase","after":"24h"}"#, #"{"op":"details"}"#,
    ]
    return steps.map { $0 + "\n" }.joined()
  }

  /// Each line of the output without the address of its request and without what only a model in process says.
  private static func results(_ output: String) throws -> [JSON] {
    try output.split(separator: "\n").map { line in
      guard case .object(let members) = try JSONReader.read(Array(line.utf8)).value else { return .null }
      return .object(
        members.filter { !["endpoint_explanation", "answered_by"].contains($0.key) }.map { member in
          guard member.key == "request", case .object(let parts) = member.value else { return member }
          return (member.key, .object(parts.filter { $0.key != "url" }))
        })
    }
  }

  /// How often each outcome is among the results.
  private static func outcomes(_ results: [JSON]) -> [String: Int] {
    results.reduce(into: [:]) { counts, result in
      guard case .object(let members) = result,
        case .string(let outcome)? = members.first(where: { $0.key == "outcome" })?.value
      else { return }
      counts[outcome, default: 0] += 1
    }
  }

  @Test(
    "Every result of 36 days is the same",
    arguments: ["skan4", "skan4-beta", "skan3"], ["mixed", "engagement", "all-revenue"])
  func life(snippet: String, model: String) throws {
    let workspace = try Workspace()
    try workspace.write("model.json", Workspace.exampleModel(model))
    try workspace.write("rates.json", #"{"EUR":0.92}"#)
    try workspace.write("life.jsonl", Self.life(snippet))
    let options = ["--model", "model.json", "--rates", "rates.json"]
    let embedded = try workspace.run(["replay", "--json", "life.jsonl"] + options)
    let server = try Served(options, in: workspace)
    let served = try workspace.run(["replay", "--json", "life.jsonl", "--endpoint", server.address])
    #expect(server.end(SIGTERM).code == 0)
    let (left, right) = (try Self.results(embedded.out), try Self.results(served.out))
    // A remote endpoint that refuses a request fails the run; in process its answer is a test of the app.
    let code: Int32 = Self.outcomes(left)["server-error"] == nil ? 0 : 76
    #expect(embedded.code == 0 && served.code == code, "\(embedded) \(served)")
    #expect(left.count == 46 && right.count == left.count)
    for (one, other) in zip(left, right) { #expect(one == other) }
    // It was a life with something in it.
    let outcomes = Self.outcomes(left)
    #expect((outcomes["updated"] ?? 0) >= 1, "\(outcomes)")
    #expect((outcomes["window-over"] ?? 0) >= 2, "\(outcomes)")
    if snippet != "skan3" {
      #expect((outcomes["updated"] ?? 0) >= 20, "\(outcomes)")
      #expect(embedded.out.contains("\"window\":2"))
      if model != "engagement" { #expect(outcomes["server-error"] != nil, "\(outcomes)") }
      if model == "mixed" { #expect(embedded.out.contains("\"p2_window_lock\"")) }
    }
  }
}

@Suite("serve with few descriptors", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ServeDescriptorTests {
  @Test("Connections that say nothing make room for a client that asks")
  func exhausted() throws {
    let workspace = try Workspace()
    let server = try workspace.startShell("ulimit -n 24; exec \"$SKAN\" serve --port 0 --quiet > address")
    defer {
      kill(server.id, SIGTERM)
      #expect(server.end().code == 0)
    }
    TestTime.wait { workspace["address"]?.hasSuffix("\n") ?? false }
    let address = try #require(workspace["address"])
    let url = String(address.dropFirst("listening on ".count).dropLast())
    let port = try #require(url.split(separator: ":").last.flatMap { UInt16($0) })
    let idle = (0..<40).map { _ in socket(AF_INET, TestSocket.streamType, 0) }
    #expect(idle.allSatisfy { TestSocket.connect($0, to: port) })
    defer { for descriptor in idle { close(descriptor) } }
    let exchange = try HTTPTransport().send(.get("\(url)/healthz"), within: HTTPAnswerLimits(seconds: 20)).get()
    #expect(exchange.response.status == 200)
  }
}
