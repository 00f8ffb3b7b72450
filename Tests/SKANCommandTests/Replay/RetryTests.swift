import SKANCommand
import SKANHTTP
import Synchronization
import Testing

@testable import SKANCommandLine

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
