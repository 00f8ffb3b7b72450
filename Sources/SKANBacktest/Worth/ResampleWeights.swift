import SKANBase

/// How often a device counts in each resample of a bootstrap: Poisson with mean 1, from the seed, the device's
/// identifier and the resample alone, so that neither order nor threads affect it.
///
/// `SplitMix64` begins with the seed XOR the upper half of the device's ``DeviceKey``. Each of its numbers holds those of
/// four resamples, 16 bits each, the lowest first. The weight is how many of ``edges`` such a number reaches.
struct ResampleWeights {
  /// The distribution function of Poisson with mean 1, in 65,536ths. The mean of the weights is exactly 1.
  static let edges: [UInt32] = [24_109, 48_219, 60_273, 64_292, 65_296, 65_497, 65_531, 65_535]

  private let seed: UInt64
  /// The weight by 16 bits.
  private let table: [UInt8]
  /// The weights of the last device by resample.
  private(set) var weights: [UInt8]

  init(seed: UInt64, resamples: Int) {
    self.seed = seed
    weights = [UInt8](repeating: 0, count: resamples)
    var table = [UInt8](repeating: 0, count: 1 << 16)
    for edge in Self.edges { for number in Int(edge)..<table.count { table[number] += 1 } }
    self.table = table
  }

  /// Computes the weights of a device.
  mutating func draw(_ key: DeviceKey) {
    var random = SplitMix64(seed: seed ^ key.high)
    unsafe table.withUnsafeBufferPointer { table in
      unsafe weights.withUnsafeMutableBufferPointer { weights in
        var index = 0
        while index < weights.count {
          var number = random.next()
          for _ in 0..<min(4, weights.count - index) {
            unsafe weights[index] = table[Int(number & 0xFFFF)]
            number >>= 16
            index += 1
          }
        }
      }
    }
  }
}
