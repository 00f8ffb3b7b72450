import SKANBase
import Testing

@testable import SKANDevice

@Suite("Events and counts that are remembered")
struct RecordTests {
  private static let kinds: [LifeEvent.Kind] = [
    .register, .session, .event("buy"), .revenue(amount: 2.5, currency: "EUR", isAdMonetization: false),
    .revenue(amount: -1, currency: "", isAdMonetization: true), .update, .relaunch, .forward, .adAttributionKit,
    .reEngagement,
  ]

  /// Reads an event of the history, with the messages about it.
  private static func read(_ json: String) throws -> (event: LifeEvent?, problems: [String]) {
    var outer = JSONObjectReader(try JSONReader.read(Array("{}".utf8)), what: "a test", known: [])
    let event = LifeEvent(try JSONReader.read(Array(json.utf8)), in: &outer)
    return (event, outer.problems.map(\.message))
  }

  @Test("An event is read as it was written, with every outcome and fate")
  func events() throws {
    let calls: [FrameworkCall?] = [nil, .register, .updatePostbackCoarse(fine: 5, coarse: .low, lock: true)]
    for (index, outcome) in Outcome.allCases.enumerated() {
      for kind in Self.kinds {
        let call = calls[index % 3]
        let event = LifeEvent(
          at: moment(index), kind, outcome, call: call,
          fate: call == nil ? nil : CallFate.Kind.allCases[index % CallFate.Kind.allCases.count],
          error: call == nil || index % 2 == 0 ? nil : 10,
          account: [nil, LifeEvent.Account(answeredBy: "x", warnings: Array(WarningCode.allCases.prefix(index)))][
            index % 2])
        let (read, problems) = try Self.read(JSONWriter.text(event.json))
        #expect(read == event && problems == [], "\(event)")
      }
    }
    for (json, count) in [("5", 1), ("[]", 1), ("{}", 2), (#"{"at":1,"op":"session"}"#, 1)] {
      let (event, problems) = try Self.read(json)
      #expect(event == nil && problems.count == count, "\(json): \(problems)")
    }
  }

  @Test("Counts stay with their events when an endpoint has other names")
  func counts() {
    var generator = SplitMix64(seed: 3)
    let names = ["a", "b", "c", "d"]
    for _ in 0..<50 {
      var expected = PerWindow<[String: Int64]>(repeating: [:])
      for window in ConversionWindow.allCases {
        for name in names where Bool.random(using: &generator) {
          expected[window][name] = .random(in: 1...9, using: &generator)
        }
      }
      var counts = EventCounts(expected)
      for _ in 0..<3 {
        let table = NameIndex(
          names.shuffled(using: &generator).prefix(Int.random(in: 0...4, using: &generator)).sorted())
        counts.use(table)
        #expect(counts.windows == expected && counts == EventCounts(expected))
        for (index, name) in table.names.enumerated() {
          for window in ConversionWindow.allCases { #expect(counts[index, window] == expected[window][name] ?? 0) }
        }
      }
    }
  }

  @Test("A refusal for want of a fine value is explained where the phone has none to send")
  func refusals() {
    for snippet in SnippetVersion.allCases {
      for hasValue in [false, true] {
        for reason in ["Invalid parameter skan_current_conversion_value given", "Invalid parameter n given"] {
          for explanation in [Explanation.refused(reason), .withoutHandler(.refused(reason)), .noAnswer(reason)] {
            var device = Device.phone(snippet)
            device.kept.fineValue = hasValue ? .integer(0) : nil
            var report = StepReport(.serverError, explanation)
            report.explainRefusal(of: device)
            let isExplained =
              snippet != .skan3 && !hasValue && reason.contains("skan_current") && explanation != .noAnswer(reason)
            #expect(report.warnings.contains(.currentValueMissing) == isExplained)
            #expect((report.explanation != explanation) == isExplained)
          }
        }
      }
    }
  }
}
