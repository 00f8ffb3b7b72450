import SKANDevice
import SKANModel
import SKANRun
import Testing

@testable import SKANBacktest

/// Which of several models a comparison recommends, and what it says is lost.
@Suite struct RecommendationTests {
  /// A model with a value for revenue from each amount on, in dollars.
  private func model(
    _ name: String, fine: [Double] = [], coarse: PerWindow<[Double]> = PerWindow(repeating: []), event: String? = nil
  ) -> BacktestModel {
    func mapping(_ least: Double) -> ValueMapping {
      var mapping = ValueMapping()
      mapping.events = [MappedEvent(name: MappedEvent.allRevenue, revenue: RevenueCondition(min: least))]
      return mapping
    }
    var model = ConversionModel()
    if let event {
      var mapping = ValueMapping()
      mapping.events = [MappedEvent(name: event)]
      model.fine = [ConversionModel.FineMapping(value: 1, mapping: mapping)]
    }
    model.fine += fine.enumerated().map { ConversionModel.FineMapping(value: Int64($0) + 2, mapping: mapping($1)) }
    for window in ConversionWindow.allCases {
      model.windows[window].coarse = zip(CoarseValue.allCases, coarse[window]).map {
        ConversionModel.CoarseMapping(value: $0, mapping: mapping($1))
      }
    }
    return BacktestModel(name: name, hash: 1, model)
  }

  /// One user, who pays in each window, and one who is too young for the second window 35 days later and pays in the
  /// first.
  private func report(
    _ models: [BacktestModel], pays: [Double] = [8, 16, 4], hasYoung: Bool = false
  ) throws -> BacktestReport {
    let end = Instant(microseconds: (8_640_000 + 35 * 86_400) * 1_000_000)
    let run = BacktestRun(BacktestPlan(models, currency: .usd, until: hasYoung ? end : .afterAll))
    let hours = [1, 72, 240]
    let lines =
      [#"{"op":"register","at":8640000}"#]
      + zip(pays, hours).filter { $0.0 != 0 }.flatMap { amount, hours in
        let time = 8_640_000 + hours * 3600
        return [
          #"{"op":"revenue","amount":\#(amount),"currency":"USD","at":\#(time)}"#,
          #"{"op":"event","name":"purchase","at":\#(time)}"#,
        ]
      }
    let start = 8_640_000 + 30 * 86_400
    let young =
      hasYoung
      ? [
        #"{"op":"register","device":"y","at":\#(start)}"#,
        #"{"op":"revenue","device":"y","amount":8,"currency":"USD","at":\#(start + 60)}"#,
        #"{"op":"event","device":"y","name":"purchase","at":\#(start + 60)}"#,
        #"{"op":"revenue","device":"y","amount":500,"currency":"USD","at":\#(start + 3 * 86_400)}"#,
      ] : []
    // A list without device steps has one phone.
    for lines in [lines, young] where !lines.isEmpty {
      try run.add(ListReader("list", ByteSource(Array(lines.joined(separator: "\n").utf8))))
    }
    return BacktestReport(try run.summary(jobs: 1))
  }

  private static let all = PerWindow<[Double]>([8], [16], [4])

  @Test("The least error over all three postbacks decides, not that of the first one") func leastError() throws {
    let only = model("fine.json", fine: [8])
    let coarse = model("coarse.json", fine: [7], coarse: Self.all)
    let recommendation = try #require(Recommendation(try report([only, coarse])))
    #expect(
      recommendation.model == nil && recommendation.certainty == 651
        && recommendation.errors == [20_000_000, 1_000_000])
    #expect(
      recommendation.sentence
        == "coarse.json and fine.json cannot be told apart (better than fine.json in 651 of 1000 resamples of the devices): over all three postbacks its average error per user is 1.0000 USD (total error 3.6 % of "
        + "revenue), that of fine.json 20.0000 (71.4 %); what is lost with it: in P0 fine.json has an average error of "
        + "0.0000 instead of 1.0000.")
  }

  @Test("Each window counts the devices that have ended it, and all windows weigh the same") func eachWindow() throws {
    let report = try report([model("a", fine: [8]), model("b", coarse: Self.all)], hasYoung: true)
    #expect(ConversionWindow.allCases.map(report.tally.devices(in:)) == [2, 1, 1])
    let recommendation = try #require(Recommendation(report))
    #expect(recommendation.errors == [20_000_000, 16_000_000])
    #expect(recommendation.averages == [20_000_000, 8_000_000])
    #expect(
      recommendation.sentence.hasPrefix(
        "b and a cannot be told apart (better than a in 651 of 1000 resamples of the devices): over all three postbacks its average error per user is 8.0000 USD (total error 28.6 % of revenue), that "
          + "of a 20.0000 (71.4 %); "))
    let rows = report.recommendation.rows.filter { $0[1] == "a" }.map { $0.dropFirst(2).joined(separator: " ") }
    #expect(
      rows == [
        "100.0 % 16.00 16.00 0.0 % 0.0000 0.0 %", "0.0 % 16.00 0.00 -100.0 % 16.0000 100.0 %",
        "0.0 % 4.00 0.00 -100.0 % 4.0000 100.0 %", "   -71.4 % 20.0000 71.4 %",
      ])
    #expect(report.headline.contains { $0.hasSuffix(": P0 2, P1 1 and P2 1") })
    #expect(report.recommendation.charts[0].rows.map { $0.bars[0].text } == ["71.4 %", "28.6 %"])
  }

  @Test("What others tell is named: tier 1, and the events that no longer give a value") func whatOthers() throws {
    let best = model("a", fine: [8], coarse: PerWindow([], [16], [4]))
    let other = model("b", fine: [2], coarse: Self.all, event: "level_5")
    let third = model("c", event: "__SESSION__")
    let sentence = try #require(Recommendation(try report([other, best, third]))).sentence
    #expect(
      sentence
        == "a and b cannot be told apart (better than b in 651 of 1000 resamples of the devices): over all three postbacks its average error per user is 0.0000 USD (total error 0.0 % of revenue), that "
        + "of b 6.0000 (21.4 %) and that of c 28.0000 (100.0 %); what is lost with it: with tier 1 b has an average error of "
        + "0.0000 instead of 8.0000; a session gives no value; level_5 gives a value by revenue alone.")
  }

  @Test("Without a loss it says so, and of two models with one name each has its number") func withoutLoss() throws {
    let sentence = try #require(Recommendation(try report([model("m", fine: [2]), model("m", fine: [8])]))).sentence
    #expect(
      sentence.hasPrefix("m (2) and m (1) cannot be told apart ")
        && sentence.hasSuffix("; nothing that the others report is lost."))
  }

  @Test("Where no model is better, none is recommended") func whereNo() throws {
    let (tells, none) = (model("a", fine: [8]), model("b", event: "x"))
    for (models, pays, says) in [
      ([tells, none], [0, 0, 0], "No model is recommended: the input has no revenue."),
      ([none, none], [8, 0, 0], "No model is recommended: none says anything about revenue."),
      (
        [tells, tells], [10, 0, 0], "No model is better than the others: the total error of each is 20.0 % of revenue."
      ),
    ] as [([BacktestModel], [Double], String)] {
      let recommendation = try #require(Recommendation(try report(models, pays: pays)))
      #expect(recommendation.model == nil && recommendation.sentence == says)
    }
    #expect(Recommendation(try report([tells])) == nil)
  }
}
