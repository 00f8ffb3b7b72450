extension Device {
  /// What the app kept before the last answer, with the revenue of now; nil when that answer changed nothing.
  ///
  /// Set when a device file is read, after ``kept``.
  package var keptBeforeAnswer: KeptState? {
    get {
      guard hasOverwritten else { return nil }
      var before = kept
      before.values = overwritten
      before.odd = overwrittenOdd
      return before == kept ? nil : before
    }
    set {
      hasOverwritten = newValue != nil
      overwritten = newValue?.values ?? StoredValues()
      overwrittenOdd = newValue?.odd
    }
  }

  /// Remembers what the app keeps, as an answer comes.
  @inline(__always)
  mutating func rememberKept() {
    hasOverwritten = true
    overwritten = kept.values
    overwrittenOdd = kept.odd
  }

  /// Whether the app keeps something else than when the answer came, revenue apart.
  @inline(__always)
  var hasChangedKept: Bool { kept.values != overwritten || kept.odd != overwrittenOdd }
}
