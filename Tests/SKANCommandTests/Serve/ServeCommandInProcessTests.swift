import SKANHTTP
import SKANTraffic
import Testing

@testable import SKANCommand

@Suite("serve without a process of its own")
struct ServeCommandInProcessTests {
  @Test("A command that cannot be started ends it; no model and the address are said before")
  func notStarted() {
    let run = World().run("serve --port 0 -- ./tests")
    let start =
      "skan: no --model is given: only /testing/api/v1/conversion_value has values\nskan: listening on http://127.0.0.1:"
    #expect(run.code == .unavailable && run.out.isEmpty)
    #expect(run.err.hasPrefix(start), "\(run)")
    #expect(run.err.hasSuffix("skan: cannot start ./tests: no program can be started here\n"), "\(run)")
  }

  @Test("A receiver of postbacks whose options are wrong listens to nothing")
  func wrongOptions() {
    let world = World()
    world["r.jsonl.crm.offset"] = #"{"line":1,"bytes":9,"hash":"0000000000000000"}"#
    let run = world.run("serve --port 0 --postbacks r.jsonl --forward crm=http://localhost:9/ -- x")
    #expect(run.code == .badData && !run.err.contains("listening"), "\(run)")
  }

  @Test("The check of requests as they come passes over what is not a report", arguments: ["HEAD", "OPTIONS", "GET"])
  func live(method: String) {
    let check = LiveCheck { _ in }
    let paths = ["/healthz"] + (method == "GET" ? [] : ["/api/v1/evt", "/api/v2/conversion_value"])
    for path in paths {
      let request = HTTPRequest(method: method, target: HTTPTarget(path: path, query: "i=x"))
      #expect(check.inspect(request, query: nil, HTTPResponse(), at: .init(microseconds: 0)).isEmpty)
    }
    #expect(check.end() == .ok)
  }
}
