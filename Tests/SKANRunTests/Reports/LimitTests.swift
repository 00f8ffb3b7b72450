import SKANBase
import SKANDevice
import TestSupport
import Testing

@testable import SKANRun

@Suite("Both sides of every limit")
struct LimitTests {
  private static func failures(_ count: Int) -> [StepRecord] {
    (0..<count).map { .failed($0, .unmet("a", .integer(Int64($0)), .null)) }
  }

  @Test func `They are what the manual says`() {
    #expect(LineReader.longest == 1_048_576 && LineReader.mostPassedOver == 67_108_864 && DeviceFile.format == 3)
    #expect(FailureGroups.mostGroups == 1000 && FailureGroups.mostPhones == 100_000 && FailureGroups.mostNames == 5)
    #expect(ErrorTally.mostKinds == 1000 && ErrorTally.longestText == 200 && GitHubAnnotations.most == 50)
  }

  @Test("A report in Markdown: lists and failed steps")
  func markdown() throws {
    try expectRest(beyond: 200, "lists") { count in
      ReportForm.markdown.text(of: report(of: (0..<count).map { list("l\($0)") }))
    }
    try expectRest(beyond: 50, "failed steps") { count in
      ReportForm.markdown.text(of: report(of: [list("l", Self.failures(count))]))
    }
    expectLimit(4000, "the characters of a step") { count in
      // Four lines and the words of the expectation are around the text.
      let around = StepRecord.failed(1, .unmet("a", .string(""), .null)).account
        .joined(separator: "\n").count
      let step = StepRecord.failed(1, .unmet("a", .string(String(repeating: "x", count: count - around)), .null))
      return !ReportForm.markdown.text(of: report(of: step)).contains("… (cut)")
    }
  }

  @Test("Annotations: of fifty-one the last two are counted, since the line that counts them is one of fifty")
  func annotations() {
    for count in [49, 50, 51, 52] {
      var report = report(of: [list("a.jsonl")])
      report.lists[0].problems = (0..<count).map { ListRecord.Problem("p\($0)") }
      let lines = GitHubAnnotations.lines(of: report)
      #expect(lines.count == min(count, 50))
      let rest = count > 50 ? "::error title=skan replay::and \(count - 49) more" : nil
      #expect(lines.last { $0.contains("more") } == rest)
    }
  }

  @Test("A report in JUnit's form: the steps with findings of a list")
  func junit() throws {
    try expectRest(beyond: 1000, "findings") { count in
      let steps = (0..<count).map { StepRecord.ran($0) { $0.findings = [.emptyName] } }
      return ReportForm.junit.text(of: report(of: [list("l", steps)]))
    }
  }

  @Test("A page: the steps up to which those that passed are explained")
  func page() {
    expectLimit(2000, "steps") { count in
      let page = ReportForm.html.text(of: report(of: [list("l", (0..<count).map { .ran($0) })]))
      return page.contains("Nothing is kept yet")
    }
  }

  @Test("The rows of a summary, the phones of a group, and the characters of a value")
  func summary() {
    expectLimit(50, "failures") { count in
      var summary = ListSummary()
      for step in Self.failures(count) { summary.failures.add(step, of: "l") }
      let part = SummaryReport(ReplayCounts(), summary).failureParts[0]
      return part.rows.count == count && part.notes.isEmpty
    }
    expectLimit(5, "phones") { count in
      var groups = FailureGroups()
      for number in 0..<count {
        var step = StepRecord.failed(1, .unmet("a", .null, .bool(true)))
        step.device = "p\(number)"
        groups.add(step, of: "l")
      }
      return groups.groups[0].phones.count == count && groups.groups[0].morePhones == 0
    }
    expectLimit(80, "a value") { count in
      let step = StepRecord.failed(1, .unmet("a", .null, .string(String(repeating: "x", count: count - 2))))
      let kind = FailureKind.all(of: step)[0].text
      let isCut = kind.contains("…")
      #expect(step.summary.contains("…") == isCut)
      return !isCut
    }
  }

  @Test("The variables that a message names")
  func variables() throws {
    try expectRest(beyond: 20, "variables") { count in
      let pairs = (0..<count).map { ("v\($0)", "x") }
      var options = ListReader.Options()
      options.variables = Variables(Dictionary(uniqueKeysWithValues: pairs))
      return try read(#"{"op":"event","name":"${zzzzzz}"}"#, options).flatMap(\.problems).map(\.problem.message)
        .joined()
    }
  }
}
