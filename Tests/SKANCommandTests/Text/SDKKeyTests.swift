import Foundation
import SKANBase
import SKANHTTP
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

@Suite("The SDK key")
struct SDKKeyTests {
  /// An endpoint that repeats the address with the key in it, with status and header, as a bad server might.
  private func echoing(_ key: String) -> World {
    let world = World.registered()
    world.set {
      $0.variables["SKAN_SDK_KEY"] = key
      $0.network = { url, _ in
        let answer = HTTPResponse(
          status: 400, headers: [HTTPField("X-Request", url)],
          body: Array("{\"status\":\"error\",\"reason\":\"bad \(url) \(key)\"}".utf8))
        let asked = HTTPRequest.get(url, headers: [HTTPField("Accept", "application/json")])
        return .success(HTTPExchange(answer, url: url, hops: [HTTPHop(asked, answer)]))
      }
    }
    return world
  }

  @Test("In no output, whatever repeats it", arguments: ["secret_k3y", "k&y =é"])
  func echo(key: String) {
    let world = echoing(key)
    for options in [
      "", "-v", "--json", "--json -v --expect answer.text=x", "-q -v", "--dry-run", "--curl", "--dry-run --json",
    ] {
      let result = world.run("event buy --endpoint production \(options)")
      for text in [result.out, result.err, world[Changes.state] ?? key] {
        for form in [key, "k%26y%20%3D%C3%A9"] { #expect(!text.contains(form), "\(options): \(text)") }
      }
    }
    #expect(world.run("session --endpoint production").out.contains("a=REDACTED"))
    let trace = world.run("session -v --endpoint production").err
    #expect(trace.hasPrefix("> GET /api/v2/conversion_value?a=REDACTED&v=17.4&"))
    #expect(trace.contains("< X-Request: https://sdk-api-v1.singular.net/api/v2/conversion_value?a=REDACTED&v="))
  }

  @Test("In no error of a list or an expectation")
  func expectation() {
    let world = echoing("secret")
    #expect(!world.run("session --endpoint http://h --expect answer.text=x").err.contains("secret"))
    world["a.jsonl"] = #"{"op":"register"}"# + "\n" + #"{"op":"session","expect":{"answer":null}}"#
    let result = world.run("replay --endpoint http://h -v a.jsonl")
    #expect(result.code == .expectationFailed)
    #expect(!(result.out + result.err).contains("secret"))
    #expect(result.err.contains("REDACTED"))
  }

  @Test("In no device file, output or history when it stands in the path of the endpoint")
  func path() {
    let world = echoing("secret_k3y")
    world["a.jsonl"] = #"{"op":"session","answer":null}"# + "\n" + #"{"op":"s2s","kind":"session"}"#
    for command in [
      "session -v --endpoint http://h/secret_k3y", "event a --json --endpoint http://h/x/secret_k3y/y",
      "s2s session --endpoint http://h/secret_k3y",
      "replay a.jsonl --endpoint http://h/secret_k3y --state skan-state.json",
      "history", "history --json", "why",
    ] {
      let run = world.run(command)
      #expect(run.code != .usage, "\(run)")
      for text in [run.out, run.err, world[Changes.state] ?? ""] {
        #expect(!text.contains("secret"), "\(command): \(text)")
      }
    }
    #expect(world[Changes.state]?.contains("\"answered_by\": \"http://h/REDACTED\"") == true)
  }

  @Test("production needs it", arguments: ["session", "event a", "replay a.jsonl"])
  func missing(line: String) {
    let world = World.registered()
    world["a.jsonl"] = #"{"op":"session"}"#
    #expect(
      world.run("\(line) --endpoint production")
        == Consequences(
          .keyMissing,
          err: "skan: production needs the SDK key: --sdk-key-file FILE (- for stdin) or the variable SKAN_SDK_KEY\n"))
    #expect(!world.takeLog().contains("lock skan-state.json 30.0"))
  }

  @Test(
    "From a file or standard input, which count before the variable",
    arguments: [("k1\n", "k1"), ("  k 2 \t\r\n# more\n", "k 2"), ("k3", "k3")])
  func file(text: String, key: String) {
    for name in ["key.txt", "-"] {
      let world = World.registered()
      world["key.txt"] = text
      let encoded = key.replacing(" ", with: "%20")
      world.set {
        $0.input = text
        $0.variables["SKAN_SDK_KEY"] = "other"
        $0.network = { url, _ in
          #expect(url.contains("?a=\(encoded)&"))
          return .failure(.noSuchHost)
        }
      }
      #expect(world.run("session --endpoint production --sdk-key-file \(name)").code == .unavailable)
    }
  }

  @Test("An empty or missing file is no key")
  func badFile() {
    let world = World.registered()
    world["key.txt"] = " \n"
    for endpoint in ["production", "http://h"] {
      #expect(
        world.run("session --endpoint \(endpoint) --sdk-key-file key.txt")
          == Consequences(.keyMissing, err: "skan: key.txt holds no SDK key; its first line should be it\n"))
    }
    #expect(
      world.run("session --endpoint http://h --sdk-key-file none.txt")
        == Consequences(.noInput, err: "skan: none.txt does not exist; it should hold the SDK key\n"))
  }

  @Test("No key is read for an endpoint that takes none", arguments: ["embedded", "testing"])
  func unread(endpoint: String) {
    let world = World.registered()
    world.fail(.noSuchHost)
    // Standard input is not set: reading it would fail the test.
    let result = world.run("session --endpoint \(endpoint) --sdk-key-file -")
    #expect(result.code == (endpoint == "embedded" ? .ok : .unavailable))
  }
}
