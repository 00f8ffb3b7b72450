import SKANDevice

/// One thing that happened, or several that are drawn as one.
package struct StoryRow: Sendable, Equatable {
  package let first: Instant
  package let last: Instant
  package let mark: StoryItem.Mark
  package let what: String
  package let value: String?
  package let reason: String?
  /// How many are drawn.
  package let count: Int
  /// What they are one by one, where there are several: the first ``mostParts``.
  package let parts: [StoryItem]

  /// How many of several are told apart.
  static let mostParts = 12

  /// - Parameter items: at least one.
  init(_ items: ArraySlice<StoryItem>) {
    let newest = items[items.endIndex - 1]
    first = items[items.startIndex].at
    last = newest.at
    count = items.count
    parts = items.count > 1 ? Array(items.prefix(Self.mostParts)) : []
    guard items.count > 1 else {
      (mark, what, value, reason) = (newest.mark, newest.what, newest.value, newest.reason)
      return
    }
    let counts = StoryItem.Mark.allCases.map { mark in items.count { $0.mark == mark } }
    let isOneName = items.allSatisfy { $0.what == newest.what }
    let main = StoryItem.Mark.allCases.first { counts[$0.rawValue] == items.count }
    mark = main ?? (counts[0] > 0 ? .taken : counts[1] > 0 ? .ignored : .other)
    what = isOneName ? "\(items.count) × \(newest.what)" : Self.counted(counts)
    let valued = items.last { $0.mark == .taken && $0.value != nil } ?? items.last { $0.value != nil }
    value = valued?.value.map { "last: \($0)" }
    let isOneReason = items.allSatisfy { $0.reason == newest.reason }
    reason = isOneReason ? newest.reason : Self.oddities(counts)
  }

  private static func counted(_ counts: [Int]) -> String {
    let updates = counts[0] + counts[1] + counts[2]
    let counted = [
      (updates, "update", "updates"), (counts[3], "revenue", "revenues"), (counts[5], "refund", "refunds"),
      (counts[4], "other step", "other steps"),
    ]
    return counted.filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }.joined(separator: ", ")
  }

  private static func oddities(_ counts: [Int]) -> String? {
    let counted = [(counts[1], "ignored by Apple"), (counts[2], "not made")]
    let parts = counted.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// At most `most` rows, of neighbours that are close in time and alike.
  static func all(_ items: [StoryItem], most: Int) -> [StoryRow] {
    // Merging looks at every pair; of very many items, some are put together before.
    let size = max(1, (items.count + 399) / 400)
    var groups = stride(from: 0, to: items.count, by: size).map { items[$0..<min($0 + size, items.count)] }
    var costs = zip(groups, groups.dropFirst()).map { cost($0, $1) }
    while groups.count > most, let index = costs.indices.min(by: { costs[$0] < costs[$1] }) {
      groups[index] = items[groups[index].startIndex..<groups[index + 1].endIndex]
      groups.remove(at: index + 1)
      costs.remove(at: index)
      if index > 0 { costs[index - 1] = cost(groups[index - 1], groups[index]) }
      if index < costs.count { costs[index] = cost(groups[index], groups[index + 1]) }
    }
    return groups.map { StoryRow($0) }
  }

  /// How much is lost when two neighbours are drawn as one: first kinds and locks, then time.
  private static func cost(_ left: ArraySlice<StoryItem>, _ right: ArraySlice<StoryItem>) -> Int64 {
    let (one, other) = (left[left.endIndex - 1], right[right.startIndex])
    var cost = right[right.endIndex - 1].at.since(left[left.startIndex].at).microseconds.magnitude / 1000
    if one.mark != other.mark { cost *= 4 }
    if one.reason != other.reason { cost *= 2 }
    if left.contains(where: \.isLock) || right.contains(where: \.isLock) { cost = cost * 16 + 1_000_000_000 }
    return Int64(clamping: cost)
  }
}
