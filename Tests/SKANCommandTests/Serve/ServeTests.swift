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
