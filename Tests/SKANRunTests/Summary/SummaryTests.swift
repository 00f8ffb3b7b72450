import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("Failures that are alike")
struct FailureGroupsTests {
  private func step(_ phone: String, _ line: Int, _ window: Int64 = 0, finding: Bool = false) -> StepRecord {
    .ran(line) {
      $0.device = phone
      $0.failures = [.unmet("window", .integer(window), .integer(9))]
      if finding { $0.findings = [.emptyName] }
    }
  }

  private func groups(_ steps: [StepRecord], isStrict: Bool = false, of list: String = "l") -> FailureGroups {
    var groups = FailureGroups()
    for var step in steps {
      step.isStrict = isStrict
      groups.add(step, of: list)
    }
    return groups
  }

  private func rows(_ groups: FailureGroups) -> [String] {
    groups.sorted.map { group in
      "\(group.count) \(group.first) \(group.phones.map(\.name).joined(separator: ","))+\(group.morePhones)"
        + "\(group.hasUncountedPhones ? "…" : "") \(group.text)"
    }
  }

  @Test("By what was expected and found; the most frequent first, then the first")
  func order() {
    let groups = groups([step("a", 1, 1), step("b", 2, 2), step("a", 3, 2), step("c", 4, 1), step("b", 5, 2)])
    #expect(
      rows(groups) == [
        "3 lists/a.jsonl:2 b,a+0 window: expected 2, got 9", "2 lists/a.jsonl:1 a,c+0 window: expected 1, got 9",
      ])
  }

  @Test("Findings are failures where that is asked")
  func findings() {
    let steps = [step("a", 1, finding: true)]
    #expect(rows(groups(steps)).count == 1)
    #expect(
      rows(groups(steps, isStrict: true))[1] == "1 lists/a.jsonl:1 a+0 finding: The event name is empty. [empty-name]")
  }

  @Test("Five phones are named, the others counted; the same phone once")
  func names() {
    let groups = groups((0..<20).map { step("p\($0 % 9)", $0) })
    #expect(rows(groups) == ["20 lists/a.jsonl:0 p0,p1,p2,p3,p4+4 window: expected 0, got 9"])
  }

  @Test("Too many phones, and too many groups, are said to be more")
  func limits() {
    let phones = groups((0..<FailureGroups.mostPhones + 2).map { step("p\($0)", $0) })
    #expect(rows(phones)[0].hasPrefix("100002 lists/a.jsonl:0 p0,p1,p2,p3,p4+99995…"))
    let kinds = groups((0..<FailureGroups.mostGroups + 2).map { step("p", $0, Int64($0)) })
    #expect(kinds.groups.count == FailureGroups.mostGroups && kinds.others == 2)
  }

  @Test("The groups of several lists: phones of the same name in two lists are two")
  func sum() {
    var sum = groups([step("a", 1), step("b", 2)])
    sum += groups([step("a", 3), step("a", 4, 7)], of: "m")
    #expect(
      rows(sum) == [
        "3 lists/a.jsonl:1 a,b,a+0 window: expected 0, got 9", "1 lists/a.jsonl:4 a+0 window: expected 7, got 9",
      ])
    #expect(sum.sorted[0].phones.map(\.list) == ["l", "l", "m"])
    var many = groups((0..<8).map { step("p\($0)", $0) })
    many += groups((4..<12).map { step("p\($0)", $0) })
    #expect(rows(many)[0].hasPrefix("16 lists/a.jsonl:0 p0,p1,p2,p3,p4+7 "))
  }

  @Test("Phones that one list did not count are uncounted in the sum as well")
  func uncounted() {
    let many = groups((0..<FailureGroups.mostPhones + 2).map { step("p\($0)", $0) }, of: "m")
    var sum = groups([step("a", 1)])
    sum += many
    #expect(sum.sorted.map(\.hasUncountedPhones) == [true] && sum.sorted[0].count == FailureGroups.mostPhones + 3)
  }
}

@Suite("Errors by their texts")
struct ErrorTallyTests {
  private func tally(_ reports: [(Outcome, Explanation)]) -> ErrorTally {
    var tally = ErrorTally()
    for (outcome, explanation) in reports { tally.count(StepReport(outcome, explanation), Redactor(key: "secret")) }
    return tally
  }

  private func rows(_ tally: ErrorTally) -> [String] {
    tally.sorted.map { "\($0.count) \($0.kind.outcome.name) \($0.kind.text)" }
  }

  @Test("What is an error, and in whose words")
  func texts() {
    let tally = tally([
      (.serverError, .refused("no such app")), (.updated, .nothingToUpdate),
      (.serverError, .withoutHandler(.refused("no such app"))), (.transportError, .noAnswer("timed out")),
      (.serverError, .refusedWithoutCurrentValue("")), (.unparsable, .notJSON("line 1")), (.read, .detailsRead(0)),
      (.crashed, .answerCrashed("a string")),
    ])
    #expect(
      rows(tally) == [
        "2 server-error no such app", "1 server-error ", "1 unparsable line 1", "1 transport-error timed out",
        "1 crashed a string",
      ])
  }

  @Test("Long texts are cut, and too many are only counted")
  func limits() {
    let long = tally([(.serverError, .refused(String(repeating: "x", count: 1 << 20)))])
    #expect(long.sorted[0].kind.text.count == ErrorTally.longestText + 1)
    var many = tally((0..<1003).map { (.serverError, .refused("\($0)")) })
    #expect(many.sorted.count == ErrorTally.mostKinds && many.others == 3)
    many += tally([(.serverError, .refused("0")), (.serverError, .refused("new"))])
    #expect(many.sorted[0].count == 2 && many.others == 4)
  }

  @Test("Texts that differ in the key alone are one, and a key is taken out before it is cut")
  func redacted() {
    let long = String(repeating: "x", count: ErrorTally.longestText - 3) + "secret"
    let tally = tally([
      (.serverError, .refused("a secret")), (.serverError, .refused("a SECRET")), (.read, .refused(long)),
    ])
    #expect(tally.sorted.map(\.kind.text).first == "a REDACTED" && tally.sorted[0].count == 2)
    #expect(tally.sorted[1].kind.text.hasSuffix("xxxRED…"))
  }

  @Test("The sum of two")
  func sum() {
    var sum = tally([(.serverError, .refused("a"))])
    sum += tally([(.serverError, .refused("b")), (.serverError, .refused("a"))])
    #expect(rows(sum) == ["2 server-error a", "1 server-error b"] && sum.others == 0)
  }
}

/// Every number of the totals, as reflection finds them, is that of both parts.
@Suite("Totals add up in every number")
struct TotalsTests {
  private var random = SplitMix64(seed: 3)

  private mutating func number() -> Int { .random(in: 1...1000, using: &random) }

  private mutating func counts() -> ReplayCounts {
    var counts = ReplayCounts()
    (counts.lists, counts.skipped, counts.expectations) = (number(), number(), number())
    (counts.failures, counts.elsewhere) = (number(), number())
    for outcome in Outcome.allCases {
      for _ in 0...number() % 3 {
        counts.count(StepReport(outcome, .nothingToUpdate, [.emptyName]))
      }
    }
    for line in 0...number() % 3 {
      counts.count(.ran(line) { $0.fault = EndpointFault(failure: .badAnswer, reason: "bad") })
    }
    return counts
  }

  @Test mutating func replays() {
    let (one, two) = (counts(), counts())
    var sum = one
    sum += two
    #expect(Numbers(sum).differences(from: Numbers(one) + Numbers(two)) == [])
    // Those of steps with a remote endpoint or a clock that goes back, which have their own tests.
    #expect(Numbers(sum).silent == ["updates", "updatesSucceeded", "setBacks"])
  }
}

@Suite("Values of phones at the end of a list")
struct PhoneTallyTests {
  /// The phones of a list after its steps.
  private func tally(_ list: String) -> PhoneTally {
    let phones = ListPhones(StepRunner(), keepsNames: true)
    let reader = ListReader("l", ByteSource(Array(list.utf8)))
    let counter = SummaryObserver(
      RunSettings(includes: IncludePermission(folders: [], target: { $0 })), of: "l", groupsFailures: true)
    let run = ListRun(reader, on: phones, observer: counter) { step in
      do throws(StepError) { return .ran(try phones.run(step)) } catch { return .failed(error) }
    }
    guard case .finished = run.run() else {
      Issue.record("not finished")
      return PhoneTally()
    }
    var tally = PhoneTally()
    for (index, name) in phones.names.enumerated() { tally.count(phones.phone(at: index), named: name) }
    return tally
  }

  private static let list = """
    {"op":"device","device":"a"}
    {"op":"device","device":"b"}
    {"op":"device","device":"organic","ad":false}
    {"op":"register","device":"a"}
    {"op":"session","device":"a","answer":{"json":{"conversion_value":12,"skan_updated_coarse_value":2,"status":"ok"}}}
    {"op":"event","device":"a","name":"e","at":"+3d","answer":{"json":{"conversion_value":13,"skan_updated_coarse_value":0,"status":"ok"}}}
    {"op":"register","device":"b"}
    {"op":"register","device":"organic"}

    """

  @Test("What Apple holds: the first window's fine value, each window's coarse value, and none of an organic install")
  func values() {
    let tally = tally(Self.list)
    #expect(tally.phones == 3 && tally.withoutFine == 1)
    #expect(tally.fine.enumerated().filter { $1 > 0 }.map { "\($0):\($1)" } == ["0:1", "12:1"])
    #expect(tally.coarse[.p0] == [2, 0, 0, 1])
    #expect(tally.coarse[.p1] == [2, 1, 0, 0] && tally.coarse[.p2] == [3, 0, 0, 0])
  }

  @Test("Postbacks by window, state and value, as of each phone's last step")
  func postbacks() {
    let rows = tally(Self.list).sortedPostbacks.map { kind, count in
      "P\(kind.window.rawValue) \(kind.state.rawValue) \(kind.value.text ?? "-") \(count)"
    }
    #expect(
      rows == [
        "P0 open fine 0 1", "P0 scheduled fine 12 1", "P1 open coarse low 1", "P1 open - 1", "P2 open - 2",
      ])
  }

  @Test("The sum of two is that of all phones")
  func sum() {
    var sum = tally(Self.list)
    let one = sum
    sum += one
    #expect(sum.phones == 6 && sum.fine[12] == 2 && sum.withoutFine == 2 && sum.coarse[.p1] == [4, 2, 0, 0])
    #expect(sum.sortedPostbacks.map(\.count) == one.sortedPostbacks.map { $0.count * 2 })
  }
}
