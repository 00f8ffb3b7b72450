import Foundation
import SKANDevice
import SKANHTTP
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The executable and a receiver of postbacks", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct DeliveryExecutableTests {
  /// A phone whose first postback left on 2026-01-04.
  private static func phone() throws -> Workspace { try Workspace.registered() }

  private static func send(_ workspace: Workspace, _ url: String, _ options: String...) throws -> Workspace.Run {
    try workspace.run(["postbacks", "--at", "+4d", "--send", url] + options)
  }

  private static let body =
    #"{"ad-network-id":"com.example","app-id":525463029,"conversion-value":0,"did-win":true,"fidelity-type":1,"#
    + #""postback-sequence-index":0,"redownload":false,"source-app-id":1234567891,"source-identifier":"5239","#
    + #""transaction-id":"52edafaf-74e6-4d8b-b44f-c447f6d49c36","version":"4.0"}"#

  @Test("A POST of the JSON that is shown, and a header that says that it is simulated")
  func request() throws {
    let server = try TestServer { _ in .status(200) }
    defer { server.stop() }
    let run = try Self.send(Self.phone(), server.url("/postback?id=7"))
    #expect(run.code == 0 && run.err.isEmpty)
    #expect(run.out.contains("    simulated, unsigned: \(Self.body)\n"))
    #expect(run.out.contains("  to the ad network at \(server.url("/postback")): HTTP 200\n"))
    let requests = server.requests
    #expect(requests.map(\.method) == ["POST", "POST"])
    #expect(requests.map(\.target) == ["/postback?id=7", "/.well-known/skadnetwork/report-attribution/"])
    #expect(requests.map { $0.header("X-SKAN-Simulated") } == ["network", "developer"])
    for request in requests {
      #expect(String(decoding: request.body, as: UTF8.self) == Self.body)
      #expect(request.header("Content-Type") == "application/json")
      #expect(request.header("Content-Length") == "\(Self.body.utf8.count)")
    }
  }

  @Test("Other answers than 200: 76; a redirect is not followed", arguments: [204, 301, 307, 404, 500])
  func status(status: Int) throws {
    let server = try TestServer { _ in
      status / 100 == 3 ? .redirect(status, to: "/elsewhere") : .status(status)
    }
    defer { server.stop() }
    let run = try Self.send(Self.phone(), server.url("/postback"), "--developer", "none")
    #expect(run.code == 76)
    #expect(run.out.contains(": HTTP \(status)\n"))
    #expect(server.requests.map(\.path) == ["/postback"])
  }

  @Test("Nothing listens, or nothing that speaks HTTP: 69, and the attempt is kept")
  func nobody() throws {
    let gone = try TestServer { _ in .status(200) }
    gone.stop()
    let closing = try TestServer { _ in .closed }
    defer { closing.stop() }
    let slow = try TestServer { _ in .delayed(30, .status(200)) }
    defer { slow.stop() }
    for (server, options) in [(gone, []), (closing, []), (slow, ["--max-time", "200ms"])] {
      let workspace = try Self.phone()
      let run = try workspace.run(
        ["postbacks", "--at", "+4d", "--send", server.url(), "--developer", "none"] + options)
      #expect(run.code == 69)
      #expect(run.out.contains("\n    2026-01-04T17:09:26Z  to the ad network at \(server.url())"))
      #expect(workspace.state?.contains(#""recipient": "network""#) ?? false)
      let again = try workspace.run(["postbacks", "--at", "+4d", "--send", server.url(), "--developer", "none"])
      #expect(again.code == 69, "no second attempt before its day, and the first did not arrive")
    }
  }

  @Test("Signed bodies verify as they came", .enabled(if: World.canCheckSignatures))
  func signed() throws {
    let server = try TestServer { _ in .status(200) }
    defer { server.stop() }
    let workspace = try Self.phone()
    let path = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
    try workspace.write("key.pem", SigningKey.privatePEM)
    let run = try workspace.run(
      ["postbacks", "--at", "+4d", "--sign", "key.pem", "--send", server.url()], environment: path)
    #expect(run.code == 0)
    let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies.count == 2 && bodies[0] == bodies[1] && run.out.contains(bodies[0]))
    for (name, key, code) in [("its own", SigningKey.publicBase64, Int32(0)), ("Apple's", nil, 1)] {
      let verdict = try workspace.run(
        ["verify", "-"] + (key.map { ["--key", $0] } ?? []), environment: path, input: "\(bodies[0])\n")
      #expect(verdict.code == code, "\(name)")
    }
    let altered = bodies[0].replacing("\"app-id\":525463029", with: "\"app-id\":525463028")
    #expect(
      try workspace.run(["verify", "-", "--key", SigningKey.publicBase64], environment: path, input: altered).code == 1)
  }

  @Test("Several at once: each postback arrives once")
  func atOnce() throws {
    let server = try TestServer { _ in .delayed(0.2, .status(200)) }
    defer { server.stop() }
    let workspace = try Self.phone()
    let all = try (0..<3).map { _ in try workspace.start(["postbacks", "--at", "+4d", "--send", server.url(), "-q"]) }
    for running in all { #expect(running.end() == Workspace.Run(code: 0, out: "", err: "")) }
    #expect(server.requests.count == 2)
  }

  @Test("An interrupt while the answer is awaited: 130, and an attempt all the same")
  func interrupt() throws {
    let server = try TestServer { _ in .delayed(30, .status(200)) }
    defer { server.stop() }
    let workspace = try Self.phone()
    let running = try workspace.start(["postbacks", "--at", "+4d", "--send", server.url(), "--max-time", "20s"])
    TestTime.wait { !server.requests.isEmpty }
    running.interrupt()
    let words = "skan: interrupted; what was done before is saved in skan-state.json\n"
    let end = running.end()
    #expect(end.code == 130 && end.out.isEmpty && end.err.hasSuffix("\n\(words)"), "\(end)")
    #expect(workspace.state?.contains(#""error": "interrupted before an answer came""#) ?? false)
    #expect(try workspace.names() == ["skan-state.json"])
  }
}
