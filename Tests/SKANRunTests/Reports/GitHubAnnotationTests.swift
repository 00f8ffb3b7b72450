import SKANBase
import Testing

@testable import SKANDevice
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
        #"::error file=lists/a.jsonl,line=3,title=skan replay::details.a: expected "x", got null (2 times: ann, ben)"#
          + Self.sentence,
        #"::error file=lists/a.jsonl,line=5,title=skan replay::details.a: expected "y", got null (ann)"#
          + Self.sentence,
      ])
  }

  /// How the sample's steps end.
  private static let sentence = "%0Aread: \(Explanation.detailsRead(0))"

  @Test("With the label of the first of them, its sentence, and what came")
  func account() {
    var step = failed(3, "x")
    step.label = "first launch"
    step.exchanges = [.page]
    let words = #"details.a: expected "x", got null%0Afirst launch\#(Self.sentence)"#
    let exchange = "%0Aanswer: HTTP 500, text/html: <html>SECRET\\n%0Arequest: GET https://h/api?a=REDACTED&n=x"
    #expect(lines([step]) == ["::error file=lists/a.jsonl,line=3,title=skan replay::\(words)\(exchange)"])
    step = .ran(4) {
      $0.fault = EndpointFault(failure: .badAnswer, reason: "read: \(Explanation.detailsRead(0))")
      $0.exchanges = [.page]
    }
    #expect(
      lines([step]) == [
        "::error file=lists/a.jsonl,line=4,title=skan replay::the endpoint failed: read: \(Explanation.detailsRead(0))"
          + exchange
      ])
  }

  @Test("A list that cannot run is annotated at the place of its mistake")
  func places() {
    var report = report(of: [list("a.jsonl")])
    report.lists[0].problems = [
      .init("b.jsonl:3:7: no op", at: .init(file: "b.jsonl", line: 3, column: 7, message: "no op")),
      .init("and 1 more problems"),
    ]
    #expect(
      GitHubAnnotations.lines(of: report) == [
        "::error file=b.jsonl,line=3,col=7,title=skan replay::no op",
        "::error file=a.jsonl,title=skan replay::and 1 more problems",
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
