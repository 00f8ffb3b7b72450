extension KeptState {
  /// `valuesHasBeenUpdated`: what is written depends on the window at this moment; the last call always is.
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

  /// Puts a value in an entry, and the one that was there in the entry of the value before.
  @inline(__always)
  private mutating func keep(_ value: KeptValue?, in entry: StoreEntry, before: StoreEntry) {
    if odd == nil {
      values[byte: before.slot] = values[byte: entry.slot]
    } else {
      setAnswered(before.slot, to: answered(entry.slot))
    }
    setAnswered(entry.slot, to: value)
  }

  /// The first of the entries in which an answer has left a string, in the order in which a request reads them: reading it
  /// crashes the app. `getSkanDetails` reads them in another order (``poison(in:)``).
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
  /// The exception that reading the entry raises.
  var exception: String {
    "-[__NSCFString stringValue]: unrecognized selector sent to instance (\(key.name) holds the string \(displayText))"
  }
}
