import SKANModel

/// The candidates for boundaries of ranges: they lie between the users' amounts, so that no amount is on a boundary.
///
/// Singular's snippet keeps sums in single precision: 4.99 becomes 4.98999977…, which is below a boundary at 4.99. So a
/// boundary keeps a distance from the adjacent amounts where there is space, is a whole cent where possible, and misses no
/// price.
struct LadderCandidates {
  private let amounts: [Int]

  /// A cent, in millionths.
  private static let cent = 10_000

  /// - Parameter amounts: the distinct amounts above 0, ascending.
  init(_ amounts: [Int]) { self.amounts = amounts }

  /// The most that a single-precision sum may differ from an amount.
  private static func margin(_ amount: Int) -> Int { max(2, amount / 1_000_000) }

  /// A boundary below an amount and above the previous one.
  func below(_ index: Int) -> Int {
    let amount = amounts[index]
    let before = index > 0 ? amounts[index - 1] : 0
    var rounded = (amount - Self.margin(amount)) / Self.cent * Self.cent
    if Self.missesPrice(rounded) { rounded -= Self.cent }
    if rounded > before + Self.margin(before) { return rounded }
    let middle = before + max(1, (amount - before) / 2)
    return Self.missesPrice(middle) ? middle + (amount - middle) / 2 : middle
  }

  /// A boundary above an amount and below the next one.
  func above(_ index: Int) -> Int {
    let amount = amounts[index]
    var rounded = (amount + Self.margin(amount) + Self.cent - 1) / Self.cent * Self.cent
    if Self.missesPrice(rounded) { rounded += Self.cent }
    guard index + 1 < amounts.count else { return rounded }
    return rounded < amounts[index + 1] - Self.margin(amounts[index + 1]) ? rounded : below(index + 1)
  }

  /// The cent nearest to a boundary or the one below it; a boundary in the room below the next amount where sums in single
  /// precision can miss both.
  func nearest(_ boundary: Int) -> Int {
    let rounded = (boundary + Self.cent / 2) / Self.cent * Self.cent
    let own = position(boundary)
    let cent = [rounded, rounded - Self.cent].first {
      $0 > 0 && position($0) == own && isSafe($0) && !Self.missesPrice($0)
    }
    return cent ?? (own < amounts.count ? below(own) : above(amounts.count - 1))
  }

  /// The number of amounts below a boundary.
  private func position(_ boundary: Int) -> Int { amounts.countAscending { $0 < boundary } }

  /// Whether a range from this amount on misses a price.
  private static func missesPrice(_ amount: Int) -> Bool {
    RevenueCondition.missesPrice(RevenueLadder.amount(amount))
  }

  /// Boundaries below and above each amount; if there are too many, those that divide the devices evenly.
  ///
  /// - Parameter counts: the number of devices below each amount, followed by that of all devices.
  func all(counts: ArraySlice<Int>, atMost limit: Int) -> [Int] {
    indices(counts: counts, atMost: limit / 2).flatMap { [below($0), above($0)] }
  }

  /// Round amounts up to the highest amount, such as 0.01, 7.5, 20 and 250: one or two digits and zeros, in cents. Those
  /// that a device spent are left out.
  ///
  /// People choose such boundaries, and with them a fit is not worse than their models.
  ///
  /// - Parameter limit: if there are more, none.
  func usual(atMost limit: Int) -> [Int] {
    guard let amount = amounts.last else { return [] }
    // Nobody chooses more than a million.
    let highest = min(amount, 1_000_000_000_000)
    var all = (1...9).map { $0 * Self.cent }
    var unit = Self.cent
    while unit <= highest / 10 {
      all += (10...99).map { $0 * unit }
      unit *= 10
    }
    let spent = Set(amounts)
    all = all.filter { $0 <= highest && !spent.contains($0) && isSafe($0) && !Self.missesPrice($0) }
    return all.count > limit ? [] : all
  }

  /// Multiples of a number of millionths up to the highest amount; if there are too many, those adjacent to amounts that
  /// divide the devices evenly.
  ///
  /// A multiple that a single-precision sum can miss is not among them: one near an amount, or at an amount that single
  /// precision cannot hold.
  func multiples(of step: Int, counts: ArraySlice<Int>, atMost limit: Int) -> [Int] {
    guard let highest = amounts.last else { return [] }
    let all =
      highest / step <= limit
      ? (0...highest / step).map { $0 * step }
      : indices(counts: counts, atMost: limit / 2).flatMap { index in
        let below = amounts[index] / step * step
        return [below, below.addingReportingOverflow(step).partialValue]
      }
    return all.filter { $0 > 0 && $0 <= highest && isSafe($0) && !Self.missesPrice($0) }
  }

  /// Whether sums in single precision are on the same side of a boundary as the amounts.
  private func isSafe(_ boundary: Int) -> Bool {
    let low = position(boundary)
    let isAbove = low == 0 || boundary - amounts[low - 1] > Self.margin(amounts[low - 1])
    guard low < amounts.count else { return isAbove }
    if amounts[low] == boundary {
      let amount = RevenueLadder.amount(boundary)
      return isAbove && Double(Float(amount)) == amount
    }
    return isAbove && amounts[low] - boundary > Self.margin(amounts[low])
  }

  /// The indices of all amounts; if there are too many, of those that divide the devices evenly.
  private func indices(counts: ArraySlice<Int>, atMost limit: Int) -> [Int] {
    let counts = Array(counts)
    guard amounts.count > limit, let first = counts.first, let last = counts.last else { return Array(amounts.indices) }
    let groups = max(1, limit)
    var group = -1
    return amounts.indices.filter { index in
      let own = (counts[index] - first) * groups / max(1, last - first)
      defer { group = own }
      return own != group
    }
  }
}
