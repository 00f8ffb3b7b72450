import Foundation
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANRun

/// Every hazard of the behaviour reference has a list that shows it.
@Suite("Hazards and their lists")
struct HazardListTests {
  private static let repository = Checkout.root

  private static func article(_ name: String) throws -> String {
    try String(
      contentsOf: repository.appending(path: "Sources/SKANDevice/SKANDevice.docc/\(name).md"), encoding: .utf8)
  }

  private static let lists = FixtureListTests.lists.filter { $0.hasPrefix("hazards/") }

  private static func text(_ list: String) throws -> String {
    try String(contentsOf: FixtureListTests.fixtures.appending(path: list), encoding: .utf8)
  }

  @Test("Each row of the article's tables names a list that is there, and each list is named")
  func named() throws {
    let article = try Self.article("Hazards")
    let rows = article.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| ---") }
    #expect(rows.count > 35)
    for row in rows where !row.hasSuffix("| List |") {
      #expect(row.contains(".jsonl`") || row.contains("| as above |"), "\(row)")
    }
    let names = article.matches(of: /`([a-z0-9-]+\.jsonl)`/).map { "hazards/\($0.output.1)" }
    #expect(Set(names) == Set(Self.lists))
  }

  /// Every code of level finding that the results of all hazards have.
  @Test("Every finding is shown by a list and expected in it", arguments: Warning.findingCodes)
  func findings(code: String) throws {
    let isExpected = try Self.lists.contains {
      try Self.text($0).contains(#""warnings":{"$contains":{"code":"\#(code)"}}"#)
    }
    #expect(isExpected)
  }

  @Test("A step with a finding expects it", arguments: lists)
  func expected(list: String) throws {
    let lists = ListRunner(StepRunner())
    for line in try read(try Self.text(list)) {
      let step = try #require(line.step)
      let result = try lists.run(step)
      guard result.report.warnings.contains(where: { $0.level == .finding }) else { continue }
      #expect(step.expectations.contains { $0.path == "warnings" }, "\(list):\(line.line)")
    }
  }
}

extension Warning {
  /// The codes of level finding, from the manual's own list.
  fileprivate static let findingCodes = [
    "handler-not-called", "lock-leaked", "blocked", "install-poisoned", "app-crashed", "dropped-unregistered",
    "index-mismatch", "odd-type", "name-too-long", "name-not-ascii", "plus-in-name", "empty-name", "empty-currency",
    "idfv-missing", "current-value-missing", "ignored-after-lock", "framework-error-kept",
  ]
}
