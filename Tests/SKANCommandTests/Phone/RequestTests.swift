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

@Suite("--dry-run and --curl")
struct DryRunTests {
  private let query =
    "v=17.4&i=com.example.app&app_v=1.0&n=gold%20%22pack%22's&p=iOS&idfv=92DEA3FE-594B-8C7E-92DB-3DFE5948A955"
    + "&skan_current_conversion_value=0&skan_last_call_to_skadnetwork_timestamp=1767225600"
    + "&skan_first_call_to_skadnetwork_timestamp=1767225600"
  private let name = "gold \"pack\"'s"

  /// Neither lock nor write nor network: World fails the test when the network is asked.
  private func run(_ world: World, _ line: String, _ more: String) -> Consequences {
    let result = world.run(line, more)
    #expect(world.takeLog() == ["read skan-state.json"])
    return result
  }

  @Test func dryRun() {
    #expect(
      run(.registered(), "event --dry-run --at +1h --endpoint http://localhost:8080", name)
        == Consequences(
          out: """
            GET http://localhost:8080/api/v2/conversion_value?a=REDACTED&\(query)
              a = REDACTED
              v = 17.4
              i = com.example.app
              app_v = 1.0
              n = gold "pack"'s
              p = iOS
              idfv = 92DEA3FE-594B-8C7E-92DB-3DFE5948A955
              skan_current_conversion_value = 0
              skan_last_call_to_skadnetwork_timestamp = 1767225600
              skan_first_call_to_skadnetwork_timestamp = 1767225600

            """))
  }

  @Test("As a command of the shell, the key left to its variable")
  func curl() {
    #expect(
      run(.registered(), "event --curl --endpoint production", name)
        == Consequences(
          out: "curl 'https://sdk-api-v1.singular.net/api/v2/conversion_value?a='\"$SKAN_SDK_KEY\"'&"
            + query.replacing("'", with: "'\\''") + "'\n"))
  }

  @Test func json() {
    let result = run(.registered(), "event --dry-run --json --endpoint production", name)
    #expect(result.code == .ok && result.err == "")
    #expect(result.out.hasPrefix(#"{"query":{"a":"REDACTED","app_v":"1.0","#))
    #expect(
      result.out.hasSuffix(
        #""},"url":"https://sdk-api-v1.singular.net/api/v2/conversion_value?a=REDACTED&"# + query + "\"}\n"))
  }

  @Test("The revenue is in it, and is not kept")
  func revenue() {
    let result = run(.registered(), "session --revenue 9.99 --currency USD --dry-run", "--no-handler")
    #expect(result.out.contains("\n  p0_total_iap_revenue = {\"USD\":9.9899997711181641}\n"))
    #expect(result.changes == [])
  }

  @Test("SKAN 3")
  func skan3() {
    let result = run(.registered("--snippet skan3 --idfa A"), "session --dry-run", "--endpoint=testing")
    #expect(
      result.out == """
        GET https://skadnetwork-testing.singular.net/api/v1/conversion_value?a=REDACTED&i=com.example.app&app_v=1.0&\
        n=__SESSION__&p=iOS&idfv=92DEA3FE-594B-8C7E-92DB-3DFE5948A955&idfa=A&conversion_value&\
        total_revenue_by_currency=%7B%7D&first_call_to_skadnetwork_timestamp=1767225600&\
        last_call_to_skadnetwork_timestamp=1767225600
          a = REDACTED
          i = com.example.app
          app_v = 1.0
          n = __SESSION__
          p = iOS
          idfv = 92DEA3FE-594B-8C7E-92DB-3DFE5948A955
          idfa = A
          conversion_value
          total_revenue_by_currency = {}
          first_call_to_skadnetwork_timestamp = 1767225600
          last_call_to_skadnetwork_timestamp = 1767225600

        """)
  }

  @Test("When no request would be sent", arguments: ["--dry-run", "--curl", "--dry-run --json"])
  func none(options: String) {
    #expect(
      World.registered().run("session --at +35d \(options)")
        == Consequences(
          out: options.hasSuffix("json") ? "null\n" : "",
          err:
            "skan: no request would be sent: P2 closed at 2026-02-05T00:00:00Z, this very second; the snippet returns "
            + "without a request and without calling the handler.\n"))
  }

  @Test("A result is not there to expect anything of", arguments: ["--dry-run", "--curl"])
  func expectation(option: String) {
    #expect(
      World.registered().run("session \(option) --expect outcome=updated")
        == .usage("--expect asks for a result, which \(option) does not have", command: "session"))
  }

  @Test("Both requests of a step that the app's server reports, too")
  func forwarded() {
    let run = World.registered().run("session --forward --dry-run --json --at +1h")
    let lines = run.out.split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.contains(#""a":"REDACTED""#) })
    #expect(lines.first?.hasPrefix(#"{"query":{"a":"REDACTED","#) ?? false)
    #expect(lines.last?.hasPrefix(#"{"method":"GET","parameters":{"a":"REDACTED","#) ?? false)
  }

  @Test("A time that is none is refused before anything is shown")
  func time() {
    #expect(
      World.registered().run("session --dry-run --at +3652058d")
        == .usage("the step's time leaves the years 1 to 9999", command: "session"))
  }

  @Test func missingFile() {
    #expect(World().run("session --curl").code == .noInput)
    #expect(World.registered().run("session --curl --revenue x --currency USD").code == .usage)
  }
}
