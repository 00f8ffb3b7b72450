import Foundation
import SKANBase
import SKANHTTP
import Synchronization
import TestSupport
import Testing

@testable import SKANCommand
@testable import SKANCommandLine

/// An endpoint that gives the SDK key back, and every command that asks one: the key is in nothing that is written.
@Suite("The SDK key, given back in many spellings")
struct ReflectedKeyTests {
  /// Where an endpoint can put a text.
  enum Place: String, CaseIterable, Sendable {
    case reason, member, value, header, cookie, redirect, refusedRedirect, malformed, tls, text, notJSON

    func answer(_ text: String, to url: String) -> Result<HTTPExchange, TransportFailure> {
      func body(_ json: String) -> Result<HTTPExchange, TransportFailure> { answered(200, json) }
      func answered(
        _ status: Int, _ body: String, _ headers: [HTTPField] = []
      ) -> Result<HTTPExchange, TransportFailure> {
        let response = HTTPResponse(status: status, headers: HTTPFields(headers), body: Array(body.utf8))
        return .success(HTTPExchange(response, url: url, hops: [HTTPHop(HTTPRequest.get(url), response)]))
      }
      // What escapes characters for JSON stands in it as it is.
      let quoted = text.contains("\\") ? "\"\(text)\"" : JSONWriter.quoted(text)
      let isJSON = (try? JSONReader.read(Array(quoted.utf8))) != nil
      let safe = isJSON ? quoted : JSONWriter.quoted(text)
      switch self {
      case .reason: return answered(400, "{\"status\":\"error\",\"reason\":\(safe)}")
      case .member: return body("{\(safe):1,\"conversion_value\":3}")
      case .value:
        return body("{\"conversion_value\":\(safe),\"skan_updated_coarse_value\":\(safe),\"status\":\(safe)}")
      case .header: return answered(200, "{\"conversion_value\":1}", [HTTPField("X-Key", "a \(text) b")])
      case .cookie: return answered(503, "", [HTTPField("Set-Cookie", "k=\(text); Path=/\(text)")])
      case .redirect:
        let hop = HTTPResponse(status: 307, headers: [HTTPField("Location", "/\(text)?a=\(text)")])
        let last = HTTPResponse(status: 404, body: Array("no /\(text)?a=\(text)".utf8))
        let target = "http://h/\(text)?a=\(text)"
        let hops = [HTTPHop(HTTPRequest.get(url), hop), HTTPHop(HTTPRequest.get(target), last)]
        return .success(HTTPExchange(last, url: target, hops: hops))
      case .refusedRedirect: return .failure(.redirectRefused(to: "http://x/\(text)?a=\(text)"))
      case .malformed: return .failure(.malformedHTTP("what is \(text)?"))
      case .tls: return .failure(.tls("no certificate of \(text)!"))
      case .text: return .failure(.other(code: 1, text: "failed at \(text)!"))
      case .notJSON: return answered(200, "<p>\(text)</p>")
      }
    }
  }

  private func expectNone(of spelling: KeySpelling, in texts: [(name: String, text: String)]) {
    for (name, text) in texts {
      if let leak = spelling.leak(in: text) { Issue.record("\(spelling.name), \(name): \(leak)\n\(text)") }
    }
  }

  /// What asks an endpoint, and what shows later what came of it.
  private static let commands = [
    "session -v --endpoint http://h", "session --json -v --endpoint http://h", "event x --endpoint http://h --strict",
    "event x --endpoint http://h --expect answer.text=x --expect outcome=updated", "session -q --endpoint http://h",
    "event y --endpoint production -v", "event y --forward --endpoint http://h -v", "revenue 1 USD",
    "s2s session --endpoint http://h -v",
    "s2s event z --endpoint http://h --json", "s2s event z --endpoint http://h --post -v",
    "update --ios 18.0", "details", "history", "history --json", "why", "timeline", "timeline --svg life.svg",
    "replay a.jsonl --endpoint http://h -v --report-junit j.xml --report-tap t.tap --report-json r.json",
    "replay a.jsonl --endpoint http://h --json --report-html r.html --report-markdown r.md",
    "replay a.jsonl --endpoint http://h --record rec.jsonl",
    "replay a.jsonl --endpoint http://h --state skan-state.json",
    "replay a.jsonl --endpoint http://h --summary", "replay a.jsonl --endpoint http://h --test --annotate github",
    "replay a.jsonl --endpoint http://h --retry 1 --retry-interval 1ms --send http://n -v", "replay rec.jsonl -v",
    "timeline a.jsonl --endpoint http://h", "doctor --endpoint http://h", "doctor --endpoint http://h --json",
    "postbacks --at 2026-03-01T00:00:00Z --send http://n -v", "postbacks --at 2026-03-01T00:00:00Z --json",
    "receiver-test http://n --report-junit recv.xml", "receiver-test http://n --json",
  ]

  /// Those of them that take a file with the key.
  private static var withKeyFile: [String] {
    commands.filter { command in
      ["session", "event", "revenue", "s2s", "replay", "timeline a"].contains { command.hasPrefix($0) }
        && command.contains("--endpoint")
    }.map { "\($0) --sdk-key-file key" }
  }

  @Test("In no output, file, report or failure", arguments: KeySpelling.all.indices)
  func everywhere(index: Int) { run(KeySpelling.all[index], index: index, fromFile: false) }

  @Test("The same of a key from a file", arguments: [0, 1, 18])
  func fromFile(index: Int) { run(KeySpelling.all[index], index: index, fromFile: true) }

  /// In the suite four of five spellings go through the first commands alone; with `TEST_ROUNDS` each goes through all.
  ///
  /// - Parameter index: of the place that the first command meets.
  private func run(_ spelling: KeySpelling, index: Int, fromFile: Bool) {
    let world = World.registered()
    // Each command meets each place, with one spelling or another.
    let count = Mutex(index)
    let answer: @Sendable (String) -> Result<HTTPExchange, TransportFailure> = { url in
      let number = count.withLock { count in
        defer { count += 1 }
        return count
      }
      return Place.allCases[number % Place.allCases.count].answer(spelling.text, to: url)
    }
    if fromFile { world["key"] = spelling.steps[0] }
    world.set {
      if !fromFile { $0.variables["SKAN_SDK_KEY"] = spelling.steps[0] }
      $0.network = { url, _ in answer(url) }
      $0.post = { answer($0.url) }
    }
    world["a.jsonl"] = """
      {"op":"register","label":"first"}
      {"op":"session","expect":{"answer":null,"outcome":"updated"}}
      {"op":"event","name":"e","after":"1h","expect":{"answer.text":"none"}}
      {"op":"s2s","kind":"session","expect":{"forwarded.0.outcome":"ok"}}
      """
    let isWhole = fromFile || index % 5 == 0 || Rounds.areMany
    let commands = fromFile ? Self.withKeyFile : isWhole ? Self.commands : Array(Self.commands.prefix(9))
    for command in commands {
      let run = world.run(command)
      #expect(run.code != .usage, "\(command): \(run.err)")
      expectNone(of: spelling, in: [("stdout of \(command)", run.out), ("stderr of \(command)", run.err)])
    }
    expectNone(of: spelling, in: world.texts.filter { $0.name != "key" })
    #expect(world.texts.count >= (isWhole ? 7 : 2) && count.withLock { $0 } > (isWhole ? 40 : index))
  }

  @Test(
    "In nothing that is said of captured traffic",
    arguments: KeySpelling.all.indices.filter { $0 % 3 == 0 || Rounds.areMany })
  func captured(index: Int) throws {
    let spelling = KeySpelling.all[index]
    let key = try #require(spelling.steps[0].addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let text = try #require(spelling.text.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    let reason = JSONWriter.quoted("bad \(spelling.text)!")
    let world = World()
    let phone = "a=\(key)&v=17.4&i=b&app_v=1&p=iOS&idfv=D"
    world["a.har"] = capturedHAR([
      (
        "/api/v2/conversion_value?\(phone)&n=\(text)&x=\(text)&skan_current_conversion_value=99",
        "{\"status\":\"error\",\"reason\":\(reason),\"conversion_value\":\(reason)}"
      ),
      ("/api/v1/evt?a=\(key)&n=\(text)&p=\(text)&i=b&idfv=D&e=%7B%22k%22:%22\(text)%22%7D", "<p>\(spelling.text)"),
      ("/api/v1/launch?a=\(key)&install=\(text)&\(text)=1&i=b&idfv=D&ve=\(text)", nil),
    ])
    for command in [
      "check a.har", "check a.har --json", "check a.har --csv", "check a.har --sarif", "check a.har --fail-on note",
      "check a.har --report-junit j.xml --redacted r.har --to-list l.jsonl", "replay l.jsonl --json",
      "replay l.jsonl -v --report-html r.html",
    ] {
      let run = world.run(command)
      #expect(run.code == .expectationFailed, "\(command): \(run.err)")
      expectNone(of: spelling, in: [("stdout of \(command)", run.out), ("stderr of \(command)", run.err)])
    }
    expectNone(of: spelling, in: world.texts.filter { $0.name != "a.har" })
    #expect(world.texts.count == 5)
  }
}
