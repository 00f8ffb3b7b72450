import Testing

@testable import SKANDevice
@testable import SKANRun

@Suite("A step that fails for its endpoint, in reports")
struct FailedEndpointReportTests {
  private static let failing = report(
    of: .ran(1),
    .ran(4) {
      $0.op = "session"
      $0.name = "session"
      $0.fate = .ran(.unparsable, explanation: "SECRET is no JSON.")
      $0.fault = EndpointFault(failure: .badAnswer, reason: "unparsable: SECRET is no JSON.")
      $0.exchanges = [.page]
    }, redact: { $0.replacing("SECRET", with: "KEY") })

  @Test("It has failed, and shows what was asked and what came, the key taken out", arguments: ReportForm.allCases)
  func shown(form: ReportForm) {
    let text = form.text(of: Self.failing)
    #expect(!text.contains("SECRET") && !text.contains("replay: passed"), "\(text)")
    let plain = text.replacing("&amp;", with: "&").replacing("&lt;", with: "<").replacing("&gt;", with: ">")
    let words = "unparsable: KEY is no JSON."
    let reason = form == .json ? "\"endpoint_failure\":\"\(words)\"" : "the endpoint failed: \(words)"
    #expect(plain.contains(reason), "\(plain)")
    #expect(plain.contains("https://h/api?a=REDACTED&n=x"), "\(plain)")
    let answer =
      form == .json ? #""body":"<html>KEY\n","content_type":"text/html","size":14,"status":500"# : Self.answer
    #expect(plain.contains(form == .tap ? answer.replacing(#"\n"#, with: #"\\n"#) : answer), "\(plain)")
  }

  private static let answer = #"HTTP 500, text/html: <html>KEY\n"#

  @Test("It counts among the failures of a run")
  func counted() {
    let junit = ReportForm.junit.text(of: Self.failing)
    #expect(junit.contains(#"failures="1""#) && junit.contains(#"type="endpoint""#))
    #expect(ReportForm.tap.text(of: Self.failing).contains("not ok 2 - lists/a.jsonl:4 session"))
    let json = ReportForm.json.text(of: Self.failing)
    #expect(json.contains(#""summary":{"endpoint_failures":1,"#) && json.contains(#""passed":false"#))
    #expect(ReportForm.markdown.text(of: Self.failing).contains("0 failed, 1 failed by the endpoint"))
  }

  @Test("A step that passes shows no exchange")
  func passed() {
    let passed = report(of: .ran(1) { $0.exchanges = [.page] })
    for form in ReportForm.allCases { #expect(!form.text(of: passed).contains("https://h/api")) }
  }

  @Test("An answer in the words of reports")
  func answers() {
    var exchange = StepRecord.Exchange.page
    exchange.size = 301
    #expect(exchange.answerText == #"HTTP 500, text/html: <html>SECRET\n… (301 bytes)"#)
    exchange.contentType = nil
    exchange.size = 0
    #expect(exchange.answerText == "HTTP 500, empty body")
    exchange.status = nil
    #expect(exchange.answerText == #"none: <html>SECRET\n"#)
    exchange.sent = "a=b"
    #expect(exchange.requestText == "GET https://h/api?a=REDACTED&n=x with a=b")
  }
}
