import Testing

@testable import SKANBacktest

@Suite struct FiguresTests {
  @Test func `numbers are rounded to their decimals`() {
    #expect(Figures.money(12_345_678) == "12.35")
    #expect(Figures.money(-5_000) == "-0.01")
    #expect(Figures.money(-4_000) == "0.00")
    #expect(Figures.money(1, decimals: 6) == "0.000001")
    #expect(Figures.signedPercent(1, of: 8) == "+12.5 %")
    #expect(Figures.signedPercent(-1, of: 8) == "-12.5 %")
    #expect(Figures.mean(10_000_000, of: 3) == "3.3333")
    #expect(Figures.hours(5400, of: 1) == "1.5")
    #expect(Figures.decimal(7.5, 0) == "8")
  }

  @Test func `days begin at midnight, before 1970 too`() {
    #expect(86_399.dividedDown(by: 86_400) == 0)
    #expect((-1).dividedDown(by: 86_400) == -1)
    #expect(BacktestReport.day(20_574) == "2026-05-01")
  }
}
