import Foundation
import SKANBase
import TestSupport
import Testing

@testable import SKANRun

/// The lists under `fixtures` meet all their expectations: those of `conformance` were produced by the published code.
@Suite("The lists under fixtures")
struct FixtureListTests {
  static let fixtures = Checkout.fixtures

  /// Every list, by its path under `fixtures`.
  static let lists: [String] = {
    let paths = FileManager.default.enumerator(atPath: fixtures.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".jsonl") }.sorted()
  }()

  @Test("There are more than 90, of all five kinds")
  func count() {
    #expect(Self.lists.count > 90)
    for (beginning, count) in [
      ("conformance/skan3/", 18), ("conformance/skan4/", 18), ("conformance/skan4-beta/", 18), ("hazards/", 20),
      ("belief-and-truth/", 14),
      ("life-cycle/", 4), ("first-month", 1),
    ] {
      #expect(Self.lists.count { $0.hasPrefix(beginning) } >= count, "\(beginning)")
    }
  }

  @Test("Nothing is wrong with any of them, and all their expectations are met", arguments: lists)
  func met(list: String) throws {
    let text = String(decoding: try Data(contentsOf: Self.fixtures.appending(path: list)), as: UTF8.self)
    #expect(try check(text).map { "\($0.line): \($0.problem.message)" } == [])
    let lists = ListRunner(StepRunner())
    var expectations = 0
    for line in try read(text) {
      guard let step = line.step else { continue }
      let result = try lists.run(step)
      guard !step.expectations.isEmpty else { continue }
      let json = result.json
      for verdict in step.expectations.map({ $0.verdict(on: json) }) {
        expectations += 1
        #expect(verdict.isMet, "\(list):\(line.line) \(JSONWriter.text(verdict.json))")
      }
    }
    #expect(expectations > 0)
  }

  @Test(
    "A list runs twice alike",
    arguments: ["first-month.jsonl", "hazards/answer-in-next-window.jsonl", "conformance/skan4/11_revenue.jsonl"])
  func repeatable(list: String) throws {
    let text = String(decoding: try Data(contentsOf: Self.fixtures.appending(path: list)), as: UTF8.self)
    func once() throws -> [String] {
      try runList(text.split(separator: "\n").map(String.init)).map { JSONWriter.text($0.json) }
    }
    #expect(try once() == once())
  }
}
