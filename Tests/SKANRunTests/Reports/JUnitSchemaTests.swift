import Foundation
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANRun

/// Our schema is what the schemas of Apache Ant's JUnit task and Jenkins's xUnit plugin have in common.
@Suite("The JUnit report and its schema", .enabled(if: XMLLint.path != nil, "xmllint is not on the PATH"))
struct JUnitSchemaTests {
  @Test("Every report is valid", arguments: [false, true])
  func valid(isStrict: Bool) throws {
    let odd = "<&>\"'\n\t\r\u{0}\u{1F}\u{7F}\u{85}\u{2028}\u{FFFE}\u{FFFF}]]>🎉 "
    let steps: [StepRecord] = [
      .ran(1), .skipped(2, odd), .failed(3, .unmet("details.\(odd)", .string(odd), .null)),
      .ran(4) {
        ($0.device, $0.label, $0.name) = (odd, odd, odd)
        $0.findings = [.oddType(field: odd, value: odd, expected: odd)]
      },
      .ran(7, in: odd), .ran(7, in: odd), .ran(1_000_000) { $0.time = TimeSpan(microseconds: -1) },
    ]
    let reports = [
      report(of: []), report(of: [], stop: .error(odd)), report(of: .ran(1), stop: .atFailure),
      report(
        of: [
          list("a.jsonl", steps), list("a.jsonl", steps, problems: [odd, odd]), list("", problems: ["p"]),
          list(" ", steps),
        ], stop: .error("interrupted"), isStrict: isStrict),
    ]
    for report in reports {
      let problems = try XMLLint.problems(of: ReportForm.junit.text(of: report))
      #expect(problems == "")
    }
  }

  @Test(
    "The schema refuses what is wrong",
    arguments: [
      ("name=\"002 ", "name=\"001 "), (" tests=\"2\"", " tests=\"-2\""), ("<properties/>", ""),
      ("time=\"0.001234\"", "time=\"0.1s\""), ("<system-err/>", "<system-err/><testcase/>"), ("\u{2D}04-", "\u{2D}13-"),
      ("T00:00:00", "T00:00:00Z"),
    ])
  func invalid(right: String, wrong: String) throws {
    let text = ReportForm.junit.text(of: report(of: .ran(1), .ran(2))).replacing("2026-01-01", with: "2026-04-01")
    #expect(try XMLLint.problems(of: text) == "")
    let changed = text.replacing(right, with: wrong)
    #expect(changed != text)
    #expect(try XMLLint.problems(of: changed) != "")
  }
}

/// The validator of libxml2.
enum XMLLint {
  static let path = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/xmllint" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  private static let schema = Checkout.fixtures.appendingPathComponent("reports/junit.xsd").path

  /// What is wrong with a document; empty when it is valid.
  static func problems(of document: String) throws -> String {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).xml")
    try Data(document.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(path))
    process.arguments = ["--noout", "--nonet", "--schema", schema, file.path]
    let output = Pipe()
    process.standardError = output
    try process.run()
    let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? "" : words
  }
}
