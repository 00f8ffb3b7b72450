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
