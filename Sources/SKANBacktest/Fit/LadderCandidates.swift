/// Where ranges may begin: between amounts that users have, so that no amount is on a boundary.
///
/// Singular's snippet keeps sums in single precision: 4.99 becomes 4.98999977…, and is below a boundary at 4.99. So a boundary
/// keeps a distance from the amounts beside it where there is room, and is a whole cent where one fits.
struct LadderCandidates {
  private let amounts: [Int]

  /// A cent, in millionths.
  private static let cent = 10_000

  /// - Parameter amounts: those above 0, ascending, each once.
  init(_ amounts: [Int]) { self.amounts = amounts }

  /// How far a sum of single precision may be from an amount.
  private static func margin(_ amount: Int) -> Int { max(2, amount / 1_000_000) }

  /// The boundary below an amount, and above the one before.
  func below(_ index: Int) -> Int {
    let amount = amounts[index]
    let before = index > 0 ? amounts[index - 1] : 0
    let rounded = (amount - Self.margin(amount)) / Self.cent * Self.cent
    if rounded > before + Self.margin(before) { return rounded }
    return before + max(1, (amount - before) / 2)
  }

  /// The boundary above an amount, and below the next.
  func above(_ index: Int) -> Int {
    let amount = amounts[index]
    let rounded = (amount + Self.margin(amount) + Self.cent - 1) / Self.cent * Self.cent
    guard index + 1 < amounts.count else { return rounded }
    return rounded < amounts[index + 1] - Self.margin(amounts[index + 1]) ? rounded : below(index + 1)
  }

  /// Boundaries below and above each amount; of many amounts those that divide the devices evenly.
  ///
  /// - Parameter counts: how many devices are below each amount, and below the end.
  func all(counts: ArraySlice<Int>, atMost limit: Int) -> [Int] {
    let counts = Array(counts)
    var indices = Array(amounts.indices)
    if 2 * indices.count > limit, let first = counts.first, let last = counts.last {
      let groups = max(1, limit / 2)
      var group = -1
      indices = indices.filter { index in
        let own = (counts[index] - first) * groups / max(1, last - first)
        defer { group = own }
        return own != group
      }
    }
    return indices.flatMap { [below($0), above($0)] }
  }
}
