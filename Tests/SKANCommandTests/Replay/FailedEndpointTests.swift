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

@Suite("--retry")
struct RetryTests {
  private static let updated = Array(#"{"conversion_value":7,"status":"ok"}"#.utf8)

  /// A network that answers well after this many failures; a list of one session, and how often it was asked.
  private static func world(
    failing count: Int, _ failure: Result<HTTPExchange, TransportFailure> = .failure(.noSuchHost),
    list: String = #"{"op":"register"}"# + "\n" + #"{"op":"session","expect":{"outcome":"updated"}}"#
  ) -> World {
    let asked = Counter()
    let world = World {
      $0.network = { url, _ in
        asked.next() <= count
          ? failure : .success(HTTPExchange(HTTPResponse(body: updated), url: url))
      }
    }
    world["a.jsonl"] = list
    return world
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
      count.withLock {
        $0 += 1; return $0
      }
    }
  }

  private let address = "--endpoint http://h"

  @Test("On a terminal its lines have the list's place in bold, and are broken")
  func colored() {
    let world = Self.world(failing: 1)
    world.set {
      $0.columns = 60
      $0.variables = ["TERM": "xterm"]
    }
    let run = world.run("replay --test a.jsonl --retry 1 --retry-interval 250ms \(address)")
    #expect(
      run.err == """
        \u{1B}[1ma.jsonl:2:\u{1B}[0m no answer (no such host: h); asked again after
          0.25s (1 of 1)

        """, "\(run)")
  }

  @Test("Without it a step is asked once")
  func never() {
    let world = Self.world(failing: 1)
    #expect(world.run("replay -q a.jsonl \(address)").code == .expectationFailed)
    #expect(world.takeLog().filter { $0 == "send" }.count == 1)
  }

  @Test("A step is asked again until its answer comes; each try is reported")
  func again() {
    let world = Self.world(failing: 2)
    let result = world.run("replay --test a.jsonl --retry 3 --retry-interval 250ms \(address)")
    #expect(
      result
        == Consequences(
          out: """
            ok    a.jsonl  2 steps, 1 expectation, 0 failed; 1 of 1 updates succeeded
            1 file, 2 steps, 1 expectation, 0 failed; 1 of 1 updates succeeded; 0 ms

            """,
          err: """
            a.jsonl:2: no answer (no such host: h); asked again after 0.25s (1 of 3)
            a.jsonl:2: no answer (no such host: h); asked again after 0.25s (2 of 3)

            """))
    #expect(world.takeLog().filter { !$0.hasPrefix("read") } == ["send", "sleep 0.25", "send", "sleep 0.25", "send"])
  }

  @Test("After the last try its result counts")
  func last() {
    let world = Self.world(failing: 9)
    let result = world.run("replay -q a.jsonl --retry 2 \(address)")
    #expect(result.code == .expectationFailed)
    #expect(result.err.hasPrefix("a.jsonl:2: expectation failed: outcome\n"))
    #expect(world.takeLog().filter { !$0.hasPrefix("read") } == ["send", "sleep 1.0", "send", "sleep 1.0", "send"])
  }

  @Test("An answer that is not the expected one is asked for again, on the phone as it was before")
  func unexpected() {
    let list =
      #"{"op":"register"}"# + "\n"
      + #"{"op":"session","expect":{"details.skan_current_conversion_value":"7","details.prev_fine_value":"0"}}"#
    let other = HTTPExchange(HTTPResponse(body: Array(#"{"conversion_value":3}"#.utf8)), url: "http://h")
    let result = Self.world(failing: 1, .success(other), list: list).run("replay -q a.jsonl --retry 1 \(address)")
    #expect(result == Consequences())
    let reported = Self.world(failing: 1, .success(other), list: list).run("replay --test a.jsonl --retry 1 \(address)")
    #expect(
      reported.err
        == "a.jsonl:2: details.skan_current_conversion_value is not as expected; asked again after 1s (1 of 1)\n")
  }

  @Test("A leaked lock of a try that is asked again is not there the next time")
  func leaked() {
    let illegal = HTTPExchange(HTTPResponse(body: Array(#"{"conversion_value":64}"#.utf8)), url: "http://h")
    #expect(Self.world(failing: 1, .success(illegal)).run("replay -q a.jsonl --retry 1 \(address)") == Consequences())
  }

  @Test("A step with its own answer, or one that sends nothing, is not asked again")
  func own() {
    let list =
      #"{"op":"session","expect":{"outcome":"updated"}}"# + "\n" + #"{"op":"register"}"# + "\n"
      + #"{"op":"session","answer":{"error":"gone"},"expect":{"outcome":"updated"}}"#
    let world = Self.world(failing: 0, list: list)
    #expect(world.run("replay -q a.jsonl --retry 5 \(address)").code == .expectationFailed)
    #expect(world.takeLog().filter { !$0.hasPrefix("read") } == [])
  }

  @Test("What --label leaves out is asked again only where no answer came")
  func label() {
    let list =
      #"{"op":"register"}"# + "\n" + #"{"op":"session","expect":{"outcome":"blocked"}}"# + "\n"
      + #"{"op":"session","label":"x"}"#
    let world = Self.world(failing: 1, list: list)
    #expect(world.run("replay -q a.jsonl --retry 5 --label x \(address)") == Consequences())
    #expect(world.takeLog().filter { $0 == "send" }.count == 3)
  }

  @Test(
    "Refused",
    arguments: [
      ("--retry 1", "--retry goes with an --endpoint that can fail"),
      ("--retry -1 --endpoint http://h", "--retry must be from 0 to 1000, it is -1"),
      ("--retry 1001 --endpoint http://h", "--retry must be from 0 to 1000, it is 1001"),
      ("--retry x --endpoint http://h", "--retry must be a whole number, it is \"x\""),
    ])
  func refused(options: String, words: String) {
    #expect(Self.world(failing: 0).run("replay a.jsonl \(options)") == .usage(words, command: "replay"))
  }
}
