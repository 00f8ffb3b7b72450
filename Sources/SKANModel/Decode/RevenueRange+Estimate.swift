extension RevenueRange {
  /// The amount that stands for the range where one is needed: its middle, and of a range without an end its beginning.
  ///
  /// Ours: no vendor documents how it decodes a range.
  package var estimate: Double { Self.estimate(min: min, below: below) }

  /// The estimate of the range between two amounts of one currency.
  @inline(__always)
  package static func estimate(min: Double, below: Double?) -> Double { below.map { (min + $0) / 2 } ?? min }
}
