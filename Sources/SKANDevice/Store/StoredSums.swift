/// The eight revenue entries, by their slots (``StoreEntry/slot``).
///
/// Single-precision sums in the first two currencies of the phone are stored inline, which is enough for nearly every
/// phone. Any other table is stored out of line.
@usableFromInline struct StoredSums: Sendable {
  /// Two sums for each entry, in the order of the currencies.
  @usableFromInline var amounts = SIMD16<Float>()
  /// The codes of the inline currencies; 0 for none.
  @usableFromInline var first: UInt32 = 0
  @usableFromInline var second: UInt32 = 0
  /// A bit for each element of ``amounts`` that is set.
  @usableFromInline var hasAmount: UInt16 = 0
  /// A bit for each entry whose table is inline; the table may be empty.
  @usableFromInline var isAtHand: UInt8 = 0
  /// The other tables, one for each entry; nil if there are none.
  @usableFromInline var others: SharedValue<[RevenueTable?]>?

  private static var count: Int { slots.count }

  @inlinable @inline(__always)
  static var firstSlot: Int { StoreEntry.iapRevenue.slot }

  @inline(__always)
  static var slots: Range<Int> { firstSlot..<firstSlot + 8 }

  init() {}

  /// The index of a slot among the revenue slots, from 0.
  @inlinable @inline(__always)
  static func index(_ slot: Int) -> Int { slot - firstSlot }

  /// The table of a slot; nil if there is none.
  @inlinable @inline(__always)
  subscript(slot: Int) -> RevenueTable? {
    get {
      let entry = Self.index(slot)
      guard isAtHand(entry) else { return others.flatMap { Self.table(entry, of: $0) } }
      return RevenueTable(sum(entry * 2, first), sum(entry * 2 + 1, second))
    }
  }

  /// Whether a slot has a table.
  @inlinable @inline(__always)
  func has(_ slot: Int) -> Bool {
    let entry = Self.index(slot)
    return isAtHand(entry) || others.map { Self.table(entry, of: $0) != nil } ?? false
  }

  @inlinable @inline(__always)
  func isAtHand(_ entry: Int) -> Bool { isAtHand &>> UInt8(truncatingIfNeeded: entry) & 1 != 0 }

  @inlinable @inline(__always)
  func sum(_ index: Int, _ currency: UInt32) -> (CurrencyCode, Double)? {
    hasAmount &>> UInt16(truncatingIfNeeded: index) & 1 == 0
      ? nil : (CurrencyCode(number: currency), Double(amounts[index]))
  }

  @inline(__always)
  private func other(_ entry: Int) -> RevenueTable? { others.flatMap { Self.table(entry, of: $0) } }

  // Static, because a method call would copy the sums.
  @inline(never) @usableFromInline
  static func table(_ entry: Int, of others: SharedValue<[RevenueTable?]>) -> RevenueTable? { others.value[entry] }

  /// Sets the table of a slot.
  mutating func set(_ slot: Int, to table: RevenueTable?) {
    let entry = Self.index(slot)
    clear(entry)
    if let table, !keepAtHand(table, entry) { setOther(table, entry) }
  }

  /// The sum of a currency in a slot; nil if there is none.
  ///
  /// - Parameter code: the currency's code, if it has the form of one.
  @inline(__always)
  func sum(_ slot: Int, _ currency: String, _ code: CurrencyCode?) -> Double? {
    let entry = Self.index(slot)
    guard isAtHand(entry) else { return other(entry)?[currency] }
    guard let code else { return nil }
    if code.number == first { return sum(entry * 2, first)?.1 }
    return code.number == second ? sum(entry * 2 + 1, second)?.1 : nil
  }

  /// Sets the sum of a currency in a slot.
  @inline(__always)
  mutating func setSum(_ slot: Int, _ currency: String, _ code: CurrencyCode?, to sum: Double) {
    let entry = Self.index(slot)
    if isAtHand(entry) || other(entry) == nil, let code, put(sum, code, entry) {
      isAtHand |= 1 &<< UInt8(truncatingIfNeeded: entry)
    } else {
      setOtherSum(slot, currency, to: sum)
    }
  }

  @inline(never)
  private mutating func setOtherSum(_ slot: Int, _ currency: String, to sum: Double) {
    let entry = Self.index(slot)
    if isAtHand(entry) || other(entry) == nil {
      let table = self[slot] ?? RevenueTable()
      clear(entry)
      setOther(table, entry)
    }
    others?.value[entry]?[currency] = sum
  }

  /// Stores a sum inline.
  ///
  /// - Returns: false, without a change, if it does not fit.
  @inline(__always)
  private mutating func put(_ sum: Double, _ code: CurrencyCode, _ entry: Int) -> Bool {
    let amount = Float(sum)
    guard Double(amount) == sum else { return false }
    let index: Int
    if first == code.number || first == 0 {
      first = code.number
      index = entry * 2
    } else if second == code.number || second == 0 {
      second = code.number
      index = entry * 2 + 1
    } else {
      return false
    }
    amounts[index] = amount
    hasAmount |= 1 &<< UInt16(truncatingIfNeeded: index)
    return true
  }

  /// Stores a table inline, if all of its sums fit.
  private mutating func keepAtHand(_ table: RevenueTable, _ entry: Int) -> Bool {
    guard table.isCoded else { return false }
    for index in 0..<table.count {
      guard let code = table.code(at: index), put(table.amount(at: index), code, entry) else {
        clear(entry)
        return false
      }
    }
    isAtHand |= 1 &<< UInt8(truncatingIfNeeded: entry)
    return true
  }

  private mutating func clear(_ entry: Int) {
    isAtHand &= ~(1 &<< UInt8(truncatingIfNeeded: entry))
    hasAmount &= ~(3 << UInt16(entry * 2))
    if other(entry) != nil { setOther(nil, entry) }
  }

  private mutating func setOther(_ table: RevenueTable?, _ entry: Int) {
    if others == nil { others = SharedValue([RevenueTable?](repeating: nil, count: Self.count)) }
    others?.value[entry] = table
    if others?.value.allSatisfy({ $0 == nil }) ?? true { others = nil }
  }
}

extension StoredSums: Equatable {
  @usableFromInline static func == (left: StoredSums, right: StoredSums) -> Bool {
    if left.others == nil, right.others == nil, left.first == right.first, left.second == right.second {
      if left.isAtHand != right.isAtHand || left.hasAmount != right.hasAmount { return false }
      if all(left.amounts .== right.amounts) { return true }
    }
    return (0..<count).allSatisfy { left[firstSlot + $0] == right[firstSlot + $0] }
  }
}
