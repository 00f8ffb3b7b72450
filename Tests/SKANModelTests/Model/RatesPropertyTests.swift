import SKANBase
import TestSupport
import Testing

@testable import SKANDevice
@testable import SKANModel

@Suite("Amounts in other currencies, beside a plain rule")
struct RatesPropertyTests {
  private static let codes = ["AUD", "EUR", "GBP", "JPY", "USD"]
  private static let start = 20_000

  /// Powers of two, with which no division rounds.
  private static func rates(_ generator: inout SplitMix64) -> [String: Double] {
    codes.reduce(into: [:]) { rates, code in
      if Bool.random(using: &generator) { rates[code] = [0.25, 0.5, 2, 4].randomElement(using: &generator) }
    }
  }

  /// An amount of a currency in another one by the rates of its time; nil without a rate.
  ///
  /// - Parameter known: the currencies with a rate at any time.
  private static func plain(
    _ amount: Double, _ from: String, _ to: String, _ rates: [String: Double], known: Set<String>
  ) -> Double? {
    if from == to { return amount }
    // Without a rate at any time, the target is the base.
    if known.contains(to), rates[to] == nil { return nil }
    if known.contains(from) { return rates[from].map { amount / $0 * (rates[to] ?? 1) } }
    return from == "USD" && known.contains(to) ? amount * (rates[to] ?? 1) : nil
  }

  @Test("The same rates at all times, and by day")
  func conversions() throws {
    var generator = SplitMix64(seed: 12)
    for _ in Rounds.of(60) {
      let days = (0..<4).map { _ in Self.rates(&generator) }
      let always = try ExchangeRates(
        Array("{\(days[0].map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}".utf8))
      let rows = days.enumerated().flatMap { index, rates in
        rates.map { "\(Instant.date(of: Self.start + 2 * index)),\($0.key),\($0.value)\n" }
      }.shuffled(using: &generator)
      let daily = rows.isEmpty ? nil : try ExchangeRates(table: Array(("date,currency,rate\n" + rows.joined()).utf8))
      #expect(!always.isDaily && daily?.isDaily ?? true)
      let known = Set(days.flatMap(\.keys))
      for to in Self.codes {
        let target = try #require(CurrencyCode(to))
        #expect(always.knows(target) == (to == "USD" || days[0][to] != nil))
        if let daily { #expect(daily.knows(target) == (to == "USD" || known.contains(to))) }
        for from in Self.codes {
          let code = try #require(CurrencyCode(from))
          let plain = Self.plain(8, from, to, days[0], known: Set(days[0].keys))
          #expect(always.converted(8, from: code, to: target, at: .listStart) == plain, "\(from) \(to) \(days[0])")
          #expect(
            try total(always, from == to ? [to: 3] : [from: 8, to: 3], to, .listStart)
              == plain.map { from == to ? 3 : $0 + 3 })
          guard let daily else { continue }
          for day in -1...7 {
            let now = Instant(utcDay: Self.start + day).later(by: .hours(Int64.random(in: 0..<24, using: &generator)))
            let rates = day >= 0 && day % 2 == 0 ? days[day / 2] : [:]
            let plain = Self.plain(8, from, to, rates, known: known)
            #expect(daily.converted(8, from: code, to: target, at: now) == plain, "\(from) \(to) \(day) \(days)")
            #expect(try total(daily, [from: 8], to, now) == plain)
            #expect(daily.gap(of: code, at: now)?.text == gap(day, days.map { $0[from] != nil }))
          }
        }
      }
    }
  }

  /// The sum of several amounts; nil without a rate.
  private func total(
    _ rates: ExchangeRates, _ amounts: [String: Double], _ to: String, _ now: Instant
  ) throws -> Double? {
    do throws(RateMissing) {
      return try rates.total(RevenueTable(amounts), in: CurrencyCode(to), named: to, at: now)
    } catch {
      #expect(amounts[error.currency] != nil && error.currency != to)
      return nil
    }
  }

  /// The days without a rate around a day, in words.
  private func gap(_ day: Int, _ has: [Bool]) -> String? {
    let given = has.indices.filter { has[$0] }.map { 2 * $0 }
    guard let first = given.first, let last = given.last, !given.contains(day) else { return nil }
    func date(_ day: Int) -> String { Instant.date(of: Self.start + day) }
    if day < first { return "before \(date(first))" }
    if day > last { return "after \(date(last))" }
    guard let before = given.last(where: { $0 < day }), let after = given.first(where: { $0 > day }) else { return nil }
    return before + 2 == after ? "on \(date(day))" : "from \(date(before + 1)) to \(date(after - 1))"
  }
}
