import SKANCommand
import SKANHTTP
import Testing

@testable import SKANCommandLine

@Suite("A smoke test of a server that the phone accepts although it breaks the contract")
struct SmokeTestContractTests {
  private static let good = #"{"conversion_value":5,"status":"ok"}"#

  /// What a server does wrong.
  struct Server: Sendable {
    let code: String
    var body = SmokeTestContractTests.good
    var status = 200
    var contentType: String? = "application/json"
    var outcome = "updated"
  }

  static let servers = [
    Server(code: "status-not-200", status: 500),
    Server(code: "unknown-answer-key", body: #"{"conversion_value":5,"skan_updated_coarse":1,"status":"ok"}"#),
    Server(code: "unknown-answer-key", body: #"{"conversionValue":5,"status":"ok"}"#, outcome: "no-update"),
    Server(code: "status-not-ok", body: #"{"conversion_value":5,"status":"OK"}"#),
    Server(code: "status-not-ok", body: #"{"conversion_value":5}"#),
    Server(code: "answer-not-json", body: #"{"conversion_value":5,"status":"ok",}"#),
    Server(code: "answer-not-json", body: #"{"conversion_value":5,"conversion_value":5,"status":"ok"}"#),
    Server(code: "answer-not-json", body: "\u{FEFF}\(good)"),
    Server(code: "content-type-not-json", contentType: "text/html; charset=utf-8"),
  ]

  private static let list = #"{"op":"register"}"# + "\n" + #"{"op":"session"}"#

  private func world(_ server: Server) -> World {
    let world = World.registered()
    world["a.jsonl"] = Self.list
    world.set {
      $0.network = { url, _ in
        var response = HTTPResponse(status: server.status, body: Array(server.body.utf8))
        if let type = server.contentType { response.headers.append("Content-Type", type) }
        return .success(HTTPExchange(response, url: url))
      }
    }
    return world
  }

  @Test("Each is a finding: --strict ends with 1 in every form, without it nothing changes", arguments: servers)
  func findings(server: Server) {
    for form in ["", "--test", "-q", "--json", "--summary", "--json --summary", "--jobs 4", "-v"] {
      for endpoint in ["http://h", "testing"] {
        let world = world(server)
        #expect(world.run("replay \(form) a.jsonl --endpoint \(endpoint)").code == .ok)
        let run = world.run("replay --strict \(form) a.jsonl --endpoint \(endpoint)")
        #expect(run.code == .expectationFailed, "\(form)\n\(run)")
        // Quiet, a replay names no finding.
        #expect(form == "-q" ? !run.err.isEmpty : (run.out + run.err).contains(server.code), "\(form)\n\(run)")
      }
    }
    for command in ["session", "event purchase"] {
      let world = world(server)
      let run = world.run("\(command) --endpoint http://h")
      #expect(run.code == .ok && run.out.contains("finding: ") && run.out.contains("[\(server.code)]"), "\(run)")
      #expect(world.run("\(command) --strict -q --endpoint http://h").code == .expectationFailed)
      #expect(world.run("history --json").out.contains(server.code))
      let result = world.run("\(command) --json --endpoint http://h")
      #expect(result.out.contains(#"{"code":"\#(server.code)","level":"finding","message":""#))
      #expect(result.out.contains(#""outcome":"\#(server.outcome)""#))
    }
  }

  @Test("A server that keeps to the reference has none, with or without a content type and with keys of its own")
  func right() {
    let right = [
      Server(code: ""), Server(code: "", contentType: nil),
      Server(code: "", contentType: "application/json; charset=utf-8"),
      Server(code: "", body: #"{"conversion_value":5,"status":"ok","request_id":7}"#),
    ]
    for server in right {
      let world = world(server)
      #expect(world.run("replay --strict a.jsonl --endpoint http://h").code == .ok)
      #expect(world.run("session --strict --endpoint http://h").code == .ok)
    }
  }

  @Test(
    "The answer of a list or an option has a note, which neither --strict nor the history counts", arguments: servers)
  func notes(server: Server) throws {
    guard server.contentType == "application/json" else { return }
    let answer = #"{"status":\#(server.status),"text":\#(quoted(server.body))}"#
    let world = World.registered()
    world["a.jsonl"] = #"{"op":"register"}"# + "\n" + #"{"op":"session","answer":\#(answer)}"#
    let note = #"{"code":"\#(server.code)","level":"note","message":""#
    #expect(world.run("replay --json a.jsonl").out.contains(note))
    #expect(!world.run("replay a.jsonl").out.contains(server.code))
    let verbose = world.run("replay -v a.jsonl")
    #expect((verbose.out + verbose.err).contains("note: ") && (verbose.out + verbose.err).contains(server.code))
    #expect(world.run("session --json --answer", answer).out.contains(note))
    #expect(!world.run("history --json").out.contains(server.code))
    guard server.outcome == "updated" else { return }
    #expect(world.run("replay --strict a.jsonl").code == .ok)
    #expect(world.run("session --strict -q --answer", answer).code == .ok)
  }

  @Test("Answers of the embedded endpoint and of models have none")
  func inProcess() throws {
    let world = try World.withModels()
    world["a.jsonl"] = Self.list + "\n" + #"{"op":"event","name":"purchase"}"#
    for options in ["", "--model sample.json"] {
      let out = world.run("replay --json a.jsonl \(options)").out
      for code in Set(Self.servers.map(\.code)) { #expect(!out.contains(code)) }
      #expect(out.contains("updated"))
    }
  }

  @Test("An answer that fails by itself keeps its exit code: the codes say nothing more about it")
  func failing() {
    for body in ["<html>", "", "5"] {
      let world = world(Server(code: "", body: body, status: 500, contentType: "text/html"))
      #expect(world.run("replay --strict a.jsonl --endpoint http://h").code == .badAnswer)
      #expect(world.run("session --strict -q --endpoint http://h").code == .badAnswer)
    }
  }

  private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
