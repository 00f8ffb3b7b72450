import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("A replay that a person watches")
struct WatchedReplayTests {
  private static let list = """
    {"op":"register"}
    {"op":"session"}
    {"op":"session"}

    """
  private static let clear = "\r\u{1B}[K"

  /// A world whose endpoint takes a second for each answer.
  private func world() -> World {
    let world = World { $0.isTerminal = true }
    world["a.jsonl"] = Self.list
    world.set {
      $0.network = { [unowned world] url, _ in
        world.set { $0.now = Instant(microseconds: $0.now.microseconds + 1_000_000) }
        return .success(HTTPExchange(HTTPResponse(body: Array(#"{"status":"ok"}"#.utf8)), url: url))
      }
    }
    return world
  }

  /// What was drawn, without the marks that clear the line.
  private func drawings(_ run: Consequences) -> [String] {
    run.err.components(separatedBy: Self.clear).filter { !$0.isEmpty }
  }

  @Test("Of a remote endpoint the bar is drawn after each answer, and is gone at the end")
  func bar() {
    let run = world().run("replay --test a.jsonl --endpoint http://h")
    #expect(run.code == .ok)
    #expect(
      drawings(run) == [
        // Of so short a list all is read before the first answer.
        "[########################] 100%  2.0 steps/s  0s left",
        "[########################] 100%  1.5 steps/s  0s left",
      ])
    #expect(run.err.hasSuffix(Self.clear))
  }

  @Test("Messages take its place and it comes back")
  func message() {
    let world = world()
    world["a.jsonl"] = Self.list.replacing(
      "{\"op\":\"session\"}", with: "{\"op\":\"session\",\"expect\":{\"window\":2}}")
    let run = world.run("replay --test a.jsonl --endpoint http://h")
    #expect(run.code == .expectationFailed)
    let parts = drawings(run)
    #expect(parts.count == 4 && parts[0].hasPrefix("a.jsonl:2: expectation failed: window\n"), "\(parts)")
    #expect(parts.dropFirst().first?.hasPrefix("[####") ?? false, "\(parts)")
  }

  @Test("A try that is made again is no step")
  func retry() {
    let world = world()
    world.set {
      $0.network = { [unowned world] _, _ in
        world.set { $0.now = Instant(microseconds: $0.now.microseconds + 1_000_000) }
        return .failure(.noSuchHost)
      }
    }
    let run = world.run("replay --test a.jsonl --endpoint http://h --retry 1 --retry-interval 250ms")
    #expect(run.out.hasPrefix("FAIL  a.jsonl  3 steps, "))
    #expect(
      drawings(run).map { $0.prefix { $0 != "\n" } } == [
        "a.jsonl:2: no answer (no such host: h); asked again after 0.25s (1 of 1)",
        "[########################] 100%  1.0 steps/s  0s left",
        "a.jsonl:3: no answer (no such host: h); asked again after 0.25s (1 of 1)",
        "[########################] 100%  0.8 steps/s  0s left", "Try 'skan explain exit-69'.",
      ])
  }

  @Test("With -v the requests of each try are shown")
  func verboseRetry() {
    let world = world()
    world.fail(.noSuchHost)
    let run = world.run("replay -v a.jsonl --endpoint http://h --retry 1 --retry-interval 250ms")
    #expect(run.err.components(separatedBy: "> GET http://h/api/v2/conversion_value").count == 5, "\(run.err)")
  }

  @Test(
    "Without a terminal, quiet, and beside steps that a pager shows there is none", arguments: ["-q", "--test", ""])
  func none(option: String) {
    let world = world()
    world.set { $0.isPiped = true }
    if option == "--test" { world.set { $0.isTerminal = false } }
    let run = world.run("replay \(option) a.jsonl --endpoint http://h")
    #expect(run.code == .ok && !run.err.contains(Self.clear))
  }

  @Test("One list on two threads prints what it prints unwatched", arguments: ["-q", "--test", "--summary"])
  func divided(mode: String) {
    let phones = (0..<3000).map {
      "{\"op\":\"device\",\"device\":\"p\($0)\"}\n{\"op\":\"register\",\"device\":\"p\($0)\"}\n"
    }
    let world = World { $0.isTerminal = true }
    world["many.jsonl"] = phones.joined()
    let watched = world.run("replay \(mode) --jobs 2 many.jsonl")
    world.set { $0.isTerminal = false }
    #expect(world.run("replay \(mode) --jobs 2 many.jsonl") == watched)
    #expect(watched.code == .ok && watched.err.isEmpty)
  }

  @Test("An output that cannot be written ends it, with its bar away", arguments: [1, 2])
  func outputFails(jobs: Int) {
    let world = World {
      $0.isTerminal = true
      $0.outputFailure = .outputFailed(reason: "No space left on device")
    }
    world["a.jsonl"] = Self.list
    world["wrong.jsonl"] = "{\"op\":\"sesion\"}\n"
    let message = "skan: cannot write the output: No space left on device\n"
    for lists in ["a.jsonl", "a.jsonl wrong.jsonl"] {
      let run = world.run("replay --test --jobs \(jobs) \(lists)")
      #expect(run.code == .cannotWrite && run.err.contains(message), "\(run)")
    }
    #expect(world.run("replay --jobs \(jobs) a.jsonl") == Consequences(.cannotWrite, err: message))
  }
}
