import Foundation
import SKANBase
import SKANCommand
import SKANDevice
import SKANModel
import SKANRun
import TestSupport
import Testing

@testable import SKANCommandLine

@Suite("serve --check: the same rules for each request", .timeLimit(.minutes(TestTime.minutes)), .waits)
struct ServeCheckTests {
  /// What goes wrong with a phone, as settings of `forward`, and the rule that finds it.
  private static let mistakes: [(settings: String, rule: String)] = [
    (#"{"parameters":{"ip":"10.0.0.1"}}"#, "private-address"),
    (#"{"parameters":{"utime":"1767225600000"}}"#, "time-unit"),
    (#"{"parameters":{"idfa":"00000000-0000-0000-0000-000000000000"}}"#, "idfa-zeros"),
    (#"{"parameters":{"amt":"9.99"}}"#, "amount-without-currency"),
    (#"{"stale":true}"#, "metadata-stale"),
    ("false", "event-not-forwarded"),
  ]

  /// The life of a phone; the last event of a mistaken one goes wrong, and with it all that follows.
  private func life(_ name: String, number: Int, _ mistake: String?) -> String {
    let ip = "203.0.\(113 + number / 200).\(number % 200 + 1)"
    let fine = #"{"parameters":{"ip":"\#(ip)"}}"#
    func forward(_ isLate: Bool, isEvent: Bool = true) -> String {
      // At launch an amount would be a mistake of its own.
      if let mistake, mistake.contains("amt"), !isEvent { return fine }
      // Metadata that are stale now and then are no mistake: an app may have been quick.
      guard let mistake, isLate || mistake.contains("stale") else { return fine }
      if mistake == "false" || mistake.contains(#""ip""#) { return mistake }
      return mistake.contains("parameters")
        ? mistake.replacing("\"parameters\":{", with: #""parameters":{"ip":"\#(ip)","#)
        : mistake.replacing("{\"stale\"", with: #"{"parameters":{"ip":"\#(ip)"},"stale""#)
    }
    return """
      {"op":"device","device":"\(name)"}
      {"op":"register","device":"\(name)","at":"2026-01-01T00:00:00Z"}
      {"op":"session","device":"\(name)","after":"5s","forward":\(forward(false))}
      {"op":"event","device":"\(name)","name":"tutorial","after":"5m","forward":\(forward(false))}
      {"op":"event","device":"\(name)","name":"level","after":"5m","forward":\(forward(true))}
      {"op":"event","device":"\(name)","name":"share","after":"5m","forward":\(forward(true))}
      {"op":"session","device":"\(name)","at":"+1d","forward":\(forward(true, isEvent: false))}
      {"op":"session","device":"\(name)","at":"+3d","forward":\(forward(true, isEvent: false))}

      """
  }

  /// Runs 200 phones, each with one mistake at most, against a server that checks.
  private func findings(of phones: [(name: String, mistake: String?)]) throws -> (
    live: [String], offline: [String], code: Int32
  ) {
    let workspace = try Workspace()
    try workspace.write(
      "life.jsonl",
      phones.enumerated().map { life($1.name, number: $0, $1.mistake) }.joined())
    let model = Checkout.fixtures.appending(path: "models/mixed.json").path
    let served = try Served(["--model", model, "--check", "--journal", "journal.ndjson"], in: workspace)
    let replay = try workspace.run(["replay", "--quiet", "--endpoint", served.address, "life.jsonl"])
    try #require(replay.code == 0, "\(replay)")
    let end = served.end(SIGINT)
    let live = end.err.split(separator: "\n").compactMap { line -> String? in
      guard let match = line.firstMatch(of: /^skan: \w+ \[([a-z-]+)\] request \d+: (.*)$/) else { return nil }
      return "\(match.output.1): \(match.output.2)"
    }
    let check = try workspace.run(["check", "--json", "journal.ndjson"])
    let offline = try check.out.split(separator: "\n").dropFirst().flatMap { line -> [String] in
      let finding = try JSONReader.read(Array(line.utf8)).value
      guard case .integer(let count)? = finding["count"], case .string(let rule)? = finding["rule"],
        case .string(let message)? = finding["message"], case .string(let id)? = finding["device"]?["id"]
      else { return [] }
      return Array(repeating: "\(rule): com.example.app, idfv \(id): \(message)", count: Int(count))
    }
    return (live.sorted(), offline.sorted(), end.code)
  }

  @Test("Phones without a mistake: no finding, live or offline")
  func clean() throws {
    let all = try findings(of: (0..<(Rounds.areMany ? 200 : 60)).map { ("phone \($0)", nil) })
    #expect(all.live == [])
    #expect(all.offline == [])
    #expect(all.code == 0)
  }

  @Test(
    "What skan session --forward and skan event --forward send has no finding, as GET and as POST",
    arguments: ["", "--post"])
  func forwarded(post: String) throws {
    let workspace = try Workspace()
    let model = Checkout.fixtures.appending(path: "models/mixed.json").path
    let served = try Served(["--model", model, "--check", "--journal", "journal.ndjson"], in: workspace)
    let start = "2026-01-01T00:00:0"
    for line in [
      "register --at \(start)0Z", "session --at \(start)5Z",
      "event purchase --revenue 9.99 --currency USD --at \(start)9Z",
      "event level --at +2m", "session --at +1d",
    ] {
      let more = line.hasPrefix("register") ? [] : ["--endpoint", served.address, "--forward"]
      let run = try workspace.run(
        line.split(separator: " ").map(String.init) + more + (more.isEmpty || post.isEmpty ? [] : [post]))
      try #require(run.code == 0, "\(line): \(run)")
    }
    let end = served.end(SIGINT)
    #expect(end.code == 0 && end.err.contains("0 errors, 0 warnings, 0 notes"), "\(end.err)")
    let check = try workspace.run(["check", "journal.ndjson"])
    #expect(
      check.out.hasPrefix(
        "8 requests of 1 device: 2 launch, 2 evt, 4 conversion_value; 0 errors, 0 warnings; 0 entries of other hosts, "
          + "0 not decrypted\n\nnot evaluated:\n"), "\(check.out)")
    #expect(check.code == 0 && check.err.isEmpty, "\(check.err)")
  }

  @Test("A mistake a phone: each is found, live as in the journal")
  func mistakes() throws {
    let phones = (0..<60).map { number in
      (name: "phone \(number)", mistake: number % 10 < Self.mistakes.count ? Self.mistakes[number % 10].settings : nil)
    }
    let all = try findings(of: phones)
    #expect(all.live == all.offline)
    #expect(all.code == 1)
    for mistake in Self.mistakes {
      let devices = Set(all.live.filter { $0.hasPrefix("\(mistake.rule): ") }.map { $0.split(separator: ": ")[1] })
      #expect(devices.count == 6, "\(mistake.rule)")
    }
    #expect(Set(all.live.map { $0.split(separator: ": ")[1] }).count == 36)
    #expect(Set(all.live.map { String($0.prefix { $0 != ":" }) }) == Set(Self.mistakes.map(\.rule)))
  }

  @Test("Findings are in the answer's header, the journal and the summary")
  func outputs() throws {
    let workspace = try Workspace()
    let served = try Served(["--check", "--journal", "journal.ndjson", "--once", "1"], in: workspace)
    let target =
      "/api/v1/evt?a=sEcReT99&p=iOS&i=com.example.app&n=x&idfv=21DB6612-09B3-4ECC-84AC-B353B0AF1334&ve=sEcReT99"
    let answer = try served.exchange(target).response
    #expect(answer.headers["X-SKAN-Explanation"]?.contains(" [parameter-") == true)
    let end = served.end()
    #expect(end.code == 1)
    #expect(end.err.contains("skan: error [event-before-session] request 1: com.example.app, idfv 21DB6612"))
    #expect(end.err.contains("skan: 1 request of 1 device: 0 launch, 1 evt, 0 conversion_value; "))
    #expect(end.err.contains("skan: not evaluated:"))
    #expect(!end.err.contains("sEcReT99"))
    let journal = try #require(workspace["journal.ndjson"])
    #expect(journal.contains(#""findings":[{"level":"error","#))
  }
}
