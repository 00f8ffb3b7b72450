import SKANDevice
import SKANBase
import Testing

@testable import SKANRun

@Suite("Reports")
struct ReplayReportTests {
  /// A report with the secret in every text that can hold one.
  private static let revealing: ReplayReport = {
    var failed = StepRecord.ran(1, in: "lists/secret.jsonl") {
      $0.device = "secret"
      $0.name = "event secret"
      $0.label = "the secret"
      $0.fate = .ran(.transportError, explanation: Explanation.noAnswer("secret").description)
      $0.findings = [.oddType(field: "secret", value: "secret", expected: "secret")]
      $0.expectations = 1
    }
    failed.failures = [
      .unmet("details.secret", .array([.string("secret")]), .object([("secret", .object([("a", .string("secret"))]))]))
    ]
    var skipped = failed
    skipped.fate = .skipped(reason: "secret")
    (skipped.failures, skipped.findings) = ([], [])
    var odd = failed
    odd.failures = []
    return report(
      of: [list("lists/secret.jsonl", [failed, skipped, odd], problems: ["secret"])], stop: .error("secret")
    ) { $0.replacing("secret", with: "REDACTED") }
  }()

  @Test("The key is in none", arguments: ReportForm.allCases, [false, true])
  func redacted(form: ReportForm, isStrict: Bool) {
    var report = Self.revealing
    report.isStrict = isStrict
    let text = form.text(of: report)
    #expect(!text.contains("secret"))
    #expect(text.split(separator: "REDACTED").count > 10)
  }

  @Test("A number that is the key becomes a text")
  func redactedNumber() throws {
    let report = report(of: .failed(1, .unmet("at", .integer(12345), .double(0.5)))) {
      $0 == "12345" ? "REDACTED" : $0
    }
    let steps = try JSONReader.read(ReportForm.json.bytes(of: report)).value["files"]
    #expect(JSONWriter.text(steps ?? .null).contains(#""failures":[{"actual":0.5,"expected":"REDACTED","path":"at"}]"#))
  }

  @Test("A key that a summary would cut is taken out before it is cut")
  func redactedBeforeCut() {
    let value = String(repeating: "x", count: 75) + "secret"
    let report = report(of: .failed(1, .unmet("label", .null, .string(value)))) {
      $0.replacing("secret", with: "REDACTED")
    }
    for form in ReportForm.allCases { #expect(!form.text(of: report).contains("xsec")) }
  }

  @Test("Long values are cut in a summary, and whole in the account")
  func summary() {
    let value = String(repeating: "x", count: 200)
    let step = report(of: []).reported(.failed(1, .unmet("label", .null, .string(value))))
    #expect(step.summary == "label: expected null, got \"\(String(repeating: "x", count: 79))…")
    #expect(step.account.contains("  actual    \"\(value)\""))
  }

  @Test("A step takes little memory, as there may be a million")
  func size() {
    #expect(MemoryLayout<StepRecord>.stride <= 256)
  }
}
