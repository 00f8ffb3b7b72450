extension String {
  /// Whether both have the same code points.
  ///
  /// Swift's own `==` also equates different spellings of one character ("é" as one code point or two), which neither
  /// JSON nor the phone's dictionaries do.
  package func isLiterally(_ other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    let areSame = utf8.withContiguousStorageIfAvailable { left in
      other.utf8.withContiguousStorageIfAvailable { left.elementsEqual($0) }
    }
    return (areSame ?? nil) ?? utf8.elementsEqual(other.utf8)
  }

  /// Code point order, the order in which every sorted text of ours stands.
  package func literallyPrecedes(_ other: String) -> Bool { utf8.lexicographicallyPrecedes(other.utf8) }
}
