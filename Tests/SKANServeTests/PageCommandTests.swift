import Foundation
import SKANBase
import SKANHTTP
import TestSupport
import Testing

@testable import SKANServe

@Suite("The live page: a request as it is copied", .waits, .timeLimit(.minutes(TestTime.minutes)))
struct PageCommandTests {
  /// What the server is asked, and what curl gets in the shell besides the time of the phone.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var method = "GET"
    var path = "/api/v1/evt"
    var query = ""
    var body = ""
    var type: String?
    /// Nil for a request that curl cannot repeat.
    let arguments: [String]?
  }

  private static let origin = "https://localhost:8787"
  private static let form = "application/x-www-form-urlencoded"
  private static let hostile = "\u{1B}[201~\u{3}\ntouch /tmp/ran\n'\\\u{9B}2J\u{202E}$(touch /tmp/ran)`id`!x"

  static let cases = [
    Case(
      testDescription: "a query, with the key of the shell", query: "a=SECRET&n=it's+a%20b&p=iOS",
      arguments: ["-sG", "\(origin)/api/v1/evt", "a=k3y", "n=it's a b", "p=iOS"]),
    Case(
      testDescription: "control characters in a value and in a name",
      query: "n=\(hostile.percentEncoded())&\(hostile.percentEncoded())=1",
      arguments: ["-sG", "\(origin)/api/v1/evt", "\(hostile.percentEncoded())=1", "n=\(hostile)"]),
    Case(
      testDescription: "a bare name, no name, and U+0000", query: "n&=x&i=a%00b",
      arguments: ["-sG", "\(origin)/api/v1/evt", "=x", "i=a%00b", "n"]),
    Case(
      testDescription: "a name that begins as a file's does", query: "@/etc/passwd&n=@x",
      arguments: ["-sG", "\(origin)/api/v1/evt", "%40%2Fetc%2Fpasswd", "n=@x"]),
    Case(testDescription: "no query", arguments: ["-sG", "\(origin)/api/v1/evt"]),
    Case(
      testDescription: "a HEAD", method: "HEAD", path: "/api/v2/conversion_value", query: "n=x",
      arguments: ["-sGI", "\(origin)/api/v2/conversion_value", "n=x"]),
    Case(
      testDescription: "another method", method: "PUT", query: "n=x",
      arguments: ["-sG", "\(origin)/api/v1/evt", "-X", "PUT", "n=x"]),
    Case(
      testDescription: "a path that curl would expand", path: "/none/[1-9]/{a,b}", query: "n=x",
      arguments: ["-sGg", "\(origin)/none/[1-9]/{a,b}", "n=x"]),
    Case(
      testDescription: "a form, and a query beside it", method: "POST", query: "a=SECRET&n=x y",
      body: "e=%7B%7D&n=\u{7}",
      type: form, arguments: ["-s", "\(origin)/api/v1/evt?a=k3y&n=x%20y", "e={}", "n=\u{7}"]),
    Case(
      testDescription: "the key in a form", method: "POST", body: "a=SECRET&n=x", type: form,
      arguments: ["-s", "\(origin)/api/v1/evt", "a=k3y", "n=x"]),
    Case(
      testDescription: "a POST of a query alone", method: "POST", query: "n=x",
      arguments: ["-sG", "\(origin)/api/v1/evt", "-X", "POST", "n=x"]),
    Case(
      testDescription: "JSON", method: "POST", body: #"{"n":"it's\u001b"}"#, type: "application/json",
      arguments: [
        "-s", "\(origin)/api/v1/evt", "-H", "Content-Type: application/json", "--data-raw", #"{"n":"it's\u001b"}"#,
      ]),
    Case(testDescription: "a body of another kind", method: "POST", body: "x", type: "text/plain", arguments: nil),
    Case(testDescription: "a query that cannot be read", query: "n=%zz", arguments: nil),
    Case(testDescription: "a form that cannot be read", method: "POST", body: "n=%zz", type: form, arguments: nil),
  ]

  @Test("A shell gives curl the request, and nothing of it is hidden", arguments: cases)
  func shellGives(_ sent: Case) throws {
    let service = try TestService(hasPage: true)
    _ = try service.ask(
      sent.path, sent.query, method: sent.method, time: "1767225600", body: sent.body, type: sent.type)
    let reply = try service.ask("/page/request", "n=1&origin=\(Self.origin.percentEncoded())")
    let shown = try JSONReader.read(reply.body).value
    guard let expected = sent.arguments else {
      #expect(shown["curl"] == "null")
      return
    }
    let text: String? = shown["curl"]
    let curl = try #require(text)
    #expect(!curl.unicodeScalars.contains { $0 != "\n" && $0.isHidden }, "\(curl)")
    var arguments = try Self.arguments(of: curl).filter { !["--data-urlencode", "--data"].contains($0) }
    let time = try #require(arguments.firstIndex(of: "X-SKAN-Device-Time: 1767225600"))
    arguments.removeSubrange(time - 1...time)
    #expect(arguments == expected, "\(curl)")
  }

  @Test("Without an origin the command asks the host that the page asks") func withoutOrigin() throws {
    let service = try TestService(hasPage: true)
    _ = try service.ask("/api/v1/evt", "n=x")
    let shown = try service.ask("/page/request", "n=1", site: RequestSite(host: "localhost:8787")).text
    #expect(shown.contains("'http://localhost:8787/api/v1/evt'"))
  }

  @Test("What was not HTTP has no command") func whatWas() throws {
    let service = try TestService(hasPage: true)
    service.record(.bareLineFeed, from: "127.0.0.1")
    #expect(try JSONReader.read(service.ask("/page/request", "n=1").body).value["curl"] == "null")
  }

  /// What a shell makes of the command.
  private static func arguments(of command: String) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", "SKAN_SDK_KEY=k3y; curl() { printf '%s\\0' \"$@\"; }; \(command)"]
    process.environment = ["LC_ALL": "C.UTF-8"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return output.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
      String(decoding: $0, as: UTF8.self)
    }
  }
}
