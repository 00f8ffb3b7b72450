/// A pseudorandom number generator that depends only on its seed: Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators", as in Java's `SplittableRandom`.
package struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  /// A number from 0 to `limit`, uniformly distributed: the upper half of the product with `limit` + 1. For the ranges
  /// used here (the seconds of some days) the probabilities differ by less than one part in 10^13.
  package mutating func next(through limit: UInt64) -> UInt64 {
    next().multipliedFullWidth(by: limit &+ 1).high
  }
}
