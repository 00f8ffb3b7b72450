import SKANBase
import SKANDevice
import SKANHTTP
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("An exit code other than 0 says why, and 0 says that something was done")
struct EndingTests {
  private static let remote = "--endpoint http://h"
  private static let ok = #"{"status":"ok","conversion_value":1}"#

  @Test(
    "A single session or event that sends no request to an endpoint of the network",
    arguments: [
      ("install", "session"), ("install", "event level"), ("register --ios 13.0", "session"),
      ("register", "session --at +100d"), ("register", "event level --at +100d"),
    ])
  func unsent(phone: String, step: String) {
    let world = World()
    world.run(phone)
    world.answer(Self.ok)
    for form in ["", "-q", "--json"] {
      let run = world.run("\(step) \(Self.remote) \(form)")
      #expect(run.code == .badAnswer && run.err.contains("skan: no request was sent: "), "\(form): \(run)")
    }
    // The phone's own endpoint is no network, and who expects an outcome knows of it.
    #expect(world.run(step).code == .ok)
    #expect(world.run("\(step) \(Self.remote) --expect outcome=updated").code == .expectationFailed)
    let outcome = world.run("\(step) --json").out.firstMatch(of: #/"outcome":"([a-z-]+)"/#)?.1
    #expect(world.run("\(step) \(Self.remote) --expect outcome=\(outcome ?? "")").code == .ok)
  }

  @Test("A session that asks, and steps that never do")
  func sent() {
    let world = World.answering(Self.ok)
    #expect(world.run("session \(Self.remote)").code == .ok)
    #expect(world.run("revenue 5 USD").code == .ok)
    #expect(world.run("details").code == .ok)
  }

  private static let late = #"{"op":"session","at":"+100d"}"# + "\n"
  private static let early = #"{"op":"session","at":"+1h"}"# + "\n"
  private static let register = #"{"op":"register"}"# + "\n"
  private static let alone = #"{"op":"session"}"# + "\n"

  @Test(
    "A list, only if none of its sessions and events asked",
    arguments: [
      (Self.register + Self.late, ExitCode.badAnswer), (Self.register + Self.early + Self.late, .ok),
      (Self.register, .ok), (Self.alone, .badAnswer),
      (Self.register + #"{"op":"session","at":"+100d","expect":{"outcome":"window-over"}}"#, .ok),
      (Self.alone.replacing("}", with: #","answer":{"json":{}}}"#), .ok),
    ] as [(String, ExitCode)])
  func lists(list: String, code: ExitCode) {
    for form in ["", "-q", "--test", "--json", "--summary"] {
      let world = World()
      world["list.jsonl"] = list
      world.answer(Self.ok)
      let run = world.run("replay list.jsonl \(Self.remote) \(form)")
      #expect(run.code == code, "\(form): \(run)")
      let message = "skan: list.jsonl: no request was sent: "
      #expect(run.err.contains(message) == (code == .badAnswer), "\(form): \(run)")
      #expect(world.run("replay list.jsonl \(form)").code == .ok)
    }
  }

  @Test(
    "Exports of nothing, and of nothing that can be used, whatever --max-errors is",
    arguments: [
      ("", ExitCode.noInput), ("device,time,name\n", .noInput), ("device,time,name\na,never,x\n", .badData),
      ("device,time,name\n,2026-01-01T00:00:00Z,x\n", .badData),
    ])
  func exports(text: String, code: ExitCode) throws {
    let world = World()
    world["in.csv"] = text
    world["out.jsonl"] = "before\n"
    world["model.json"] = try Workspace.exampleModel("engagement")
    for command in [
      "import --check", "import --check --json", "import -q --check", "import -o out.jsonl",
      "backtest --model model.json", "backtest --json --model model.json",
    ] {
      for more in ["", "--max-errors unlimited"] {
        let run = world.run("\(command) in.csv \(more)")
        #expect(run.code == code && run.err.contains("skan: "), "\(command) \(more): \(run)")
        #expect(world["out.jsonl"] == "before\n")
      }
    }
    // A part may be empty.
    #expect(world.run("backtest --partial --model model.json in.csv").code == .ok)
  }

  @Test("Revenue of which none has a rate, and of which some has", arguments: [false, true])
  func rates(hasOther: Bool) throws {
    let world = World()
    world["in.csv"] =
      "device,time,name,revenue,currency\na,2026-01-01T00:00:00Z,install,,\na,2026-01-01T01:00:00Z,buy,5,EUR\n"
      + (hasOther ? "a,2026-01-01T02:00:00Z,buy,5,USD\n" : "")
    world["rates.json"] = #"{"GBP":0.8}"#
    world["model.json"] = try Workspace.exampleModel("mixed")
    let code: ExitCode = hasOther ? .ok : .badData
    for command in [
      "import --check --rates rates.json",
      "backtest --model model.json --report-currency USD --until 2026-03-01T00:00:00Z",
    ] {
      let run = world.run("\(command) in.csv --preset plain")
      #expect(run.code == code, "\(command): \(run)")
      #expect(run.err.contains("EUR") == !hasOther, "\(command): \(run)")
    }
    #expect(world.run("import --check in.csv").code == .ok)
  }

  @Test(
    "Answers with bad statuses are counted and judged, from 400 on",
    arguments: [(200, nil), (399, nil), (400, "4xx"), (499, "4xx"), (500, "5xx"), (599, "5xx")] as [(Int, String?)])
  func statuses(status: Int, name: String?) {
    let query = "n=a&p=iOS&i=com.example.app&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334"
    for (path, rule) in [
      ("/api/v1/evt", "failure-not-retried"), ("/api/v1/launch", "failure-not-retried"),
      ("/api/v2/conversion_value", "conversion-error"),
    ] {
      let world = World()
      world["a.log"] = ["00:00:00", "00:10:00"].map { time in
        let (path, status) = time == "00:00:00" ? (path, status) : ("/api/v1/evt", 200)
        return "::1 - - [01/Jan/2026:\(time) +0000] \"GET \(path)?\(query)&t=\(time) HTTP/1.1\" \(status) 5\n"
      }.joined()
      let run = world.run("check a.log")
      #expect(run.out.contains("1 answer of \(name ?? "")") == (name != nil), "\(run)")
      #expect(run.out.contains("[\(rule)]") == (name != nil), "\(path) \(status): \(run)")
      let json = world.run("check --json a.log").out
      #expect(json.contains("\"answers_4xx\":\(name == "4xx" ? 1 : 0),\"answers_5xx\":\(name == "5xx" ? 1 : 0)"))
    }
  }

  @Test("--send to an address without a path goes to Apple's and says so; what does not arrive is told in every form")
  func send() {
    for url in ["http://h:9", "http://h:9/", "http://h:9/own"] {
      for (command, isQuiet) in [
        ("replay list.jsonl", false), ("replay -q list.jsonl", true), ("replay --test list.jsonl", false),
        ("replay --json list.jsonl", false), ("postbacks --at +90d", false), ("postbacks -q --at +90d", true),
      ] {
        let world = World.registered()
        world.run("session --after 1h")
        world["list.jsonl"] = Self.register + Self.early + #"{"op":"details","at":"+90d"}"# + "\n"
        world.set { $0.post = { post in .success(HTTPExchange(HTTPResponse(status: 405), url: post.url)) } }
        let run = world.run("\(command) --send \(url)")
        let path = url.hasSuffix("own") ? "/own" : "/.well-known/skadnetwork/report-attribution/"
        #expect(
          world.posts.contains { $0.recipient == "network" && $0.url == "http://h:9\(path)" }, "\(command) \(url)")
        #expect(run.code == .badAnswer && run.err.contains(" did not arrive, the first "), "\(command): \(run)")
        #expect(run.err.contains("HTTP 405"), "\(command): \(run)")
        #expect(run.err.contains("has no path") == (!isQuiet && !url.hasSuffix("own")), "\(command) \(url): \(run)")
      }
    }
  }
}
