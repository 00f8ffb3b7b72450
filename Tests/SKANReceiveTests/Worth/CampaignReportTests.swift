import SKANBase
import SKANDevice
import SKANModel
import Testing

@testable import SKANReceive

@Suite("What campaigns are worth")
struct CampaignReportTests {
  @Test("A tree of identifiers: what is known, and what is divided by it")
  func tree() {
    func parts(_ counts: [String: Int], _ name: String) -> [String: Double] {
      Dictionary(uniqueKeysWithValues: CampaignTree(counts).campaigns(of: name).map { ($0.campaign, $0.share) })
    }
    #expect(parts(["1239": 5], "1239") == ["1239": 1])
    #expect(parts(["1239": 3, "2239": 1, "239": 4], "239") == ["1239": 0.75, "2239": 0.25])
    // Three digits without longer ones are a campaign of their own, and two digits are divided by all of them.
    #expect(parts(["1239": 3, "539": 1, "39": 4], "39") == ["1239": 0.75, "539": 0.25])
    // What was divided before counts for shorter ones.
    #expect(parts(["1239": 1, "239": 2, "539": 1, "39": 4], "39") == ["1239": 0.75, "539": 0.25])
    #expect(parts(["39": 4, "1240": 1], "39") == ["39": 1])
    // Names of the campaign map and campaign ids of earlier versions are no digits of others.
    #expect(parts(["spring": 2, "39": 1, "5": 1, "15": 1], "5") == ["5": 1])
  }

  private static let worth = worth([("0", 1_000_000), ("12", 5_000_000)], null: 2_000_000)

  private static func worth(_ fine: [(String, Int)], null: Int, group: String? = nil) -> Worth {
    func value(_ kind: Worth.Kind, _ name: String?, _ amount: Int, _ tiers: [Int]) -> Worth.Value {
      let mean = Worth.Mean(devices: 50, mean: amount, worth: amount, interval: .init(low: amount, high: amount))
      return Worth.Value(
        window: .p0, kind: kind, name: name, tiers: tiers, meaning: nil, revenue: [mean, mean, mean, mean],
        spread: Worth.Spread(deviation: 0, skewness: 0, topShare: nil, amounts: [.init(weight: 50, revenue: amount)]),
        resampled: [Int](repeating: amount, count: 20))
    }
    let values =
      fine.map { value(.fine, $0, $1, [2, 3]) } + [value(.null, nil, null, [0]), value(.null, nil, null / 2, [1])]
    return Worth(
      currency: "USD", model: "m.json", modelHash: "", seed: 1, resamples: 20, shrinkBelow: 30, leastDevices: 100,
      column: nil, input: .init(devices: 100, from: nil, to: nil, until: nil, smallGroups: 0),
      groups: [Worth.Group(name: group, values: values, heldOut: [])])
  }

  private func report(
    _ lines: [ReportLine], tiers: [Double]? = nil, spend: String? = nil, _ worth: Worth = worth
  ) throws -> CampaignReport? {
    let table = try spend.map {
      try SpendTable(Array("network,campaign,day,cost,currency\n\($0)".utf8), in: .usd, ExchangeRates())
    }
    return CampaignReport(try PostbackReport(lines), .apple, worth, tiers: tiers, table)
  }

  @Test("Revenue is the sum of the worths of installs; redownloads and later windows are not valued")
  func revenue() throws {
    let lines = [
      ReportLine(id: "1"), ReportLine(id: "2", fine: "0"), ReportLine(id: "3", fine: nil),
      ReportLine(id: "4", isRedownload: true), ReportLine(id: "5", hasWon: false), ReportLine(id: "6", fine: "33"),
      ReportLine(id: "7", index: 1, fine: nil, coarse: "high"),
    ]
    let shown = try #require(try report(lines))
    let row = try #require(shown.rows.first)
    #expect(shown.rows.count == 1 && row.installs == 4 && row.revenue == 10_000_000 && row.nullRevenue == 2_000_000)
    #expect(row.low == 10_000_000 && row.high == 10_000_000 && row.byUsers == 0 && row.places == 1...1)
    #expect(shown.unvalued == 1 && shown.unknownValues == 1 && shown.total.revenue == row.revenue)
    #expect(try report([ReportLine(hasWon: false)]) == nil)
  }

  @Test("A null is worth less where tiers say that it may be a user without a coarse value")
  func tiers() throws {
    let line = [ReportLine(fine: nil)]
    let cases: [([Double], Double)] = [
      ([1, 0, 0, 0], 2), ([0, 1, 0, 0], 1), ([0.5, 0.5, 0, 0], 1.5), ([0, 0, 0.5, 0.5], 2),
    ]
    for (tiers, revenue) in cases {
      #expect(try report(line, tiers: tiers)?.total.revenue == Int(revenue * 1e6))
    }
  }

  @Test("Installs of an identifier above several campaigns are divided, and the whole stays the same")
  func divided() throws {
    let lines =
      (0..<3).map { ReportLine(id: "a\($0)", campaign: "1239") } + [ReportLine(id: "b", campaign: "2239")]
      + (0..<4).map { ReportLine(id: "c\($0)", campaign: "39") }
    let shown = try #require(try report(lines))
    let rows = Dictionary(uniqueKeysWithValues: shown.rows.map { ($0.campaign, $0) })
    #expect(rows["1239"]?.installs == 3 && rows["1239"]?.shared == 3 && rows["1239"]?.revenue == 30_000_000)
    #expect(rows["2239"]?.installs == 1 && rows["2239"]?.shared == 1 && rows["2239"]?.revenue == 10_000_000)
    // A user who may be another campaign's makes the revenue uncertain.
    #expect(rows["2239"]?.byUsers ?? 0 > 0)
    #expect(shown.total.revenue == 40_000_000 && shown.total.installs == 8)
  }

  @Test("Costs by id, by name and of no postback; places that intervals do not tell apart")
  func costs() throws {
    let spring = CampaignMatch(id: "c-1", name: "Spring")
    let lines = [
      ReportLine(id: "1", campaign: "1111"), ReportLine(id: "2", campaign: "2222"),
      ReportLine(id: "3", campaign: "3333", match: spring),
    ]
    let shown = try #require(
      try report(
        lines,
        spend: """
          COM.example,1111,2026-05-01,1,USD
          com.example,1111,2026-05-03,1.5,USD
          com.example,Spring,2026-05-02,5,USD
          com.example,2222,2026-05-02,2.5,USD
          com.example,9999,2026-05-02,4,USD
          """))
    #expect(shown.rows.map(\.campaign) == ["1111", "2222", "c-1", "9999"])
    #expect(shown.rows.map { $0.returns?.middle } == [2, 2, 1, 0])
    #expect(shown.rows.map(\.places) == [1...2, 1...2, 3...3, 4...4])
    #expect(shown.rows.map(\.costPerInstall) == [2_500_000, 2_500_000, 5_000_000, nil])
    #expect(shown.total.cost == 14_000_000 && shown.costDays?.count == 3)
  }

  @Test("The order of postbacks does not matter")
  func order() throws {
    var lines = (0..<300).map { number in
      ReportLine(
        id: "\(number)", campaign: ["1239", "2239", "239", "39"][number % 4], fine: [nil, "0", "12"][number % 3])
    }
    let one = try #require(try report(lines))
    lines.shuffle()
    let other = try #require(try report(lines))
    #expect(one.rows == other.rows && one.total == other.total)
  }

  @Test(
    "Costs that cannot be read: the row and the column are named",
    arguments: [
      ("network,campaign,day,cost\n", "the column currency is missing"), ("", "it is empty"),
      ("network,campaign,day,cost,currency\n", "there is no row under the header"),
      ("network,campaign,day,cost,currency\nn,,2026-05-01,1,USD\n", "campaign is empty"),
      ("network,campaign,day,cost,currency\nn,c,1.5.2026,1,USD\n", "day must be a date such as 2026-05-01"),
      ("network,campaign,day,cost,currency\nn,c,2026-02-30,1,USD\n", "day must be a date such as 2026-05-01"),
      ("network,campaign,day,cost,currency\nn,c,2026-05-01,-1,USD\n", "cost must be an amount from 0"),
      ("network,campaign,day,cost,currency\nn,c,2026-05-01,nan,USD\n", "cost must be an amount from 0"),
      ("network,campaign,day,cost,currency\nn,c,2026-05-01,1,usd\n", "currency must be three capital letters"),
      ("network,campaign,day,cost,currency\nn,c,2026-05-01,1,EUR\n", "there is no rate of EUR"),
    ])
  func wrongCosts(text: String, message: String) {
    let error = #expect(throws: SourceNotes.self) { try SpendTable(Array(text.utf8), in: .usd, ExchangeRates()) }
    #expect(error?.notes.first?.message.hasPrefix(message) == true, "\(error?.notes.map(\.message) ?? [])")
  }
}
