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

  @Test func `The least error over all three postbacks decides, not that of the first one`() throws {
    let only = model("fine.json", fine: [8])
    let coarse = model("coarse.json", fine: [7], coarse: Self.all)
    let recommendation = try #require(Recommendation(try report([only, coarse])))
    #expect(recommendation.model == "coarse.json" && recommendation.errors == [20_000_000, 1_000_000])
    #expect(
      recommendation.sentence
        == "Choose coarse.json: over all three postbacks its average error per user is 1.0000 USD (total error 3.6 % of "
        + "revenue), that of fine.json 20.0000 (71.4 %); what is lost with it: in P0 fine.json has an average error of "
        + "0.0000 instead of 1.0000.")
  }

  @Test func `Each window counts the devices that have ended it, and all windows weigh the same`() throws {
    let report = try report([model("a", fine: [8]), model("b", coarse: Self.all)], hasYoung: true)
    #expect(ConversionWindow.allCases.map(report.tally.devices(in:)) == [2, 1, 1])
    let recommendation = try #require(Recommendation(report))
    #expect(recommendation.errors == [20_000_000, 16_000_000])
    #expect(recommendation.averages == [20_000_000, 8_000_000])
    #expect(
      recommendation.sentence.hasPrefix(
        "Choose b: over all three postbacks its average error per user is 8.0000 USD (total error 28.6 % of revenue), that "
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

  @Test func `What others tell is named: tier 1, and the events that no longer give a value`() throws {
    let best = model("a", fine: [8], coarse: PerWindow([], [16], [4]))
    let other = model("b", fine: [2], coarse: Self.all, event: "level_5")
    let third = model("c", event: "__SESSION__")
    let sentence = try #require(Recommendation(try report([other, best, third]))).sentence
    #expect(
      sentence
        == "Choose a: over all three postbacks its average error per user is 0.0000 USD (total error 0.0 % of revenue), that "
        + "of b 6.0000 (21.4 %) and that of c 28.0000 (100.0 %); what is lost with it: with tier 1 b has an average error of "
        + "0.0000 instead of 8.0000; a session and level_5 give no value.")
  }

  @Test func `Without a loss it says so, and of two models with one name each has its number`() throws {
    let sentence = try #require(Recommendation(try report([model("m", fine: [2]), model("m", fine: [8])]))).sentence
    #expect(sentence.hasPrefix("Choose m (2): ") && sentence.hasSuffix("; nothing that the others tell is lost."))
  }

  @Test func `Where no model is better, none is recommended`() throws {
    let (tells, none) = (model("a", fine: [8]), model("b", event: "x"))
    for (models, pays, says) in [
      ([tells, none], [0, 0, 0], "No model is recommended: the input has no revenue."),
      ([none, none], [8, 0, 0], "No model is recommended: none says anything of revenue."),
      (
        [tells, tells], [10, 0, 0], "No model is better than the others: the total error of each is 20.0 % of revenue."
      ),
    ] as [([BacktestModel], [Double], String)] {
      let recommendation = try #require(Recommendation(try report(models, pays: pays)))
      #expect(recommendation.model == nil && recommendation.sentence == says)
    }
    #expect(Recommendation(try report([tells])) == nil)
  }

  @Test func `A comparison has a row for each model in every table, and one model has none for its name`() throws {
    let models = [model("a", fine: [8], coarse: Self.all), model("b", fine: [2], coarse: Self.all)]
    let (one, two) = (try report([models[0]]), try report(models))
    for part in two.parts.filter({ $0.title != "Decoded against true revenue of the first 48 hours" }) {
      let column = try #require(part.columns.firstIndex { $0.name == "model" }, "\(part.title)")
      let rows = Dictionary(grouping: part.rows) { $0[column] }
      #expect(Set(rows.keys).isSubset(of: ["a", "b"]) && rows["b"] != nil, "\(part.title)")
      #expect(part.rows.allSatisfy { $0.count == part.columns.count }, "\(part.title)")
    }
    #expect(one.parts.allSatisfy { part in part.columns.allSatisfy { $0.name != "model" } })
    #expect(two.html.contains("<h2>Words</h2>") && !one.html.contains("<h2>Words</h2>"))
  }

  @Test func `The CSV has what each tier leaves`() throws {
    let rows = try report([model("a", fine: [8], coarse: PerWindow([6], [16], [4]))]).csv.split(separator: "\n").suffix(
      4)
    #expect(
      rows == [
        ",a,0,,1,8.000000,24.000000,28.000000,8.000000,0.000000,8.000000,0,1,1,all",
        ",a,0,,1,8.000000,24.000000,28.000000,8.000000,6.000000,2.000000,1,1,1,all",
        ",a,0,,1,8.000000,24.000000,28.000000,8.000000,8.000000,0.000000,2,1,1,all",
        ",a,0,,1,8.000000,24.000000,28.000000,8.000000,8.000000,0.000000,3,1,1,all",
      ])
  }

  @Test func `A page charts what its tables say: each model's values and number of values, and each tier`() throws {
    let report = try report([model("a", fine: [2, 8]), model("b", fine: [1])])
    let charts = report.parts.flatMap(\.charts)
    #expect(
      charts.map(\.title) == [
        "Total error of all three postbacks, % of revenue", "Revenue of the first 48 hours by fine value of a, in USD",
        "Revenue of the first 48 hours by fine value of b, in USD",
        "Total error of the first postback by tier, % of revenue",
      ])
    let rows = charts.map { $0.rows.map { "\($0.name): \($0.bars.map(\.text).joined(separator: ", "))" } }
    #expect(rows[0] == ["a, 2 values: 71.4 %", "b, 1 value: 96.4 %"])
    #expect(rows[1] == ["3: 8.00, 8.00"] && rows[2] == ["2: 8.00, 1.00"])
    #expect(
      rows[3] == [
        "tier 0: 100.0 %, 100.0 %", "tier 1: 100.0 %, 100.0 %", "tier 2: 0.0 %, 87.5 %", "tier 3: 0.0 %, 87.5 %",
      ])
    #expect(charts.allSatisfy { report.html.contains($0.element) } && charts[0].element.contains("<rect"))
    let alone = try self.report([model("a", fine: [2])]).parts.flatMap(\.charts).map(\.title)
    #expect(alone.first == "Revenue of the first 48 hours by fine value, in USD" && alone.count == 2)
  }
}
