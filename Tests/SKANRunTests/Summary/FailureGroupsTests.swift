import SKANBase
import Testing

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
    for step in steps { groups.add(step, of: list, isStrict: isStrict) }
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
