import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANRun

/// Random lives of a phone whose calls overlap.
@Suite("Overlapping calls")
struct UpdatesUnderWayTests {
  /// Answers, the first ones of which are good.
  private static let answers = [
    #"{"json":{"conversion_value":FINE,"skan_updated_coarse_value":1,"status":"ok"}}"#,
    #"{"json":{"conversion_value":FINE,"skan_updated_coarse_value":2,"skan_updated_lock_window_value":true,"status":"ok"}}"#,
    #"{"json":{"status":"ok"}}"#, #"{"json":{"status":"error","reason":"no"}}"#, #"{"text":"<html>"}"#,
    #"{"error":"timed out"}"#, #"{"json":{"conversion_value":64,"status":"ok"}}"#,
    #"{"json":{"conversion_value":"5","status":"ok"}}"#, #"{"text":"[]"}"#,
  ]

  /// The lines of a life, the first of which installs the phone.
  ///
  /// - Parameters:
  ///   - completion: the setting; nil for none.
  ///   - gap: the most seconds between two calls.
  ///   - isGood: whether every answer has good values, and no process ends.
  private static func life(
    _ random: inout SplitMix64, completion: String?, snippet: String, gap: ClosedRange<Int>, isGood: Bool = false
  ) -> [String] {
    let settings = completion.map { #","settings":{"completion":"\#($0)"}"# } ?? ""
    var at = 1_767_225_600
    var lines = [
      #"{"op":"device","ios":"17.4","snippet":"\#(snippet)"\#(settings)}"#, #"{"op":"register","at":\#(at)}"#,
    ]
    for number in 1...Int.random(in: 5...25, using: &random) {
      at += Int.random(in: gap, using: &random)
      // Some lives lead across a border of windows.
      if number == 4, Bool.random(using: &random) {
        at = 1_767_225_600 + 172_800 - Int.random(in: 0...4, using: &random)
      }
      switch Int.random(in: 0...9, using: &random) {
      case 0: lines.append(#"{"op":"details","at":\#(at)}"#)
      case 1: lines.append(#"{"op":"revenue","at":\#(at),"amount":\#(number),"currency":"USD"}"#)
      case 2 where !isGood: lines.append(#"{"op":"relaunch","at":\#(at)}"#)
      default:
        let answer = answers[isGood ? 0 : Int.random(in: 0..<answers.count, using: &random) / 2]
          .replacing("FINE", with: "\(number)")
        let took = Int.random(in: 0...5, using: &random)
        let completes =
          completion == "deferred" && !isGood && Bool.random(using: &random)
          ? #","completion_took":\#(Int.random(in: 0...6, using: &random))"# : ""
        lines.append(
          #"{"op":"event","name":"e\#(number)","at":\#(at),"took":\#(took)\#(completes),"answer":\#(answer)}"#)
      }
    }
    return lines
  }

  @Test(
    "One result a step, one holder of the lock, in the order of the calls; a death loses nothing that was stored",
    arguments: ["skan4", "skan4-beta", "skan3"])
  func lock(snippet: String) throws {
    for round in Rounds.of(40) {
      var random = SplitMix64(seed: UInt64(round))
      let completion = ["deferred", "deferred", "sync", "never"].randomElement(using: &random)
      let lines = Self.life(&random, completion: completion, snippet: snippet, gap: 0...4)
      let results = try runList(lines)
      #expect(results.count == lines.count, "\(lines)")
      var free = Instant.listStart
      for result in results {
        guard let course = result.course, let requestedAt = course.requestedAt else { continue }
        // A clock that is never set back: the order of the list is that of the calls.
        #expect(requestedAt >= free && requestedAt >= result.at, "\(round) \(result.json)")
        free = course.answeredAt ?? result.endedAt
        #expect(result.endedAt >= free)
        if course.answeredAt == nil { #expect([.killed, .crashed].contains(result.report.outcome)) }
      }
      // The keys of the store never vanish, whatever dies.
      for result in results where result.report.outcome == .killed {
        let death = results.first { $0.step.operation.name == "relaunch" && $0.at == result.endedAt }
        if let death { #expect(result.device.kept == death.device.kept) }
        #expect(result.report.handler == nil && !result.device.process.isLockHeld)
      }
    }
  }

  @Test(
    "Calls that do not overlap give the same with every way of completion, but for its time",
    arguments: ["skan4", "skan4-beta", "skan3"])
  func apart(snippet: String) throws {
    for round in Rounds.of(20) {
      func results(_ completion: String?) throws -> [JSON] {
        var random = SplitMix64(seed: UInt64(round))
        return try runList(
          Self.life(&random, completion: completion, snippet: snippet, gap: 10...20, isGood: true)
        ).dropFirst().map { result in
          // Only a phone whose calls overlap has this finding.
          result.report.found = result.report.found.filter { $0.kind != .storedInLaterWindow }
          guard case .object(let members) = result.json else { return .null }
          return .object(members.filter { !["requested_at", "ended_at"].contains($0.key) })
        }
      }
      let expected = try results(nil)
      for completion in ["sync", "deferred"] { #expect(try results(completion) == expected, "\(completion) \(round)") }
    }
  }

  @Test("Results come in the order of the list, with those of other phones and the lines between them")
  func order() throws {
    let lines = [
      #"{"op":"device","device":"a","settings":{"completion":"deferred"}}"#,
      #"{"op":"device","device":"b"}"#, #"{"op":"register","device":"a","at":"2026-01-01T00:00:00Z"}"#,
      #"{"op":"session","device":"a","at":"+1s","took":"9s","label":"first"}"#,
      #"{"op":"register","device":"b","at":"2026-01-01T00:00:00Z","label":"second"}"#,
      "# a comment",
      #"{"op":"session","device":"a","at":"+2s","skip":"not yet","label":"third"}"#,
      #"{"op":"details","device":"a","at":"+20s","label":"fourth"}"#,
    ]
    final class Watcher: StepObserver {
      var seen: [String] = []
      func wantsResult(of step: Step) -> Bool { true }
      func observe(_ event: StepEvent, of step: Step, in reader: ListReader) -> Bool {
        let line = reader.withCurrentLine { unsafe String(decoding: $0, as: UTF8.self) }
        seen.append(
          "\(reader.location.line) \(step.label ?? "-") \(line.contains(step.label ?? step.operation.name) ? "own line" : line)"
        )
        return true
      }
    }
    let watcher = Watcher()
    let phones = ListPhones(StepRunner())
    let reader = ListReader("list", ByteSource(Array(lines.joined(separator: "\n").utf8)))
    let run = ListRun(reader, on: phones, observer: watcher) { step in
      do throws(StepError) { return .ran(try phones.run(step)) } catch { return .failed(error) }
    }
    guard case .finished = run.run() else { return #expect(Bool(false)) }
    #expect(
      watcher.seen == [
        "1 - own line", "2 - own line", "3 - own line", "4 first own line", "5 second own line", "7 third own line",
        "8 fourth own line",
      ])
  }

  @Test(
    "A duration of the completion is refused where Apple's completion has no time of its own",
    arguments: ["", #","settings":{"completion":"sync"}"#, #","settings":{"completion":"never"}"#])
  func unused(settings: String) throws {
    #expect(throws: StepError.completionTookUnused) {
      try runList([
        #"{"op":"device"\#(settings)}"#, #"{"op":"register","at":1767225600}"#,
        #"{"op":"session","at":"+1s","completion_took":"1s"}"#,
      ])
    }
  }

  @Test("A step without a time, and one with after, count from the end of the step before")
  func afterTheEnd() throws {
    let results = try runList([
      #"{"op":"device","settings":{"completion":"deferred"}}"#, #"{"op":"register","at":"2026-01-01T00:00:00Z"}"#,
      #"{"op":"session","at":"+1s","took":"3s","answer":{"json":{"conversion_value":1,"status":"ok"}}}"#,
      #"{"op":"event","name":"a","at":"+2s","took":"1s","answer":{"json":{"conversion_value":2,"status":"ok"}}}"#,
      #"{"op":"details"}"#, #"{"op":"event","name":"b","after":"1s","took":"1s","answer":{"json":{"status":"ok"}}}"#,
      #"{"op":"details","after":"1s"}"#,
    ])
    #expect(results.map(\.at) == [0, 0, 1, 2, 5.05, 6.05, 8.05].map { moment($0) })
    #expect(results.map(\.endedAt) == [0, 0, 4.05, 5.05, 5.05, 7.05, 8.05].map { moment($0) })
  }

  @Test(
    "Without the setting a step that begins before the end of the one before overlaps; before its beginning the clock went back",
    arguments: [
      ("+9s", .clockWentBack(TimeSpan(seconds: 6 as Int64))), ("+10s", .overlaps(TimeSpan(seconds: 5 as Int64))),
      ("+12s", .overlaps(TimeSpan(seconds: 3 as Int64))), ("+15s", nil),
    ] as [(String, Warning?)])
  func overlaps(at: String, expected: Warning?) throws {
    let report = try #require(
      try runList([
        #"{"op":"register","at":"2026-01-01T00:00:00Z"}"#,
        #"{"op":"session","at":"+10s","took":"5s","answer":{"json":{"status":"ok"}}}"#,
        #"{"op":"details","at":"\#(at)"}"#,
      ]).last?.report)
    #expect(report.warnings == [expected].compactMap(\.self))
    #expect(report.hasFinding == (expected?.level == .finding))
    #expect(report.firstFinding == (expected?.level == .finding ? .overlaps : nil))
  }
}
