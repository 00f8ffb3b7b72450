import SKANCommand
import SKANHTTP
import Synchronization
import Testing

@testable import SKANCommandLine

@Suite("A replay against an endpoint that fails")
struct FailedEndpointTests {
  private static let session = #"{"op":"register"}"# + "\n" + #"{"op":"session","label":"first"}"#

  private func world(_ lists: [String: String] = ["a.jsonl": session]) -> World {
    let world = World()
    for (name, text) in lists { world[name] = text }
    return world
  }

  private let address = "--endpoint http://h"

  @Test("No connection is 69, and the summary says that nothing worked")
  func unreachable() {
    let world = world()
    world.fail(.noSuchHost)
    let run = world.run("replay --test a.jsonl \(address)")
    #expect(run.code == .unavailable)
    #expect(
      run.out == """
        FAIL  a.jsonl  2 steps, 0 expectations, 0 failed; 0 of 1 updates succeeded
        1 file (1 failed), 2 steps, 0 expectations, 0 failed; 0 of 1 updates succeeded; 0 ms

        """)
    let lines = run.err.split(separator: "\n")
    let words = "transport-error: No answer came (no such host: h); nothing changes and the handler gets the error."
    #expect(lines.first == "a.jsonl:2: the endpoint failed (first): \(words)")
    #expect(lines.dropFirst().first == "  answer    none: no such host: h")
    #expect(
      lines.dropFirst(2).first?.hasPrefix("  request   GET http://h/api/v2/conversion_value?a=REDACTED&v=") == true)
    #expect(lines.last == "Try 'skan explain exit-69'." && lines.count == 4)
  }

  @Test(
    "Nonsense is 76 in every form of output, and a good answer 0",
    arguments: [
      "", "--test", "--json", "--quiet", "--summary", "--strict --test", "--json --summary", "--jobs 4", "-v",
    ])
  func forms(options: String) {
    let world = world()
    world.answer("<html>", status: 500)
    let run = world.run("replay \(options) a.jsonl \(address)")
    #expect(run.code == .badAnswer && run.err.contains("  answer    HTTP 500: <html>\n"), "\(run)")
    if options == "--json --summary" {
      #expect(run.out.contains(#""endpoint_failures":1"#) && run.out.contains(#""updates":1,"updates_succeeded":0"#))
    } else if ["", "--summary"].contains(options) {
      #expect(run.out.contains("2 steps, 0 expectations, 0 failed; 0 of 1 updates succeeded\n"))
    }
    world.answer(#"{"conversion_value":5,"status":"ok"}"#)
    #expect(world.run("replay \(options) a.jsonl \(address)").code == .ok)
  }

  @Test("An expectation that fails comes first, one that states the outcome leaves 0, one of another key does not")
  func expectations() {
    for (expectation, code) in [
      (#""outcome":"updated""#, ExitCode.expectationFailed), (#""outcome":"unparsable""#, .ok),
      (#""window":0"#, .badAnswer),
    ] {
      let world = world(["a.jsonl": #"{"op":"register"}"# + "\n" + #"{"op":"session","expect":{\#(expectation)}}"#])
      world.answer("<html>", status: 500)
      #expect(world.run("replay -q a.jsonl \(address)").code == code)
    }
  }

  @Test("Of several lists the first failure counts, in their order; the run goes on to its end", arguments: [1, 4])
  func several(jobs: Int) {
    let world = world([
      "d/a.jsonl": #"{"op":"register"}"#, "d/b.jsonl": Self.session, "d/c.jsonl": Self.session,
      "d/d.jsonl": Self.session,
    ])
    world.set {
      $0.network = { url, _ in
        url.contains("n=gone") ? .failure(.noSuchHost) : .success(HTTPExchange(HTTPResponse(body: []), url: url))
      }
    }
    world["d/c.jsonl"] = #"{"op":"register"}"# + "\n" + #"{"op":"event","name":"gone"}"#
    let run = world.run("replay --test d --jobs \(jobs) \(address)")
    #expect(run.code == .badAnswer && run.out.contains("4 files (3 failed), 7 steps"), "\(run)")
    #expect(run.out.contains("; 0 of 3 updates succeeded; "))
    world["d/b.jsonl"] = #"{"op":"register"}"#
    #expect(world.run("replay --test d --jobs \(jobs) \(address)").code == .unavailable)
  }

  @Test("Steps that --label leaves out do not count, and answers in the list never do")
  func others() {
    let world = world()
    world.answer("<html>")
    #expect(world.run("replay -q --label second --allow-empty a.jsonl \(address)").code == .ok)
    #expect(world.run("replay -q --label first a.jsonl \(address)").code == .badAnswer)
    world["a.jsonl"] = #"{"op":"register"}"# + "\n" + #"{"op":"session","answer":{"text":"<html>"}}"#
    #expect(world.run("replay a.jsonl \(address)").out.hasSuffix("\n2 steps, 0 expectations, 0 failed\n"))
    #expect(world.run("replay -q a.jsonl") == Consequences())
  }

  @Test("A single command ends with 76 for a remote answer that poisons the install, and shows it; --answer with 0")
  func poison() {
    let body = #"{"conversion_value":"5","status":"ok"}"#
    let remote = World.answering(body)
    let run = remote.run("session \(address)")
    #expect(run.code == .badAnswer && run.err.hasPrefix("  answer    HTTP 200: \(body)\n  request   GET http://h/"))
    #expect(World.registered().run("session -q --answer", #"{"json":\#(body)}"#).code == .ok)
    let world = world()
    world.answer(body)
    #expect(world.run("replay -q a.jsonl \(address)").code == .badAnswer)
    // The warning is said once.
    let strict = world.run("replay --strict --test a.jsonl \(address)")
    #expect(strict.code == .expectationFailed)
    #expect(strict.err.components(of: "now holds a string") == 1, "\(strict)")
  }

  @Test("A failed expectation shows the answer with its type, on which the key is taken out; --quiet shows it, too")
  func shown() {
    let world = world(["a.jsonl": #"{"op":"register"}"# + "\n" + #"{"op":"session","expect":{"outcome":"updated"}}"#])
    world.set {
      $0.variables["SKAN_SDK_KEY"] = "s3cr3t"
      $0.network = { url, _ in
        .success(
          HTTPExchange(
            HTTPResponse(headers: [.init("Content-Type", "text/s3cr3t")], body: Array("<p>s3cr3t".utf8)), url: url))
      }
    }
    for line in ["replay -q a.jsonl", "replay -q --report-junit - a.jsonl", "replay -q --annotate github a.jsonl"] {
      let run = world.run("\(line) \(address)")
      #expect(run.code == .expectationFailed && !"\(run)".contains("s3cr3t"), "\(run)")
      #expect(run.err.contains("  answer    HTTP 200, text/REDACTED: <p>REDACTED\n  request   GET http://h/"), "\(run)")
    }
    let single = World.answering("<p>")
    #expect(
      single.run("session -q \(address) --expect outcome=updated").err.contains(
        "\n  answer    HTTP 200: <p>\n  request "))
  }
}

extension String {
  /// How often a text is in it.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
