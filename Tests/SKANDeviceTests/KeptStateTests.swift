import TestSupport
import Testing

@testable import SKANDevice

@Suite("The store and its slots")
struct KeptStateTests {
  private static let values: [KeptValue] = [
    .integer(0), .integer(63), .integer(127), .integer(128), .integer(-1), .integer(.max), .integer(.min),
    .unsigned(.max), .double(1.7), .double(-0.0), .bool(true), .bool(false), .string(""), .string("5"),
    .string(String(repeating: "x", count: 40)),
  ]
  private static let amounts = [0, -0.0, 9.99, Double(Float(9.99)), 5, -3, 1e17, 1e300, 16_777_217]
  private static let currencies = ["USD", "EUR", "GBP", "usd", "", "a+b", "US"]

  private static func pick<Value>(_ values: [Value], _ generator: inout SplitMix64) -> Value {
    values[Int.random(in: values.indices, using: &generator)]
  }

  private static func table(_ generator: inout SplitMix64) -> RevenueTable {
    var table = RevenueTable()
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
      table[Self.pick(currencies, &generator)] = Self.pick(amounts, &generator)
    }
    return table
  }

  @Test("It holds what was put into it, in whatever order")
  func random() {
    var generator = SplitMix64(seed: 5)
    for _ in Rounds.of(60) {
      var kept = KeptState()
      var expected: [StoreEntry: KeptState.Entry] = [:]
      for _ in 0..<60 {
        let entry = Self.pick(StoreEntry.all, &generator)
        let new: KeptState.Entry
        switch entry.form {
        case .answered: new = .value(Self.pick(Self.values, &generator))
        case .number: new = .value(.integer(Self.pick([0, 1, -1, .max, .min], &generator)))
        case .revenue:
          if Bool.random(using: &generator) {
            new = .revenue(Self.table(&generator))
          } else {
            let (currency, sum) = (
              Self.pick(Self.currencies, &generator), Self.pick(Self.amounts, &generator)
            )
            var table = kept.revenue(entry) ?? RevenueTable()
            table[currency] = sum
            new = .revenue(table)
            kept.setSum(entry, currency, CurrencyCode(currency), to: sum)
            #expect(kept.sum(entry, currency, CurrencyCode(currency))?.bitPattern == sum.bitPattern)
            #expect(kept.entry(entry) == new)
          }
        }
        let isSet = kept.set(entry, to: new)
        #expect(isSet)
        expected[entry] = new
        for entry in StoreEntry.all { #expect(kept.entry(entry) == expected[entry], "\(entry)") }
      }
      // Another order, with other currencies met first.
      var other = KeptState()
      for (entry, value) in expected.shuffled(using: &generator) { _ = other.set(entry, to: value) }
      #expect(other == kept)
      let changed = Self.pick(Array(expected.keys), &generator)
      let value: KeptState.Entry = changed.isRevenue ? .revenue(RevenueTable([("XXX", 1)])) : .value(.integer(77))
      _ = other.set(changed, to: value)
      #expect((other == kept) == (expected[changed] == value))
    }
  }

  @Test("An entry that is nil again is as one that never was set")
  func removed() {
    var kept = KeptState()
    kept.fineValue = .string("5")
    kept.coarseValue[.p1] = .integer(2)
    kept.windowLock[.p2] = 7
    kept.adRevenue = RevenueTable([("a+b", 1)])
    kept.iapRevenue = RevenueTable([("USD", 1)])
    #expect(kept.poisonedEntry == PoisonedEntry(key: .fineValue, value: .string("5")))
    kept.fineValue = nil
    kept.coarseValue[.p1] = nil
    kept.windowLock[.p2] = nil
    kept.adRevenue = nil
    kept.iapRevenue = nil
    #expect(kept == KeptState() && kept.poisonedEntry == nil && kept.odd == nil)
  }

  @Test("A copy stays as it is when the other one changes")
  func copies() {
    var kept = KeptState()
    kept.iapRevenue = RevenueTable([("", 1), ("USD", 2), ("EUR", 3)])
    let copy = kept
    kept.setSum(.iapRevenue, "", nil, to: 5)
    #expect(copy.iapRevenue?[""] == 1 && kept.iapRevenue?[""] == 5)
  }

  @Test("A phone is small: a list may have a million, and each step copies parts of one")
  func size() {
    #expect(MemoryLayout<Phone>.size < 450, "\(MemoryLayout<Phone>.size)")
    #expect(MemoryLayout<KeptState>.size <= 160, "\(MemoryLayout<KeptState>.size)")
  }
}
