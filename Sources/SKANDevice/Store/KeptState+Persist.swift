extension KeptState {
  /// `valuesHasBeenUpdated`: what is written depends on the window at this moment; the last call always is.
  ///
  /// - Returns: whether anything is another than before.
  @discardableResult
  mutating func persist(
    fine: KeptValue, coarse: KeptValue?, lock: Bool, in window: ConversionWindow?, at now: Instant
  ) -> Bool {
    var isChanged = false
    if let window {
      if window == .p0 {
        write(fineValue, to: &previousFineValue, &isChanged)
        write(fine, to: &fineValue, &isChanged)
      }
      write(coarseValue[window], to: &previousCoarseValue[window], &isChanged)
      write(coarse, to: &coarseValue[window], &isChanged)
      if lock { write(now.wholeSeconds, to: &windowLock[window], &isChanged) }
    }
    write(now.wholeSeconds, to: &lastCall, &isChanged)
    return isChanged
  }
}

/// Puts a value in its place, and tells whether it is another.
private func write<Value: Equatable>(_ value: Value?, to index: inout Value?, _ isChanged: inout Bool) {
  guard index != value else { return }
  index = value
  isChanged = true
}

extension KeptState {
  /// The first of the entries in which an answer has left a string, in the order in which the snippet reads them; reading
  /// it crashes the app.
  @inline(__always)
  package var poisonedEntry: PoisonedEntry? {
    if let value = fineValue, value.isString { return PoisonedEntry(key: .fineValue, value: value) }
    if let value = previousFineValue, value.isString { return PoisonedEntry(key: .previousFineValue, value: value) }
    for window in ConversionWindow.allCases {
      if let value = coarseValue[window], value.isString {
        return PoisonedEntry(key: .coarseValue(window), value: value)
      }
      if let value = previousCoarseValue[window], value.isString {
        return PoisonedEntry(key: .previousCoarseValue(window), value: value)
      }
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
