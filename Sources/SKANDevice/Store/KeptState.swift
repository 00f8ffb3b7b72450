/// The app's state in `NSUserDefaults`: everything of the snippet that outlives a process; see the article "Kept
/// state".
///
/// All versions of the snippet share one store, because an update of the app changes the code and not the store. It is
/// small and bitwise copyable except for rare parts: each entry has a slot (``StoreEntry/slot``).
public struct KeptState: Sendable, Equatable {
  /// The sums of revenue.
  @usableFromInline var sums = StoredSums()
  /// The values that ``values`` cannot hold; nil if there are none.
  @usableFromInline var odd: OddValues?
  /// All other values.
  @usableFromInline var values = StoredValues()

  /// An empty store.
  public init() {}

  /// Whether both stores are equal. Compares the parts that differ most often first.
  public static func == (left: KeptState, right: KeptState) -> Bool {
    left.values == right.values && left.sums == right.sums && left.odd == right.odd
  }
}

extension KeptState {
  /// Changes the strings that answers have left, and the names of currencies.
  public mutating func mapStrings(_ change: (String) -> String) {
    for entry in StoreEntry.all {
      switch self.entry(entry) {
      case .value(.string(let text))?: _ = set(entry, to: .value(.string(change(text))))
      case .revenue(let table)?: _ = set(entry, to: .revenue(table.mapCurrencies(change)))
      case .value?, nil: break
      }
    }
  }

  /// The content of an entry of any kind.
  public enum Entry: Sendable, Equatable {
    case value(KeptValue)
    case revenue(RevenueTable)
  }

  /// The content of an entry; nil if it is empty.
  public func entry(_ entry: StoreEntry) -> Entry? {
    entry.isRevenue ? revenue(entry).map(Entry.revenue) : value(entry).map(Entry.value)
  }

  /// The number or answered value of an entry; nil if it is empty or holds sums.
  @inlinable @inline(__always)
  public func value(_ entry: StoreEntry) -> KeptValue? {
    switch entry.form {
    case .answered: answered(entry.slot)
    case .number: values[number: entry.slot].map(KeptValue.integer)
    case .revenue: nil
    }
  }

  /// The number or answered value in a slot; nil if it is empty or holds sums.
  @inline(__always)
  func value(inSlot slot: Int) -> KeptValue? {
    if slot < StoredValues.byteCount { return answered(slot) }
    return StoredSums.slots.contains(slot) ? nil : values[number: slot].map(KeptValue.integer)
  }

  /// The answered value in a slot.
  @inlinable @inline(__always)
  func answered(_ slot: Int) -> KeptValue? {
    let byte = values[byte: slot]
    return byte.isOdd ? odd?.value(slot) : byte.value
  }

  @inline(__always)
  mutating func setAnswered(_ slot: Int, to value: KeptValue?) {
    let byte = StoredByte(value)
    if byte.isOdd || values[byte: slot].isOdd { setOdd(slot, to: byte.isOdd ? value : nil) }
    values[byte: slot] = byte
  }

  @inline(never)
  private mutating func setOdd(_ slot: Int, to value: KeptValue?) {
    var all = odd?.values ?? [:]
    all[slot] = value
    odd = all.isEmpty ? nil : OddValues(all)
  }

  /// The sums of a revenue entry; nil for other entries.
  @inlinable @inline(__always)
  public func revenue(_ entry: StoreEntry) -> RevenueTable? {
    if case .revenue = entry.form { sums[entry.slot] } else { nil }
  }

  /// Whether a revenue entry has sums.
  @inlinable @inline(__always)
  public func hasRevenue(_ entry: StoreEntry) -> Bool {
    if case .revenue = entry.form { sums.has(entry.slot) } else { false }
  }

  /// The sum of a currency in a revenue entry; nil if there is none.
  @inline(__always)
  func sum(_ entry: StoreEntry, _ currency: String, _ code: CurrencyCode?) -> Double? {
    sums.sum(entry.slot, currency, code)
  }

  /// Sets a sum in a revenue entry.
  @inline(__always)
  mutating func setSum(_ entry: StoreEntry, _ currency: String, _ code: CurrencyCode?, to sum: Double) {
    sums.setSum(entry.slot, currency, code, to: sum)
  }

  /// Sets the content of an entry.
  ///
  /// - Returns: false, without a change, if the entry cannot hold this kind of content.
  public mutating func set(_ entry: StoreEntry, to new: Entry) -> Bool {
    switch (entry.form, new) {
    case (.answered, .value(let value)): setAnswered(entry.slot, to: value)
    case (.number, .value(.integer(let number))): values[number: entry.slot] = number
    case (.revenue, .revenue(let table)): sums.set(entry.slot, to: table)
    default: return false
    }
    return true
  }
}

// MARK: By name

extension KeptState {
  /// `skan_current_conversion_value`: the last fine value written in P0.
  public var fineValue: KeptValue? {
    get { answered(StoreEntry.fineValue.slot) }
    set { setAnswered(StoreEntry.fineValue.slot, to: newValue) }
  }

  /// `prev_fine_value`: the fine value before the last.
  public var previousFineValue: KeptValue? {
    get { answered(StoreEntry.previousFineValue.slot) }
    set { setAnswered(StoreEntry.previousFineValue.slot, to: newValue) }
  }

  /// `p0_coarse` …: the last coarse number written in the window.
  public var coarseValue: PerWindow<KeptValue?> {
    get { PerWindow { answered(StoreEntry.coarseValue($0).slot) } }
    set { newValue.forEach { setAnswered(StoreEntry.coarseValue($0).slot, to: $1) } }
  }

  /// `p0_prev_coarse_value` …: the coarse number before the last.
  public var previousCoarseValue: PerWindow<KeptValue?> {
    get { PerWindow { answered(StoreEntry.previousCoarseValue($0).slot) } }
    set { newValue.forEach { setAnswered(StoreEntry.previousCoarseValue($0).slot, to: $1) } }
  }

  /// `p0_window_lock` …: Unix seconds of the last update that locked.
  public var windowLock: PerWindow<Int64?> {
    get { PerWindow { values[number: StoreEntry.windowLock($0).slot] } }
    set { newValue.forEach { values[number: StoreEntry.windowLock($0).slot] = $1 } }
  }

  /// `skan_total_revenue_by_currency`, shared with SKAN 3.
  public var iapRevenue: RevenueTable? {
    get { sums[StoreEntry.iapRevenue.slot] }
    set { sums.set(StoreEntry.iapRevenue.slot, to: newValue) }
  }

  /// `skan_total_admon_revenue_by_currency`.
  public var adRevenue: RevenueTable? {
    get { sums[StoreEntry.adRevenue.slot] }
    set { sums.set(StoreEntry.adRevenue.slot, to: newValue) }
  }

  /// `p0_total_iap_revenue` ….
  public var windowIAPRevenue: PerWindow<RevenueTable?> {
    get { PerWindow { sums[StoreEntry.windowIAPRevenue($0).slot] } }
    set { newValue.forEach { sums.set(StoreEntry.windowIAPRevenue($0).slot, to: $1) } }
  }

  /// `p0_total_admon_revenue` ….
  public var windowAdRevenue: PerWindow<RevenueTable?> {
    get { PerWindow { sums[StoreEntry.windowAdRevenue($0).slot] } }
    set { newValue.forEach { sums.set(StoreEntry.windowAdRevenue($0).slot, to: $1) } }
  }

  /// Unix seconds of the last call to the framework, shared with SKAN 3.
  public var lastCall: Int64? {
    @inline(__always) get { values[number: StoreEntry.lastCall.slot] }
    @inline(__always) set { values[number: StoreEntry.lastCall.slot] = newValue }
  }

  /// Unix seconds of the first call to the framework, shared with SKAN 3.
  public var firstCall: Int64? {
    @inline(__always) get { values[number: StoreEntry.firstCall.slot] }
    @inline(__always) set { values[number: StoreEntry.firstCall.slot] = newValue }
  }

  /// `skan_conversion_value`: the only value of SKAN 3.
  public var skan3Value: Int64? {
    @inline(__always) get { values[number: StoreEntry.skan3Value.slot] }
    @inline(__always) set { values[number: StoreEntry.skan3Value.slot] = newValue }
  }
}

extension PerWindow {
  fileprivate func forEach(_ body: (ConversionWindow, Value) -> Void) {
    for window in ConversionWindow.allCases { body(window, self[window]) }
  }
}

extension KeptState {
  /// `valuesHasBeenUpdated`: writes the values of the current window, and always the time of the last call.
  mutating func persist(
    fine: KeptValue, coarse: KeptValue?, lock: Bool, in window: ConversionWindow?, at now: Instant
  ) {
    if let window {
      if window == .p0 { keep(fine, in: .fineValue, before: .previousFineValue) }
      keep(coarse, in: .coarseValue(window), before: .previousCoarseValue(window))
      if lock { values[number: StoreEntry.windowLock(window).slot] = now.wholeSeconds }
    }
    lastCall = now.wholeSeconds
  }

  /// Writes a value to an entry, and the previous one to the entry for it.
  @inline(__always)
  private mutating func keep(_ value: KeptValue?, in entry: StoreEntry, before: StoreEntry) {
    if odd == nil {
      values[byte: before.slot] = values[byte: entry.slot]
    } else {
      setAnswered(before.slot, to: answered(entry.slot))
    }
    setAnswered(entry.slot, to: value)
  }

  /// The first entry, in the order of a request, in which an answer has left a string: reading it crashes the app.
  /// `getSkanDetails` reads in another order (``poison(in:)``).
  @inline(__always)
  package var poisonedEntry: PoisonedEntry? { odd?.poisonedEntry }
}

extension OddValues {
  fileprivate var poisonedEntry: PoisonedEntry? {
    let entries =
      [.fineValue, .previousFineValue]
      + ConversionWindow.allCases.flatMap { [StoreEntry.coarseValue($0), .previousCoarseValue($0)] }
    for key in entries {
      if let value = values[key.slot], value.isString { return PoisonedEntry(key: key, value: value) }
    }
    return nil
  }
}

extension PoisonedEntry {
  /// The exception raised by reading the entry.
  var exception: String {
    "-[__NSCFString stringValue]: unrecognized selector sent to instance (\(key.name) holds the string \(displayText))"
  }
}

extension KeptState {
  /// Whether all contents are as documented and reach a server unchanged: integers within their ranges, and no `+` in
  /// the text of sums.
  package var isPlain: Bool {
    StoreEntry.all.allSatisfy { entry in
      switch entry.kind {
      case .fine, .coarse:
        switch value(entry) {
        case nil: true
        case .integer(let number)?: entry.kind.range?.contains(number) ?? true
        default: false
        }
      case .lock: value(entry).map { $0.int64 >= 0 } ?? true
      case .revenue: !(revenue(entry)?.hasPlus ?? false)
      case .call, .skan3: true
      }
    }
  }

  /// Whether the sums of the install or of a window contain a `+`, which a server decodes as a space.
  @inline(__always)
  func hasPlusInRevenue(of window: ConversionWindow?) -> Bool {
    if hasPlus(.iapRevenue) || hasPlus(.adRevenue) { return true }
    return window.map { hasPlus(.windowIAPRevenue($0)) || hasPlus(.windowAdRevenue($0)) } ?? false
  }

  @inline(__always)
  private func hasPlus(_ entry: StoreEntry) -> Bool { revenue(entry)?.hasPlus ?? false }
}
