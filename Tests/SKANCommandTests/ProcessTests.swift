import Foundation
import SKANCommand
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("Several runs on one device file", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ConcurrencyTests {
  @Test("60 at once lose nothing")
  func revenue() throws {
    let workspace = try Workspace.registered()
    let runs = try (1...60).map { _ in try workspace.start(["revenue", "0.25", "USD", "-q"]) }
    for run in runs { #expect(run.end() == Workspace.Run(code: 0, out: "", err: "")) }
    let details = try workspace.run(["details", "--expect", "details.skan_total_revenue_by_currency={\"USD\":15}"])
    #expect(details.code == 0)
    #expect(try workspace.names() == ["skan-state.json"])
  }

  @Test("Two installs at once: one wins, one is reported")
  func install() throws {
    let workspace = try Workspace()
    let runs = try (1...8).map { _ in try workspace.start(["install", "-q"]) }
    #expect(runs.map { $0.end().code }.sorted() == [0] + Array(repeating: 73, count: 7))
  }

  /// A session that waits for its answer, the lock held.
  private func waiting(in workspace: Workspace, for server: TestServer) throws -> Workspace.Running {
    let running = try workspace.start(["session", "--endpoint", server.url(), "--max-time", "30s"])
    for _ in 1...1000 where server.requests.isEmpty { Thread.sleep(forTimeInterval: 0.01) }
    try #require(server.requests.count == 1)
    return running
  }

  @Test("The lock is held over the network call; one that waits in vain names the holder")
  func held() throws {
    let server = try TestServer { _ in .delayed(20, .status(200)) }
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let before = workspace.state
    let running = try waiting(in: workspace, for: server)
    let second = try workspace.run(["revenue", "1", "USD", "--lock-timeout", "100ms"])
    #expect(second.code == 75 && second.out == "")
    #expect(second.err.hasPrefix("skan: skan-state.json is in use by process \(running.id); waited 0."))
    #expect(second.err.hasSuffix(" s (--lock-timeout)\n"))
    #expect(try workspace.run(["details", "-q"]).code == 0, "details takes no lock")
    running.interrupt()
    #expect(running.end() == Workspace.Run(code: 130, out: "", err: "skan: interrupted\n"))
    #expect(workspace.state == before, "byte for byte")
    // The lock is free again.
    #expect(try workspace.run(["revenue", "1", "USD", "-q", "--lock-timeout", "0s"]).code == 0)
  }

  @Test("An interrupt ends the waiting for the lock too")
  func interruptedWaiting() throws {
    let server = try TestServer { _ in .delayed(20, .status(200)) }
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let first = try waiting(in: workspace, for: server)
    let second = try workspace.start(["relaunch"])
    Thread.sleep(forTimeInterval: 0.3)
    second.interrupt()
    #expect(second.end() == Workspace.Run(code: 130, out: "", err: "skan: interrupted\n"))
    first.interrupt()
    #expect(first.end().code == 130)
  }

  @Test("The second goes on when the first is done")
  func queue() throws {
    let server = try TestServer { _ in .delayed(0.3, .status(200, body: "{\"conversion_value\":5}")) }
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let first = try waiting(in: workspace, for: server)
    let second = try workspace.start(["event", "a", "-q", "--expect", "query.skan_current_conversion_value=5"])
    #expect(first.end().code == 0)
    #expect(second.end() == Workspace.Run(code: 0, out: "", err: ""))
  }
}

@Suite("Signals", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct InterruptTests {
  @Test("An interrupt while a named pipe has no writer yet")
  func unopenedPipe() throws {
    let workspace = try Workspace()
    try #require(mkfifo(workspace("pipe").path, 0o600) == 0)
    let running = try workspace.start(["replay", "pipe"])
    Thread.sleep(forTimeInterval: 0.5)
    running.interrupt()
    #expect(running.end() == Workspace.Run(code: 130, out: "", err: "skan: interrupted\n"))
  }

  @Test("Reports of a list from a pipe that waits")
  func reports() throws {
    let workspace = try Workspace()
    try #require(mkfifo(workspace("pipe").path, 0o600) == 0)
    let running = try workspace.start(["replay", "pipe", "--report-tap", "r.tap"])
    // Opening it waits for the reader.
    let writer = open(workspace("pipe").path, O_WRONLY)
    try #require(writer >= 0)
    defer { close(writer) }
    let line = Array("{\"op\":\"register\"}\n".utf8)
    #expect(write(writer, line, line.count) == line.count)
    Thread.sleep(forTimeInterval: 0.5)
    running.interrupt()
    #expect(running.end().code == 130)
    let report = try String(contentsOf: workspace("r.tap"), encoding: .utf8)
    #expect(report == "TAP version 14\n1..1\nok 1 - pipe:1 register\nBail out! interrupted\n")
  }

  @Test("An interrupt while an expectation's regular expression is searched for")
  func search() throws {
    let workspace = try Workspace()
    let label = String(repeating: "a", count: 60) + "!"
    let line = #"{"op":"register","label":"\#(label)","expect":{"label":{"$matches":"^(a+)+$"}}}"# + "\n"
    try #require(mkfifo(workspace("pipe").path, 0o600) == 0)
    let running = try workspace.start(["replay", "pipe"])
    // Opening it waits for the reader, which listens to signals by then.
    let writer = open(workspace("pipe").path, O_WRONLY)
    try #require(writer >= 0)
    defer { close(writer) }
    #expect(write(writer, line, line.utf8.count) == line.utf8.count)
    Thread.sleep(forTimeInterval: 0.5)
    running.interrupt()
    #expect(running.end() == Workspace.Run(code: 130, out: "", err: "skan: interrupted\n"))
  }

  @Test("An interrupt after the phone is saved says that it is")
  func searchAfterSaving() throws {
    let workspace = try Workspace()
    #expect(try workspace.run(["register", "-q"]).code == 0)
    let before = workspace.state
    let name = String(repeating: "a", count: 60) + "!"
    let running = try workspace.start([
      "event", name, "--answer", #"{"json":{"conversion_value":5}}"#, "--expect",
      #"request.query.n={"$matches":"^(a+)+$"}"#,
    ])
    TestTime.wait { workspace.state != before }
    Thread.sleep(forTimeInterval: 0.3)
    running.interrupt()
    let run = running.end()
    #expect(run.code == 130 && run.out.hasPrefix("updated"))
    #expect(run.err == "skan: interrupted; what was done before is saved in skan-state.json\n")
  }
}

/// The user stops a command at each moment at which it looks whether that is so.
@Suite("Interrupted")
struct InterruptedTests {
  private static let events = """
    device,time,name,revenue,currency
    a,1767225600,install,,
    a,1767229200,purchase,5,USD
    b,1767225600,install,,
    b,1767312000,tutorial_done,,
    c,1767225600,install,,
    c,1771000000,purchase,9,USD

    """
  private static let list = """
    {"op":"device","device":"a"}
    {"op":"register","device":"a","at":1767225600}
    {"op":"revenue","device":"a","after":"1h","amount":7,"currency":"USD"}
    {"op":"event","device":"a","name":"purchase"}

    """

  private func world() throws -> World {
    let world = try World.withPostbacks()
    world["model.json"] = try Workspace.exampleModel("mixed")
    world["events.csv"] = Self.events
    world["list.jsonl"] = Self.list
    world["received.jsonl"] = ""
    return world
  }

  @Test(
    "Nothing is printed and nothing is written, or all of it",
    arguments: [
      "import --quiet -o out.jsonl events.csv", "import --quiet -o - events.csv", "import --quiet --check events.csv",
      "backtest --model model.json --until 2028-01-01T00:00:00Z events.csv",
      "backtest --model model.json --until 2028-01-01T00:00:00Z --grouped events.csv",
      "backtest --model model.json --until 2028-01-01T00:00:00Z list.jsonl",
      "backtest --model model.json --until 2028-01-01T00:00:00Z --grouped --devices devices.csv list.jsonl",
      "model fit --quiet --values 3 --least-devices 1 --until 2028-01-01T00:00:00Z --events purchase events.csv",
      "model fit --quiet --values 3 --least-devices 1 --until 2028-01-01T00:00:00Z --events purchaze events.csv",
      "timeline list.jsonl", "report received.jsonl",
      "verify --key public.pem 1.json", "receive --key public.pem --into new.jsonl 1.json 2.json",
    ])
  func anyMoment(line: String) throws {
    let whole = try world().run(line)
    // A name that no device has is looked for in the whole input.
    #expect(whole.code == (line.contains("purchaze") ? .badData : .ok), "\(whole)")
    var moments = 0
    while moments < 100_000 {
      let world = try world()
      world.set { $0.looksBeforeInterrupt = moments }
      let run = world.run(line)
      if run == whole { break }
      #expect(run.code == .interrupted && run.out.isEmpty, "\(moments): \(run)")
      // The file of received postbacks is made before the first of them is looked at.
      #expect(run.changes.isEmpty || world["new.jsonl"] == "", "\(moments): \(run)")
      #expect(run.err.hasSuffix("skan: interrupted\n"))
      moments += max(1, moments / 4)
    }
    #expect((1..<100_000).contains(moments))
  }
}

#if os(Linux)
  @Suite("Core files", .timeLimit(.minutes(TestTime.minutes)), .waits)
  struct CoreFileTests {
    /// Whether a crash leaves one in the folder where it happens, as this machine is set up.
    private static let areLeft =
      (try? Workspace()).map { (try? cores(of: "sh -c 'kill -SEGV $$'", in: $0)) == 1 } ?? false

    /// How many there are when a line of the shell has run that ends with a crash; nil where it ended otherwise.
    private static func cores(
      of line: String, in workspace: Workspace, meanwhile body: () throws -> Void = {}
    ) throws -> Int? {
      // The runtime's own handler would go on after a signal from elsewhere.
      let shell = try workspace.startShell(
        "export SWIFT_BACKTRACE=enable=no; ulimit -c unlimited; \(line); echo $? > status")
      try body()
      _ = shell.end()
      return workspace["status"] == "139\n" ? try workspace.names().count { $0.hasPrefix("core") } : nil
    }

    @Test(
      "A program that holds the key leaves none", .enabled(if: areLeft),
      arguments: ["session --endpoint", "session --sdk-key-file key --endpoint", "serve --port 0 --allow-origin"])
    func secret(command: String) throws {
      let workspace = try Workspace.registered()
      try workspace.write("key", "secret_k3y")
      // It takes connections, and answers none.
      let (descriptor, port) = try TestSocket.listen()
      defer { close(descriptor) }
      let key = command == "session --endpoint" ? "SKAN_SDK_KEY=secret_k3y" : ""
      let start = "\(key) \"$SKAN\" \(command) http://127.0.0.1:\(port) > out"
      let line = "\(start) & until [ -e go ]; do sleep 0.1; done; kill -SEGV $!; wait $!"
      let cores = try Self.cores(of: line, in: workspace) {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // It asks, or it listens.
        #expect(
          TestTime.wait { poll(&waiting, 1, 0) > 0 || workspace["out"]?.contains("listening") == true })
        try workspace.write("go", "")
      }
      #expect(cores == 0)
    }

    @Test("A command behind serve leaves one as ever", .enabled(if: areLeft))
    func child() throws {
      #expect(try Self.cores(of: "\"$SKAN\" serve -q -- sh -c 'kill -SEGV $$'", in: Workspace()) == 1)
    }
  }
#endif
