import SKANJSON
import Testing

@testable import SKANRun

@Suite("Annotations of GitHub Actions")
struct GitHubAnnotationTests {
  private func lines(_ steps: [StepRecord], problems: [String] = [], stop: ReplayReport.Stop? = nil) -> [String] {
    var summary = ListSummary()
    for step in steps { summary.failures.add(step, of: step.file, isStrict: false) }
    var counts = ReplayCounts()
    counts.lists = 1
    var report = report(of: [list("a,b:c.jsonl", problems: problems)], stop: stop)
    report.summary = SummaryReport(counts, summary) { $0 }
    return GitHubAnnotations.lines(of: report)
  }

  private func failed(_ line: Int, _ text: String, on phone: String = "") -> StepRecord {
    var step = StepRecord.failed(line, .unmet("details.a", .string(text), .null))
    step.device = phone
    return step
  }

  @Test("Failures that are alike are one, at the first of them")
  func groups() {
    #expect(
      lines([failed(3, "x", on: "ann"), failed(4, "x", on: "ben"), failed(5, "y", on: "ann")]) == [
        #"::error file=lists/a.jsonl,line=3,title=skan replay::details.a: expected "x", got null (2 times: ann, ben)"#,
        #"::error file=lists/a.jsonl,line=5,title=skan replay::details.a: expected "y", got null (ann)"#,
      ])
  }

  @Test("Escaped as the toolkit does: in a property also : and ,")
  func escapes() {
    #expect(
      lines([], problems: ["100 %: wrong\r\nand\nmore"], stop: .error("a,b: c")) == [
        "::error title=skan replay::a,b: c",
        "::error file=a%2Cb%3Ac.jsonl,title=skan replay::100 %25: wrong%0D%0Aand%0Amore",
      ])
  }

  @Test("Fifty at most, and nothing of a run that passes or stops at a failure")
  func limits() {
    let many = lines((1...80).map { failed($0, "\($0)") })
    #expect(many.count == 50 && many.last == "::error title=skan replay::and 31 more")
    #expect(lines([], stop: .atFailure) == [] && lines([.ran(1)]) == [])
  }
}
