import SKANDevice

/// Revenue that the app added between two requests, by the growth of a total.
struct RevenueGrowth {
  let currency: String
  let isAdMonetization: Bool
  /// What the app passed: the plainest amount that makes the one sum of the other.
  let amount: Double
  /// The window whose total grew as well; nil where none did.
  let window: ConversionWindow?

  /// Everything that grew or shrank, currencies in order.
  static func all(from old: ShownDetails, to new: ShownDetails, by sums: SnippetRules.Sums) -> [RevenueGrowth] {
    [false, true].flatMap { isAdMonetization -> [RevenueGrowth] in
      let total = StoreEntry.revenue(fromAds: isAdMonetization, in: nil)
      let (before, after) = (old.table(total), new.table(total))
      return after.keys.sorted().compactMap { currency in
        guard let sum = after[currency], before[currency] != sum else { return nil }
        let window = ConversionWindow.allCases.first { window in
          let entry = StoreEntry.revenue(fromAds: isAdMonetization, in: window)
          return old.table(entry)[currency] != new.table(entry)[currency]
        }
        return RevenueGrowth(
          currency: currency, isAdMonetization: isAdMonetization,
          amount: amount(from: before[currency] ?? 0, to: sum, by: sums), window: window)
      }
    }
  }

  /// The amount with the fewest decimals that the sum fits: the snippet's, which is single precision in SKAN 4 and double
  /// in SKAN 3, or that of a client that keeps doubles.
  static func amount(from old: Double, to new: Double, by sums: SnippetRules.Sums) -> Double {
    func sum(_ amount: Double) -> Double {
      sums == .single && Double(Float(new)) != new ? old + amount : sums.adding(amount, to: old)
    }
    let difference = new - old
    for scale in [1.0, 10, 100, 1000, 10_000, 100_000, 1_000_000] {
      let amount = (difference * scale).rounded() / scale
      if sum(amount) == new { return amount }
    }
    return difference
  }
}
