import Foundation
import SKANBase
import SKANDevice
import SKANHTTP
import TestSupport
import Testing

@testable import SKANTraffic

/// What a capture does not show is unknown, and not absent.
@Suite("Requests whose parameters are unknown")
struct HiddenRequestTests {
  /// What is hidden of a request.
  enum Hiding: CaseIterable {
    /// The form, which makes a POST of a report.
    case form
    /// The parameters, which cannot be decoded.
    case parameters
    /// The whole answer, or all but its status.
    case answer, body
    /// The entry, which cannot be read.
    case entry
  }

  /// A clean capture.
  struct Clean: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let requests: [CapturedRequest]

    /// - Parameter requests: in any order.
    init(_ what: String, _ requests: [CapturedRequest]) {
      testDescription = what
      let order = requests.indices.sorted {
        (requests[$0].at?.microseconds ?? 0, $0) < (requests[$1].at?.microseconds ?? 0, $1)
      }
      self.requests = order.enumerated().map { number, index in
        var request = requests[index]
        request.location = CaptureLocation(file: "capture", entry: number + 1, line: number + 1)
        return request
      }
    }

    /// The capture with something hidden of some requests.
    func hiding(_ hidden: [Int: Hiding]) -> (requests: [CapturedRequest], unread: HiddenRequests) {
      var unread = HiddenRequests()
      let requests = requests.enumerated().compactMap { index, request -> CapturedRequest? in
        var request = request
        switch hidden[index] {
        case .form?:
          // The endpoint for values takes no form.
          guard EndpointKind(path: request.request.path)?.isReport == true else { return request }
          request.request.method = "POST"
          request.request.target.query = nil
          request.request.body = []
        // That is itself a finding, which is left out here.
        case .parameters?: request.request.target.query = "%"
        case .answer?: request.answer = .notCaptured
        case .body?: if let status = request.answer.status { request.answer = .status(status) }
        case .entry?:
          unread.add(.all, .entry, at: nil, request.location)
          return nil
        case nil: break
        }
        return request
      }
      return (requests, unread)
    }
  }

  /// The errors and warnings.
  private func accusations(_ requests: [CapturedRequest], _ unread: HiddenRequests = HiddenRequests()) -> [String] {
    let checked = Checked(inParts: requests, hidden: unread)
    return checked.findings.filter { $0.rule.level != .note && $0.rule != .parametersUnreadable }.map {
      "\($0.location.entry) \($0.rule.id): \($0.message)"
    }
  }

  @Test("The captures are clean") func capturesClean() throws {
    let captures = try Self.captures.get()
    #expect(captures.count >= 10)
    for capture in captures { #expect(accusations(capture.requests) == [], "\(capture.testDescription)") }
  }

  @Test("Hiding something of one request adds no error and no warning", arguments: Hiding.allCases)
  func one(_ hiding: Hiding) throws {
    let kind = Hiding.allCases.firstIndex(of: hiding) ?? 0
    for capture in try Self.captures.get() {
      // In the suite some of each capture, which differ from one kind to the next.
      let step = Rounds.areMany ? 1 : max(1, capture.requests.count / 3)
      for index in stride(from: kind % step, to: capture.requests.count, by: step) {
        let (requests, unread) = capture.hiding([index: hiding])
        let found = accusations(requests, unread)
        #expect(found == [], "\(capture.testDescription), \(hiding) of entry \(index + 1)")
      }
    }
  }

  @Test("Hiding something of several requests adds no error and no warning", arguments: Rounds.of(6))
  func several(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed) + 57)
    for capture in try Self.captures.get() {
      var hidden: [Int: Hiding] = [:]
      for _ in 0..<Int.random(in: 2...8, using: &random) {
        guard let index = capture.requests.indices.randomElement(using: &random) else { continue }
        // An entry of unknown time hides everything, so it is rare here.
        let kinds: [Hiding] = random.next() % 16 == 0 ? Hiding.allCases : [.form, .parameters, .answer, .body]
        hidden[index] = kinds.randomElement(using: &random)
      }
      let (requests, unread) = capture.hiding(hidden)
      let found = accusations(requests, unread)
      #expect(found == [], "\(capture.testDescription), \(hidden)")
    }
  }

  /// The fixtures without a finding, and changes of the clean life that show what rules of absence look for.
  private static let captures = Result { try readCaptures() }

  private static func readCaptures() throws -> [Clean] {
    let folder = Checkout.fixtures.appending(path: "traffic")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".") }.sorted()
    var captures = try names.map { Clean($0, try Captured(fixture: $0).requests) }
    for name in ["applied.ndjson", "virtual.har", "shared.har"] {
      let path = "Tests/EndToEnd/check-end/\(name == "shared.har" ? "expected.files" : "files")/\(name)"
      let bytes = Array(try Data(contentsOf: Checkout.root.appending(path: path)))
      captures.append(Clean(name, try Captured(bytes).requests))
    }
    // Captures of other forms with the same requests hide the same.
    var known: Set<String> = []
    captures = captures.filter { capture in
      let requests = capture.requests.map { "\($0.at?.microseconds ?? 0) \($0.request) \($0.answer)" }
        .joined(separator: "\n")
      return known.insert(requests).inserted
        && Checked(inParts: capture.requests).findings.allSatisfy { $0.rule.level == .note }
    }
    return captures + [
      try changed("A retry, and an event beside it") { life in
        life.answer(19, "", status: 503)
        life.requests.insert(life.requests[18], at: 19)
        life.answer(20, #"{"status":"ok"}"#)
        life.requests[19].at = life.requests[18].at?.advanced(by: TimeSpan(seconds: 2))
      },
      try changed("A refund") { life in
        life.set("amt", [29], to: "-0.99")
        for name in ["skan_total_revenue_by_currency", "p2_total_iap_revenue"] {
          life.set(name, [28], to: life.value(name, 27))
          life.add(-1.98, "USD", to: name, Array(29...40))
        }
      },
      try changed("The same event twice in a second") { life in
        let second = [life.requests[33], life.requests[34]]
        life.requests.insert(contentsOf: second, at: 35)
        life.set("prev_fine_value", [37], to: "11")
      },
      try changed("Two events whose names differ in case") { $0.set("n", [18, 19], to: "LEVEL") },
      Clean("Three devices at one time", try (1...3).flatMap { try device($0) }),
      Clean("Four short lives at one time", try (1...4).flatMap { Array(try device($0)[..<5]) }),
      Clean("Two addresses", try (1...4).flatMap { Array(try device($0, address: $0 / 4)[..<3]) }),
    ]
  }

  private static func changed(_ what: String, _ change: (inout PlantedLife) -> Void) throws -> Clean {
    var life = try PlantedLife()
    change(&life)
    return Clean(what, life.requests)
  }

  /// The clean life of another device.
  private static func device(_ number: Int, address: Int? = nil) throws -> [CapturedRequest] {
    var life = try PlantedLife()
    life.set("idfv", life.all, to: "21DB6612-09B3-4ECC-84AC-00000000000\(number)")
    life.set("ip", life.forwarded, to: "172.58.29.\(address ?? number)")
    return life.requests
  }

  /// The clean life without a form at an entry, and a mistake elsewhere.
  private func checked(without entry: Int, _ plant: (inout PlantedLife) -> Void = { _ in }) throws -> Checked {
    var life = try PlantedLife()
    let request = HTTPRequest.post(life.requests[entry - 1].request.target.origin + "/api/v1/launch", body: [])
    let path = life.requests[entry - 1].request.path
    life.requests[entry - 1].request = request
    life.requests[entry - 1].request.target = HTTPTarget(origin: request.target.origin, path: path, query: nil)
    plant(&life)
    return Checked(inParts: life.requests)
  }

  @Test("What cannot belong to the hidden request is still found") func whatCannot() throws {
    // The event at hour 30 has no report; the form that is missing is an hour and more away, or a session's.
    for entry in [5, 9, 15] {
      let found = try checked(without: entry) { $0.requests.remove(at: 12) }
      #expect(found.rules == ["event-not-forwarded"], "\(entry): \(found.text)")
    }
    // It is the report of the hour before.
    let near = try checked(without: 13) { $0.requests.remove(at: 10) }
    #expect(near.text.filter { $0.hasPrefix("12 ") } == [])
  }

  @Test("The report names what is hidden with the rules that it concerns") func reportNames() throws {
    let summary = try checked(without: 3).summary
    #expect(
      summary.gap(of: .eventBeforeSession) == .hidden("1 launch without its form, entry 3 of capture"))
    #expect(summary.gap(of: .revenueMismatch) == nil && summary.gap(of: .eventNotUpdated) == nil)
    for rule in TrafficRule.allCases where rule.concludesFromMissing.contains(.launch) {
      guard case .hidden? = summary.gap(of: rule) else {
        if case .all? = summary.gap(of: rule) { continue }
        Issue.record("\(rule.id)")
        continue
      }
    }
  }

  @Test("An error in the answer of a POST without its form is reported", arguments: Formless.all)
  func answer(_ formless: Formless) throws {
    var life = try PlantedLife()
    for (entry, answer) in formless.answers {
      let path = life.requests[entry - 1].request.path
      life.requests[entry - 1].request = .post("https://s2s.singular.net\(path)", body: [])
      life.requests[entry - 1].answer = answer
    }
    formless.plant(&life)
    for checked in [try Checked(life.requests), Checked(inParts: life.requests)] {
      #expect(checked.text == formless.found, "\(checked.text)")
    }
  }

  struct Formless: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let answers: [(entry: Int, answer: CapturedAnswer)]
    var found: [String] = []
    var plant: @Sendable (inout PlantedLife) -> Void = { _ in }

    private static func body(_ text: String) -> CapturedAnswer { .response(status: 200, body: Array(text.utf8)) }

    static let all: [Formless] = [
      Formless(
        testDescription: "An error", answers: [(33, body(#"{"status":"error"}"#))],
        found: [
          "33 error-taken-as-delivered: the answer is: an error without a reason; the request was not sent again."
        ]),
      Formless(
        testDescription: "A refusal", answers: [(13, body(#"{"status":"error","reason":"no device ID supplied"}"#))],
        found: ["13 request-refused: the answer is: no device ID supplied."]),
      Formless(
        testDescription: "A status in a log", answers: [(33, .status(503))],
        found: ["33 failure-not-retried: the answer is: status 503; the request was not sent again."]),
      Formless(testDescription: "Success", answers: [(33, body(#"{"status":"ok"}"#))]),
      Formless(testDescription: "Unknown", answers: [(33, .notCaptured)]),
      Formless(
        testDescription: "Sent again, with its form", answers: [(19, .status(503))],
        plant: { life in
          guard var again = (try? PlantedLife())?.requests[18] else { return }
          again.at = again.at?.advanced(by: TimeSpan(seconds: 60))
          life.requests.insert(again, at: 19)
        }),
    ]
  }

  @Test("Of the cases of public logs none is accused") func casesPublic() throws {
    for name in ["posted.log", "posted.har"] {
      let path = Checkout.root.appending(path: "Tests/EndToEnd/check-hidden/files/\(name)")
      let requests = try Captured(Array(try Data(contentsOf: path))).requests
      let checked = Checked(inParts: requests)
      #expect(!checked.rules.contains("event-before-session") && !checked.rules.contains("event-not-forwarded"))
      #expect(
        checked.summary.gap(of: .eventBeforeSession) == .hidden("1 launch without its form, entry 2 of capture"))
    }
  }

  @Test("Many hidden requests take little memory and stay known") func manyHidden() {
    var hidden = HiddenRequests()
    for number in 0..<100_000 {
      let location = CaptureLocation(file: "a", entry: number + 1, line: 1)
      hidden.add(.launch, .withoutForm(.launch), at: Int64(number) * 3600, location)
    }
    #expect(hidden.mayBe(Absence(kinds: .launch, from: 3600 * 5 - 1, to: 3600 * 5 + 1)))
    #expect(hidden.mayBe(Absence(kinds: .launch, from: 3600 * 99_999, to: .max)))
    #expect(!hidden.mayBe(Absence(kinds: .launch, from: 3600 * 5 + 61, to: 3600 * 6 - 61)))
    #expect(!hidden.mayBe(Absence(kinds: .event, from: .min, to: .max)))
    #expect(hidden.reason(for: .report) == "100000 launch without their forms, the first entry 1 of a")
  }

  @Test(
    "An entry that cannot be read hides what is named in it",
    arguments: [
      ("/api/v1/launch", ["event-before-session"]), ("/api/v2/conversion_value", ["event-not-updated"]),
      ("/robots.txt", []),
    ] as [(String, [String])])
  func unread(path: String, rules: [String]) throws {
    let good = #"1.1.1.1 - - [01/Jan/2026:10:00:00 +0000] "GET /x HTTP/1.1" 200 1 "-" "-""#
    let captured = try Captured("\(good)\n1.1.1.1 - - [when] \"GET \(path)?a=k HTTP/1.1\" 200\n")
    #expect(captured.problems.count == 1)
    let hidden = captured.tally.hidden
    #expect(hidden.isEmpty == rules.isEmpty)
    for rule in [TrafficRule.eventBeforeSession, .eventNotUpdated] {
      #expect((hidden.reason(for: rule.concludesFromMissing) != nil) == rules.contains(rule.id))
    }
  }

  @Test("A file that was cut, one that is none, and a tunnel hide requests") func fileWas() throws {
    let whole = har()
    #expect(try Captured(whole).tally.hidden.isEmpty)
    #expect(
      try Captured(String(whole.dropLast(60))).tally.hidden.reason(for: .launch)
        == "1 file not read to the end: capture")
    #expect(try !Captured("nothing").tally.hidden.isEmpty)
    let tunnel = try Captured(har(method: "CONNECT", url: "sdk-api-v1.singular.net:443")).tally.hidden
    #expect(
      tunnel.reason(for: .conversion) == "TLS of sdk-api-v1.singular.net that was not decrypted"
        || tunnel.reason(for: .conversion) == "TLS of sdk-api-v1.singular.net:443 that was not decrypted")
    #expect(tunnel.reason(for: .launch) == nil)
    #expect(try Captured(har(method: "CONNECT", url: "example.com:443")).tally.hidden.isEmpty)
  }
}
