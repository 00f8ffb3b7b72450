import Foundation
import SKANBase
import SKANHTTP
import SKANServe
import SKANTraffic
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

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

  @Test("A page that cannot be opened is said, and the server goes on")
  func unopened() {
    let run = World().run("serve --port 0 --open -- ./tests")
    #expect(
      run.err.contains(
        /skan: the page cannot be opened: cannot start (xdg-)?open: no program can be started here; it is at http:\/\/127\.0\.0\.1:[0-9]+\/\n/
      ), "\(run)")
  }

  @Test("Options of the live page that do not go together")
  func pageOptions() {
    #expect(
      World().run("serve --no-page --open") == .usage("--no-page and --open exclude each other", command: "serve"))
    #expect(World().run("serve --nopage").err.contains("did you mean --no-page?"))
    #expect(World().run("serve --open=now").code == .usage)
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
    #expect(check.end())
  }

  @Test(
    "The summary of --check counts answers of 4xx and 5xx, as that of 'skan check' does",
    arguments: [
      ([200], nil), ([399], nil), ([400], "1 answer of 4xx"), ([500], "1 answer of 5xx"),
      ([404, 499, 200, 599, 503, 500], "2 answers of 4xx, 3 answers of 5xx"),
    ] as [([Int], String?)])
  func refusedAnswers(statuses: [Int], part: String?) {
    var reported: [String] = []
    let check = LiveCheck { reported.append($0) }
    var journal = ""
    for (index, status) in statuses.enumerated() {
      let query = "i=x&idfv=A&n=\(index)"
      let request = HTTPRequest(method: "GET", target: HTTPTarget(path: "/api/v1/evt", query: query))
      _ = check.inspect(
        request, query: nil, HTTPResponse(status: status), at: .init(microseconds: 0))
      journal += #"{"answer":"","at":0,"explanation":"","method":"GET","path":"/api/v1/evt","#
      journal += #""query":{"i":"x","idfv":"A","n":"\#(index)"},"status":\#(status)}"# + "\n"
    }
    _ = check.end()
    let world = World()
    world["journal.ndjson"] = journal
    let summary = world.run("check journal.ndjson").out.split(separator: "\n").first.map(String.init)
    // Up to the number of errors.
    let counts = [reported.first { $0.contains(" of 1 device: ") }, summary].map {
      ($0 ?? "").components(separatedBy: "; ").prefix { !$0.contains(" error") }
    }
    #expect(counts[0] == counts[1] && counts[0].dropFirst().first == part, "\(counts)")
  }

  @Test(
    "Sites and hosts that are none",
    arguments: [
      (
        "--allow-origin https://a/b",
        "--allow-origin must be a site without a path, such as https://tools.example, it is \"https://a/b\""
      ),
      (
        "--allow-origin null --allow-origin https://b.example --allow-origin c",
        "--allow-origin must be a site without a path, such as https://tools.example, it is \"c\""
      ),
      ("--allow-host a --allow-host b/c", "--allow-host must be the name of a host, such as skan.test, it is \"b/c\""),
      ("--allow-host=", "--allow-host must be the name of a host, such as skan.test, it is \"\""),
    ])
  func refused(options: String, message: String) {
    #expect(World().run("serve \(options)") == .usage(message, command: "serve"))
  }

  @Test("Several in one text, with commas between")
  func several() {
    #expect(
      World().run("serve --allow-origin https://a.example,b").err.hasPrefix(
        "skan: --allow-origin must be a site without a path, such as https://tools.example, it is \"b\""))
  }
}
