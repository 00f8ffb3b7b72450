import Foundation
import SKANJSON
import Testing

@testable import SKANReplay

/// The lists under `fixtures` meet all their expectations: those of `conformance` were produced by the published code.
@Suite("The lists under fixtures")
struct FixtureListTests {
  static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "fixtures")

  /// Every list, by its path under `fixtures`.
  static let lists: [String] = {
    let paths = FileManager.default.enumerator(atPath: fixtures.path)?.compactMap { $0 as? String } ?? []
    // Those of the end-to-end cases belong to the cases, and some are wrong on purpose.
    return paths.filter { $0.hasSuffix(".jsonl") && !$0.hasPrefix("end-to-end/") }.sorted()
  }()

  @Test("There are more than 80, of all four kinds")
  func count() {
    #expect(Self.lists.count > 80)
    for (beginning, count) in [
      ("conformance/skan3/", 18), ("conformance/skan4/", 18), ("conformance/skan4-beta/", 18), ("hazards/", 20),
      ("life-cycle/", 4), ("first-month", 1),
    ] {
      #expect(Self.lists.count { $0.hasPrefix(beginning) } >= count, "\(beginning)")
    }
  }

  @Test("Nothing is wrong with any of them, and all their expectations are met", arguments: lists)
  func met(list: String) throws {
    let bytes = Array(try Data(contentsOf: Self.fixtures.appending(path: list)))
    #expect(EventListReader.check(bytes).map { "\($0.line): \($0.problem.message)" } == [])
    var reader = EventListReader(declaresDevices: EventListReader.declaresDevices(bytes))
    var lists = ListRunner(StepRunner())
    var expectations = 0
    for (line, text) in EventListReader.lines(of: bytes) {
      guard let step = try reader.step(from: text) else { continue }
      let result = try lists.run(step)
      guard !step.expectations.isEmpty else { continue }
      let json = result.json
      for verdict in step.expectations.map({ $0.verdict(on: json) }) {
        expectations += 1
        #expect(verdict.isMet, "\(list):\(line) \(JSONWriter.text(verdict.json))")
      }
    }
    #expect(expectations > 0)
  }

  @Test(
    "A list lives twice alike",
    arguments: ["first-month.jsonl", "hazards/answer-in-next-window.jsonl", "conformance/skan4/11_revenue.jsonl"])
  func repeatable(list: String) throws {
    let bytes = Array(try Data(contentsOf: Self.fixtures.appending(path: list)))
    func once() throws -> [String] {
      var reader = EventListReader()
      var lists = ListRunner(StepRunner())
      return try EventListReader.lines(of: bytes).compactMap { _, line in
        try reader.step(from: line).map { JSONWriter.text(try lists.run($0).json) }
      }
    }
    #expect(try once() == once())
  }
}
