import Foundation
import SKANCommand
import SKANHTTP
import Synchronization
import TestSupport
import Testing

@testable import SKANCommandLine

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
