import Foundation
import SKANCommand
import SKANHTTP
import Synchronization
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("The executable and a server", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct EndpointTests {
  /// What a session comes to when the server answers like this.
  private func session(
    _ response: TestServer.Response, _ options: String...
  ) throws -> (run: Workspace.Run, changes: [String], port: Int) {
    let server = try TestServer { _ in response }
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let before = workspace.files
    let run = try workspace.run(["session", "--endpoint", server.url()] + options)
    return (run, Changes.between(before, workspace.files), server.port)
  }

  private let body = "{\"conversion_value\":7,\"status\":\"ok\"}"

  @Test(
    "Answers that arrive",
    arguments: [
      (.status(200, body: #"{"conversion_value":7}"#), "outcome=updated", 0),
      (.status(500, body: #"{"conversion_value":7}"#), "answer.status=500", 0),
      (.status(200, body: #"{"status":"ok"}"#), "outcome=no-update", 0),
      (.status(204), "answer={\"status\":204,\"text\":\"\"}", 76),
      (.status(404, body: "<html>"), "answer={\"status\":404,\"text\":\"<html>\"}", 76),
      (
        .status(500, body: #"{"status":"error","reason":"Unknown platform error"}"#),
        "handler.error=Unknown platform error", 76
      ),
      (.chunked(["{\"conversion", "_value\":7", ",\"status\":\"ok\"}"]), "handler.fine=7", 0),
      (.gzip(), "handler.fine=7", 0), (.drip("{\"conversion_value\":7}", every: 0.005), "handler.fine=7", 0),
      (.status(200, bytes: [0xFF, 0xFE]), "answer.base64=//4=", 76),
    ] as [(TestServer.Response, String, Int32)])
  func answers(response: TestServer.Response, expectation: String, code: Int32) throws {
    let (run, changes, _) = try session(response, "-q", "--expect", expectation)
    #expect(run.code == code && run.out.isEmpty)
    // An exit code other than 0 says why.
    #expect(run.err.isEmpty == (code == 0) && run.err.count { $0 == "\n" } == (code == 0 ? 0 : 1), "\(run)")
    // Nothing is kept of what is no answer.
    if code != 0 { #expect(changes == []) }
  }

  @Test(
    "No answer: 69, reported with the address, and the file keeps its values",
    arguments: [
      (.closed, "the server closed the connection without an answer: http://127.0.0.1:PORT/api/v2/conversion_value"),
      (.raw("SSH-2.0-OpenSSH_9.6\r\n"), "the answer is not HTTP: http://127.0.0.1:PORT/api/v2/conversion_value"),
      (
        .truncated("{\"conversion_value\":7}", missing: 5),
        "the answer broke off before its end: http://127.0.0.1:PORT/api/v2/conversion_value"
      ),
      (
        .gzip([0x1F, 0x8B, 0, 0]), "the answer's body cannot be unpacked: http://127.0.0.1:PORT/api/v2/conversion_value"
      ),
      (
        .redirect(to: "http://localhost/other"),
        "redirect to http://localhost/other refused: the query, with the SDK key, goes to no other address than "
          + "http://127.0.0.1:PORT/api/v2/conversion_value"
      ),
    ] as [(TestServer.Response, String)])
  func failures(response: TestServer.Response, words: String) throws {
    let (run, changes, port) = try session(response, "--expect", "outcome=transport-error")
    let reported = words.replacing("PORT", with: "\(port)")
    #expect(
      run
        == Workspace.Run(
          code: 69,
          out: "transport-error    No answer came (\(reported)); nothing changes and the handler gets the error.\n",
          err: "skan: exit code 69: an address cannot be reached or used, or a program is missing\n"
        ))
    #expect(changes == [])
  }

  @Test("An answer that breaks off in its head")
  func brokenHead() throws {
    let (run, changes, _) = try session(.raw("HTTP/1.1 200 OK\r\nContent-Le"))
    #expect(run.code == 69, "\(run)")
    #expect(changes == [])
  }

  @Test("Nothing listens")
  func refused() throws {
    let server = try TestServer { _ in .closed }
    server.stop()
    let workspace = try Workspace.registered()
    let run = try workspace.run(["session", "--endpoint", server.url(), "-q", "--json", "--expect", "window=0"])
    let words = "could not connect to 127.0.0.1:\(server.port): connection refused"
    #expect(run.code == 69 && run.out.isEmpty, "\(run)")
    #expect(run.err.hasPrefix("skan: transport-error: No answer came (\(words))"), "\(run)")
    #expect(
      try workspace.run(["session", "--endpoint", server.url(), "-q", "--expect", "handler.error=\(words)"]).code == 69)
  }

  @Test("--max-time bounds the whole exchange, below a second too")
  func slow() throws {
    let began = ContinuousClock.now
    let (run, _, port) = try session(.delayed(20, .status(200)), "--max-time", "300ms")
    #expect(began.duration(to: .now) < .seconds(10))
    #expect(run.code == 69)
    #expect(run.out.contains("(no answer within 0.3 s from http://127.0.0.1:\(port)/api/v2/conversion_value)"))
    #expect(try session(.delayed(0.2, .status(200, body: body)), "--max-time", "10s", "-q").run.code == 0)
  }

  @Test("A redirect on the same host is followed")
  func redirect() throws {
    let server = try TestServer { request in
      request.path == "/else"
        ? .status(200, body: "{\"conversion_value\":9}") : .redirect(307, to: "/else?\(request.query)")
    }
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let run = try workspace.run(["session", "--endpoint", server.url(), "-q", "--expect", "handler.fine=9"])
    #expect(run == Workspace.Run(code: 0, out: "", err: ""))
    #expect(server.requests.map(\.path) == ["/api/v2/conversion_value", "/else"])
  }

  @Test("A proxy of the environment is not asked for loopback")
  func proxy() throws {
    let server = try TestServer { _ in .status(200, body: "{\"conversion_value\":7}") }
    defer { server.stop() }
    for host in ["127.0.0.1", "localhost"] {
      let workspace = try Workspace.registered()
      let run = try workspace.run(
        ["session", "--endpoint", "http://\(host):\(server.port)", "-q", "--expect", "handler.fine=7"],
        environment: ["http_proxy": "http://127.0.0.1:9", "all_proxy": "http://127.0.0.1:9", "no_proxy": "example.com"])
      #expect(run == Workspace.Run(code: 0, out: "", err: ""))
    }
  }
}

@Suite("The executable and an endpoint that means harm", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct HostileEndpointTests {
  private static let key = "Zq7k2Fx9y8z"

  @Test(
    "--max-time bounds what never ends, and the next run finds the phone free",
    arguments: [.trailers(nil), .trailers(20_000), .endlessRedirect(to: "/else")] as [TestServer.Response])
  func deadline(response: TestServer.Response) throws {
    let server = try TestServer { _ in response }
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let run = try workspace.run(["session", "--endpoint", server.url(), "--max-time", "1s"])
    #expect(run.code == 69, "\(run)")
    #expect(run.out.hasPrefix("transport-error "))
    #expect(try workspace.run(["session", "--lock-timeout", "100ms"]).code == 0)
  }

  @Test(
    "Signals end it", .disabled(if: Sanitizer.isActive, "what a sanitizer keeps of freed memory is beyond the limit"),
    arguments: [SIGINT, SIGTERM])
  func signals(signal: Int32) throws {
    let asked = DispatchSemaphore(value: 0)
    let server = try TestServer { _ in
      asked.signal()
      return .endlessRedirect(to: "/else")
    }
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let running = try workspace.start(["session", "--endpoint", server.url(), "--max-time", "1h"])
    #expect(asked.wait(timeout: .now() + TestTime.patience) == .success)
    running.interrupt(signal)
    #expect(running.end() == Workspace.Run(code: 130, out: "", err: "skan: interrupted\n"))
    #expect(try workspace.run(["session", "--lock-timeout", "100ms"]).code == 0)
  }

  @Test("--max-answer")
  func limit() throws {
    let server = try TestServer { _ in .huge(2000) }
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let run = try workspace.run(["session", "--endpoint", server.url(), "--max-answer", "1KiB"])
    #expect(run.code == 69)
    #expect(run.out.contains("(the answer is larger than 1024 bytes (--max-answer): \(server.url())api/v2"), "\(run)")
    #expect(try workspace.run(["session", "--endpoint", server.url(), "--max-answer", "2000", "-q"]).code == 76)
    let twin = try workspace.run(["session", "--endpoint", server.url(), "-q"], environment: ["SKAN_MAX_ANSWER": "9B"])
    #expect(twin.code == 69)
  }

  @Test("-v shows the first 64 KiB of a body")
  func verbose() throws {
    let server = try TestServer { _ in .huge(100_000) }
    defer { server.stop() }
    let run = try Workspace.registered().run(["session", "--endpoint", server.url(), "-v"])
    let body = run.err.split(separator: "\n").first { $0.hasPrefix("< x") }
    #expect(body?.count == 65538)
    #expect(run.err.contains("\n* the first 64 KiB of 100000 bytes are shown\n"))
  }

  @Test("An answer that breaks off in its head fails its own step of a list only")
  func brokenHead() throws {
    let broken = TestServer.Response([.send(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8)), .pause(0.1), .close])
    let server = try TestServer { $0.query.contains("n=bad") ? broken : .status(200, body: #"{"conversion_value":7}"#) }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      "a.jsonl",
      #"""
      {"op":"register","expect":{"outcome":"registered"}}
      {"op":"event","name":"bad","at":"+1m","expect":{"outcome":"transport-error"}}
      {"op":"session","at":"+2m","expect":{"outcome":"updated"}}
      """#)
    let run = try workspace.run(["replay", "a.jsonl", "--endpoint", server.url()])
    #expect(run.code == 0, "\(run)")
  }

  #if os(Linux)
    @Test("The process that sends requests shows no key and does not outlive its parent")
    func helper() throws {
      let asked = DispatchSemaphore(value: 0)
      let server = try TestServer { _ in
        asked.signal()
        return .trailers(nil)
      }
      defer { server.stop() }
      let workspace = try Workspace.registered()
      let running = try workspace.start(
        ["session", "--endpoint", server.url(), "--max-time", "1h"], environment: ["SKAN_SDK_KEY": Self.key])
      #expect(asked.wait(timeout: .now() + TestTime.patience) == .success)
      let children = try text("/proc/\(running.id)/task/\(running.id)/children")
      let helper = try #require(Int32(children.trimmingCharacters(in: .whitespaces)))
      #expect(try text("/proc/\(helper)/cmdline") == "skan-http\0")
      #expect(try !text("/proc/\(helper)/environ").contains(Self.key))
      kill(running.id, SIGKILL)
      _ = running.end()
      #expect(TestTime.wait { kill(helper, 0) != 0 })
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }
  #endif

  @Test("A lock file that is removed while the request is under way: 75, and nothing is saved")
  func lostLock() throws {
    let workspace = try Workspace.registered()
    let server = try TestServer { _ in
      try? FileManager.default.removeItem(at: workspace("skan-state.json.lock"))
      return .status(200, body: #"{"conversion_value":7}"#)
    }
    defer { server.stop() }
    let before = workspace.state
    let run = try workspace.run(["session", "--endpoint", server.url()])
    #expect(run.code == 75, "\(run)")
    #expect(workspace.state == before)
  }

  @Test("A missing skan-http is said before anything is read, and one that is started by hand says what it is")
  func missingHelper() throws {
    let workspace = try Workspace()
    let program = workspace("bin/skan")
    try FileManager.default.createDirectory(at: workspace("bin"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: Workspace.executable, to: program)
    let run = try workspace.start(["session", "--endpoint", "http://127.0.0.1:9"], program: program).end()
    #expect(run.code == 69, "\(run)")
    let places = HelperProtocol.places(besideProgramIn: workspace("bin").path)
    #expect(
      run.err == "skan: cannot start skan-http, which sends requests: there is none at \(places[0]) or \(places[1]); "
        + "install skan again\n")
  }
}

@Suite("Endpoints")
struct NetworkTests {
  /// What the network is asked by a session of a phone with this endpoint.
  private func asked(_ endpoint: String, _ options: String = "", key: String? = nil) -> [String] {
    let urls = Mutex<[String]>([])
    let world = World.registered(options)
    let log: @Sendable (String, Double) -> Void = { url, seconds in
      urls.withLock {
        $0.append("\(url.prefix { $0 != "?" }) \(url.firstMatch(of: /a=[^&]*/)?.output ?? "") \(seconds)")
      }
    }
    world.set {
      $0.variables["SKAN_SDK_KEY"] = key
      $0.network = { url, seconds in
        log(url, seconds)
        return .failure(.noSuchHost)
      }
    }
    world.run("session --endpoint \(endpoint)")
    return urls.withLock { $0 }
  }

  @Test(
    "Addresses",
    arguments: [
      ("embedded", "skan4", nil), ("testing", "skan4", "https://skadnetwork-testing.singular.net/api/v1"),
      ("testing", "skan3", "https://skadnetwork-testing.singular.net/api/v1"),
      ("production", "skan4", "https://sdk-api-v1.singular.net/api/v2"),
      ("production", "skan4-beta", "https://sdk-api-v1.singular.net/api/v2"),
      ("production", "skan3", "https://sdk-api-v1.singular.net/api/v1"),
      ("http://localhost:8080", "skan4", "http://localhost:8080/api/v2"),
      ("http://localhost:8080/", "skan3", "http://localhost:8080/api/v1"),
      ("https://h/base/", "skan4-beta", "https://h/base/api/v2"),
      ("https://h/x/conversion_value", "skan3", "https://h/x"),
      ("https://h/api/v1/conversion_value", "skan4", "https://h/api/v1"),
    ] as [(String, String, String?)])
  func addresses(endpoint: String, snippet: String, base: String?) {
    let key = endpoint == "testing" ? "YOUR_SDK_KEY" : "secret"
    let expected = base.map { ["\($0)/conversion_value a=\(key) 10.0"] } ?? []
    #expect(asked(endpoint, "--snippet \(snippet)", key: "secret") == expected)
  }

  @Test("Without a key the placeholder goes out, to production nothing")
  func placeholder() {
    #expect(asked("http://h").first?.contains(" a=YOUR_SDK_KEY ") == true)
    #expect(asked("testing").first?.contains(" a=YOUR_SDK_KEY ") == true)
    #expect(asked("production") == [])
    #expect(asked("production", key: "") == [])
    #expect(asked("http://h", key: "a&b=é +").first?.contains(" a=a%26b%3D%C3%A9%20+ ") == true)
  }

  @Test("--max-time", arguments: [("300ms", "0.3"), ("1m1s", "61.0")])
  func maxTime(text: String, seconds: String) {
    #expect(asked("http://h --max-time \(text)").first?.hasSuffix(" \(seconds)") == true)
  }

  @Test("The transport's error is reported in our words, and reaches the handler")
  func failure() {
    let world = World.registered()
    world.fail(.connectionRefused(proxy: nil))
    let words = "could not connect to localhost:9: connection refused"
    #expect(
      world.run("session --endpoint http://localhost:9 --expect", "handler.error=\(words)")
        == Consequences(
          .unavailable,
          out: "transport-error    No answer came (\(words)); nothing changes and the handler gets the error.\n",
          err: "skan: exit code 69: an address cannot be reached or used, or a program is missing\n"))
  }

  @Test("An interrupt ends without a change")
  func interrupted() {
    let world = World.registered()
    world.fail(.interrupted)
    let interrupted = Consequences(.interrupted, err: "skan: interrupted\n")
    #expect(world.run("event a --revenue 5 --currency USD --endpoint http://h") == interrupted)
    #expect(world.takeLog().contains { $0.hasPrefix("replace") } == false)
    world.set { $0.isInterrupted = true }
    #expect(world.run("session") == interrupted)
    world["a.jsonl"] = "{\"op\":\"details\"}\n"
    #expect(world.run("replay a.jsonl") == interrupted)
  }

  @Test("The status is not looked at, the body is")
  func status() {
    let world = World.answering("{\"conversion_value\":4}", status: 500)
    #expect(world.run("session --endpoint http://h -q --expect answer.status=500 --expect outcome=updated").code == .ok)
  }
}
