extension RevenueRange {
  /// The amount that stands for the range where one is needed: its middle, and of a range without an end its beginning.
  ///
  /// Ours: no vendor documents how it decodes a range.
  package var estimate: Double { below.map { (min + $0) / 2 } ?? min }
}
