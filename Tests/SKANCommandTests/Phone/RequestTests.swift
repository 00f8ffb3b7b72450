import Foundation
import SKANBase
import SKANCommand
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("What the executable sends", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct RequestTests {
  private func server() throws -> TestServer {
    try TestServer { request in .status(200, body: "{\"status\":\"error\",\"reason\":\"no \(request.target)\"}") }
  }

  @Test(
    "The path",
    arguments: [
      ("", "skan4", "/api/v2/conversion_value"), ("/", "skan4-beta", "/api/v2/conversion_value"),
      ("/", "skan3", "/api/v1/conversion_value"), ("/base/", "skan4", "/base/api/v2/conversion_value"),
      ("/api/v1/conversion_value", "skan4", "/api/v1/conversion_value"),
      ("/mine/conversion_value", "skan3", "/mine/conversion_value"),
    ])
  func path(path: String, snippet: String, asked: String) throws {
    let server = try server()
    defer { server.stop() }
    let workspace = try Workspace.registered("--snippet", snippet)
    #expect(try workspace.run(["session", "-q", "--endpoint", server.url(path)]).code == 76)
    #expect(server.requests.map(\.path) == [asked])
    #expect(server.requests.first?.method == "GET")
    #expect(server.requests.first?.header("Accept") == "application/json")
    #expect(server.requests.first?.header("User-Agent")?.hasPrefix("skan/") == true)
  }

  @Test("The key is on the wire and nowhere else")
  func key() throws {
    let server = try server()
    defer { server.stop() }
    for options in [["-v"], ["--json"], ["--json", "-v", "--expect", "outcome=updated"]] {
      let workspace = try Workspace.registered()
      let run = try workspace.run(
        ["event", "a", "--endpoint", server.url()] + options, environment: ["SKAN_SDK_KEY": "s3cret"])
      #expect(server.requests.last?.query.hasPrefix("a=s3cret&v=17.4&") == true)
      for text in [run.out, run.err, workspace.state ?? "s3cret"] { #expect(!text.contains("s3cret")) }
      #expect((run.out + run.err).contains("a=REDACTED&v=17.4&"))
      #expect(try workspace.names() == ["skan-state.json"])
    }
  }

  @Test("The key from a file and from standard input")
  func keyFile() throws {
    let server = try server()
    defer { server.stop() }
    let workspace = try Workspace.registered()
    try workspace.write("key.txt", "f1le\n")
    for (file, key) in [("key.txt", "f1le"), ("-", "st&din")] {
      _ = try workspace.run(
        ["session", "--endpoint", server.url(), "--sdk-key-file", file], environment: ["SKAN_SDK_KEY": "other"],
        input: "st&din\n")
      #expect(server.requests.last?.query.hasPrefix("a=\(key.replacing("&", with: "%26"))&") == true)
    }
  }

  @Test("Without a key the placeholder")
  func placeholder() throws {
    let server = try server()
    defer { server.stop() }
    _ = try Workspace.registered().run(["session", "--endpoint", server.url()])
    #expect(server.requests.last?.query.hasPrefix("a=YOUR_SDK_KEY&v=17.4&") == true)
  }

  @Test(
    "A parameter that breaks the reference is a finding of the step, and no other is",
    arguments: [
      (["--app-version", "YOUR APP VERSION"], ["app_v still has the placeholder of a guide's sample."]),
      (
        ["--idfv", "abc", "--idfa", "00000000-0000-0000-0000-000000000000"],
        ["idfv must be a UUID, it is \"abc\".", "idfa is all zeros: leave it out when there is none."]
      ), (["--bundle-id", "YOUR BUNDLE IDENTIFIER"], ["i still has the placeholder of a guide's sample."]),
      (["--idfv", "none"], []), ([], []),
    ])
  func flaws(options: [String], messages: [String]) throws {
    let server = try server()
    defer { server.stop() }
    for (snippet, path) in [("skan4", ""), ("skan3", ""), ("skan4", "/mine/conversion_value")] {
      let workspace = try Workspace()
      _ = try workspace.run(["register", "--snippet", snippet] + options)
      let run = try workspace.run(["session", "--json", "--endpoint", server.url(path)])
      let found = try JSONReader.read(Array(run.out.utf8)).value["warnings"]?.items ?? []
      let flawed = found.filter { $0["code"] == .string("request-flawed") }
      #expect(flawed.map { $0["message"] } == messages.map { .string($0) }, "\(run.out)")
    }
  }

  @Test(
    "iOS would not let an app ask this endpoint by its Info.plist: a finding of each step that asks",
    arguments: [
      (
        "",
        [
          "NSAppTransportSecurity: iOS refuses plain HTTP to 127.0.0.1: it needs NSExceptionDomains › 127.0.0.1 › "
            + "NSExceptionAllowsInsecureHTTPLoads true; older iOS takes no address there, so use a .local name."
        ]
      ), ("<key>NSAllowsArbitraryLoads</key><true/>", []), ("<key>NSAllowsLocalNetworking</key><true/>", []),
      (
        "<key>NSExceptionDomains</key><dict><key>127.0.0.1</key><dict><key>NSExceptionAllowsInsecureHTTPLoads</key><true/>"
          + "</dict></dict>", []
      ),
    ])
  func transport(rules: String, messages: [String]) throws {
    let server = try server()
    defer { server.stop() }
    let workspace = try Workspace()
    let ats = rules.isEmpty ? "" : "<key>NSAppTransportSecurity</key><dict>\(rules)</dict>"
    try workspace.write("Info.plist", "<plist version=\"1.0\"><dict>\(ats)</dict></plist>")
    _ = try workspace.run(["install", "--plist", "Info.plist"])
    _ = try workspace.run(["register"])
    let run = try workspace.run(["session", "--json", "--endpoint", server.url()])
    let found = try JSONReader.read(Array(run.out.utf8)).value["warnings"]?.items ?? []
    let own = found.filter { $0["code"] == .string("info-plist") }.map { $0["message"] }
    #expect(own == messages.map { .string("Info.plist: \($0)") }, "\(run.out)")
    let asksNothing = try workspace.run(["session", "--json"])
    #expect(!asksNothing.out.contains("info-plist"))
  }

  @Test(
    "The bytes of the request are those of request.url, the key aside",
    arguments: ["skan4", "skan3"],
    ["level_up", "", "a b+c&d=e%f#g\"h{i}'(j)*!,;:@/?~$", "käse 😀", "[x]|^`\\<>\n\t"])
  func bytes(snippet: String, name: String) throws {
    let server = try server()
    defer { server.stop() }
    let workspace = try Workspace.registered("--snippet", snippet, "--bundle-id", "com.a b", "--idfa", "+é")
    _ = try workspace.run(["revenue", "9.99", "U/\"S\\D"])
    let run = try workspace.run(
      ["event", "--json", "--endpoint", server.url(), "--", name], environment: ["SKAN_SDK_KEY": "k&y"])
    let result = try JSONReader.read(Array(run.out.utf8)).value
    guard case .string(let url)? = result["request"]?["url"] else {
      Issue.record("\(run)")
      return
    }
    #expect(server.url(try #require(server.requests.last?.target).replacing("?a=k%26y&", with: "?a=REDACTED&")) == url)
    #expect(server.requests.count == 1)
  }

  private static let oddEvent = ["event", "it's a \"b\" $HOME {1,2}", "--endpoint"]

  @Test("--dry-run and --curl ask no endpoint")
  func asksNothing() throws {
    let server = try server()
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let before = workspace.state
    for option in ["--dry-run", "--curl"] {
      #expect(try workspace.run(Self.oddEvent + [server.url(), option]).code == 0)
    }
    #expect(server.connections == 0 && workspace.state == before)
  }

  private static let hasCurl = FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")

  @Test(
    "curl sends the same", .enabled(if: hasCurl, "curl is not installed; .ci/run installs it"),
    arguments: ["session", "event"], [oddEvent[1], "\u{1B}[201~\u{3}\ntouch ran\n'\\\u{9B}2J\u{202E}$(touch ran)`id`!"])
  func curl(operation: String, name: String) throws {
    let server = try server()
    defer { server.stop() }
    let workspace = try Workspace.registered()
    let line =
      (operation == "event" ? ["event", name] : ["session", "--revenue", "5", "--currency", name]) + [
        "--endpoint", server.url(),
      ]
    let curl = try workspace.run(line + ["--curl"])
    #expect(!curl.out.dropLast().unicodeScalars.contains { $0.isHidden }, "\(curl.out)")
    #expect(try workspace.shell("SKAN_SDK_KEY=k3y; \(curl.out.dropLast()) -s -o /dev/null").code == 0)
    _ = try workspace.run(line, environment: ["SKAN_SDK_KEY": "k3y"])
    #expect(server.requests.count == 2)
    #expect(server.requests.first?.target == server.requests.last?.target)
  }

  @Test("A replay sends through the same wire")
  func replay() throws {
    let server = try TestServer { request in
      .status(200, body: "{\"conversion_value\":\(request.query.contains("n=b&") ? 2 : 1)}")
    }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      "list.jsonl",
      """
      {"op":"register"}
      {"op":"event","name":"a","expect":{"handler.fine":1}}
      {"op":"event","name":"b","expect":{"handler.fine":2,"query.skan_current_conversion_value":"1"}}
      {"op":"event","name":"c","answer":{"json":{"conversion_value":3}},"expect":{"handler.fine":3}}
      """)
    let run = try workspace.run(["replay", "-q", "list.jsonl", "--endpoint", server.url()])
    #expect(run == Workspace.Run(code: 0, out: "", err: ""))
    #expect(server.requests.count == 2)
    #expect(server.connections == 1)
  }
}
