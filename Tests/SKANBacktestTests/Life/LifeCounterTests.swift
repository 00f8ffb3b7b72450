import SKANDevice
import SKANModel
import SKANRun
import Testing

@testable import SKANBacktest

/// Lives whose numbers are reckoned by hand.
@Suite struct LifeCounterTests {
  /// 10 for 5 to 20 USD, 20 for more; the first window is locked at 10. Coarse low and high at the same amounts.
  private static let model = """
    {"fineGrainedConversionValueMappings":[
      {"fineGrainedConversionValue":10,"conversionValueMapping":{"mappedEvents":[{"mappedEventName":"__REVENUE__",
        "eventRevenueRange":{"minEventRevenue":5,"maxEventRevenue":20}}]}},
      {"fineGrainedConversionValue":20,"conversionValueMapping":{"mappedEvents":[{"mappedEventName":"__REVENUE__",
        "eventRevenueRange":{"minEventRevenue":20}}]}}],
     "postbackMappings":[{"postbackSequenceIndex":0,"lockWindowFineConversionValue":10,
       "coarseGrainedConversionValueMappings":{
         "lowConversionValueMapping":{"mappedEvents":[{"mappedEventName":"__REVENUE__",
           "eventRevenueRange":{"minEventRevenue":5}}]},
         "highConversionValueMapping":{"mappedEvents":[{"mappedEventName":"__REVENUE__",
           "eventRevenueRange":{"minEventRevenue":20}}]}}}]}
    """

  private func total(
    _ list: String, rates: String? = nil, daily: [String] = []
  ) throws -> (GroupTally, InputTally) {
    let model = BacktestModel(name: "m.json", hash: 0, try ConversionModel(Array(Self.model.utf8)))
    let plan = BacktestPlan(
      [model],
      rates: daily.isEmpty
        ? try rates.map { try ExchangeRates(Array($0.utf8)) } ?? ExchangeRates()
        : try ExchangeRates(table: Array("date,currency,rate\n\(daily.joined(separator: "\n"))".utf8)),
      currency: .usd, until: .afterAll)
    let run = BacktestRun(plan)
    try run.add(ListReader("list", ByteSource(Array(list.utf8))))
    let summary = try run.summary(jobs: 1)
    return (summary.total, summary.input)
  }

  private func counts(_ p0: Int, _ p1: Int, _ p2: Int) -> PerWindow<Int> {
    var counts = PerWindow<Int>(repeating: p0)
    counts[.p1] = p1
    counts[.p2] = p2
    return counts
  }

  @Test("revenue in a currency without a rate is counted, and in no sum") func revenueCurrency() throws {
    let list = """
      {"op":"register","at":8640000}
      {"op":"revenue","after":"1h","amount":9,"currency":"EUR"}
      {"op":"event","name":"purchase"}
      """
    let (without, input) = try total(list)
    #expect(input.withoutRate == ["EUR": 1])
    #expect(without.model.fine[0].users == 1)
    #expect(without.model.fine[0].revenue48h == 0)
    let (with, none) = try total(list, rates: #"{"EUR":0.9}"#)
    #expect(none.withoutRate.isEmpty)
    #expect(with.model.fine[10].revenue48h == 10_000_000)
  }

  @Test("revenue has the rate of its own day of UTC; a day without one is counted by its name") func revenueHas() throws
  {
    let list = """
      {"op":"register","at":"2026-05-01T12:00:00Z"}
      {"op":"revenue","at":"2026-05-01T23:59:59.999Z","amount":1,"currency":"EUR"}
      {"op":"revenue","at":"2026-05-02T00:00:00Z","amount":1,"currency":"EUR"}
      {"op":"revenue","amount":1,"currency":"GBP"}
      {"op":"revenue","at":"2026-05-03T00:00:00Z","amount":1,"currency":"EUR"}
      {"op":"revenue","amount":1,"currency":"USD"}
      {"op":"revenue","at":"2026-05-05T00:00:00Z","amount":1,"currency":"EUR"}
      """
    let rows = ["2026-05-01,EUR,0.5", "2026-05-02,EUR,0.25", "2026-05-04,EUR,1"]
    for rows in [rows, rows.reversed()] {
      let (total, input) = try total(list, daily: rows)
      #expect(input.withoutRate == ["EUR on 2026-05-03": 1, "EUR after 2026-05-04": 1, "GBP": 1])
      #expect(total.model.fine[0].revenue35d == 7_000_000)
    }
  }

  @Test("an answer can change at midnight without new revenue, and only then") func answerCan() throws {
    // 10 EUR are 4 USD, then 40 USD; sessions before midnight are all answered alike.
    func list(_ last: String) -> String {
      """
      {"op":"register","at":"2026-05-01T12:00:00Z"}
      {"op":"revenue","after":"1h","amount":10,"currency":"EUR"}
      {"op":"session"}
      {"op":"session","after":"1h"}
      {"op":"session","after":"1h"}
      {"op":"session","at":"\(last)"}
      """
    }
    let rows = ["2026-05-01,EUR,2.5", "2026-05-02,EUR,0.25"]
    #expect(try total(list("2026-05-01T23:59:59Z"), daily: rows).0.model.fine[0].users == 1)
    #expect(try total(list("2026-05-02T00:00:00Z"), daily: rows).0.model.fine[20].users == 1)
    // Without a rate there is no answer.
    let none = try total(list("2026-05-02T00:00:00Z"), daily: [rows[0]]).0.model
    #expect(none.fine[0].users == 1 && none.outcomes[Int(Outcome.serverError.rawValue)] == 1)
  }

  @Test("amounts beyond what is counted stay at the end of the range") func amountsBeyond() throws {
    let (total, _) = try total(
      """
      {"op":"register","at":8640000}
      {"op":"revenue","after":"1h","amount":-3e38,"currency":"USD"}
      {"op":"event","name":"purchase"}
      {"op":"revenue","after":"4d","amount":-3e38,"currency":"EUR"}
      """, rates: #"{"EUR":0.9}"#)
    let cell = total.model.fine[0]
    #expect([cell.revenue48h, cell.revenue7d, cell.error] == [.min, .min, .max])
  }

  @Test("of two named events a device that had both has the later one") func twoNamed() throws {
    var model = ConversionModel()
    var mapping = ValueMapping()
    mapping.events = ["a", "b"].map { MappedEvent(name: $0) }
    model.fine = [ConversionModel.FineMapping(value: 1, mapping: mapping)]
    for events in [["a", "b"], ["b", "a"]] {
      let run = BacktestRun(BacktestPlan([BacktestModel(name: "", hash: 0, model)], currency: .usd, until: .afterAll))
      try run.add(
        ListReader(
          "list",
          ByteSource(
            Array(
              """
              {"op":"register","at":8640000}
              {"op":"event","name":"b","after":"1h"}
              {"op":"event","name":"a","after":"1h"}
              """.utf8))))
      let input = try run.fitInput(FitRequest(events: events), jobs: 1)
      #expect(input.devices.map(\.had[.p0]) == [3] && input.counts == [1, 1])
      let fit = ModelFit(
        input.devices, values: 1, events: FitEvents(events), currency: .usd, ModelFit.Options(limits: .none))
      #expect(fit.users == [0, 0, 1])
    }
  }
}

@Suite struct GroupTableTests {
  @Test("Groups beyond the limit have no index, and those that are known keep theirs") func groupsBeyond() {
    let table = GroupTable()
    func index(_ name: String) -> UInt32? {
      var name = name
      return name.withUTF8 { table.index(of: $0) }
    }
    #expect(index("") == 0)
    for number in 1...GroupTable.mostGroups { #expect(index("g\(number)") == UInt32(number)) }
    #expect(!table.overflowed)
    #expect(index("one more") == nil && table.overflowed)
    #expect(index("g7") == 7 && table.names.count == GroupTable.mostGroups + 1)
  }
}
