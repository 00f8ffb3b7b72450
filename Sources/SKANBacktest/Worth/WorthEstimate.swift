import SKANDevice
import SKANModel

/// The worth of a value: the mean revenue of its devices, filled up with the mean of its neighbours where they are few.
///
/// Numbers are rounded to the nearest millionth, halves away from 0. A resample without a device has the whole's worth.
struct WorthEstimate {
  /// The devices with the value, and those with the nearest lower and higher value that have any.
  private let own: WorthSums
  private let neighbors: WorthSums
  /// How many devices of the neighbours are added.
  let added: Int

  /// - Parameters:
  ///   - sums: the devices by value, in the order of the values.
  ///   - shrinkBelow: see ``WorthRequest/shrinkBelow``.
  init(_ sums: [WorthSums], at index: Int, shrinkBelow: Int) {
    own = sums[index]
    let near = Self.neighbors(of: index, in: sums.map(\.devices))
    neighbors = near.reduce(into: WorthSums()) { $0 += sums[$1] }
    added = near.isEmpty ? 0 : max(0, shrinkBelow - own.devices)
  }

  /// The nearest lower and the nearest higher value with devices.
  static func neighbors(of index: Int, in devices: [Int]) -> [Int] {
    [devices[..<index].lastIndex { $0 > 0 }, devices[(index + 1)...].firstIndex { $0 > 0 }].compactMap(\.self)
  }

  var devices: Int { own.devices }

  var mean: Int? { Self.ratio(own.revenue, own.devices) }

  /// Nil without devices and neighbours.
  var worth: Int? { worth(own.revenue, own.devices, neighbors.revenue, neighbors.devices) }

  /// The worth in each resample.
  func resampled(_ resamples: Int) -> [Int] {
    guard let worth else { return [] }
    return (0..<resamples).map { resample in
      self.worth(
        own.weighted(in: resample), own.weight(in: resample), neighbors.weighted(in: resample),
        neighbors.weight(in: resample)) ?? worth
    }
  }

  private func worth(_ revenue: Int, _ devices: Int, _ others: Int, _ count: Int) -> Int? {
    if added == 0 || count == 0 { return Self.ratio(revenue, devices) }
    return Self.ratio(
      Int128(revenue) * Int128(count) + Int128(added) * Int128(others), Int128(devices + added) * Int128(count))
  }

  /// The quotient; nil for a count of 0.
  static func ratio(_ sum: Int, _ count: Int) -> Int? { ratio(Int128(sum), Int128(count)) }

  private static func ratio(_ sum: Int128, _ count: Int128) -> Int? {
    if count == 0 { return nil }
    let size = (Int128(sum.magnitude) * 2 + count) / (count * 2)
    return Int(clamping: sum < 0 ? -size : size)
  }
}

/// The spread of the devices' revenue, filled up like their worth.
extension Worth.Spread {
  /// - Parameters:
  ///   - added: how many devices of the neighbours are added.
  ///   - hasAmounts: whether the amounts are kept.
  init?(_ own: RevenueSpread, _ neighbors: RevenueSpread, added: Int, hasAmounts: Bool) {
    let others = added > 0 ? neighbors.count : 0
    // Whole weights: a device of its own weighs as much as all of the neighbours, of which each weighs as those added.
    let amounts =
      own.amounts(weighing: max(1, others)) + (others > 0 ? neighbors.amounts(weighing: added) : [])
    let count = amounts.reduce(0) { $0 + Double($1.weight) }
    if count == 0 { return nil }
    let mean = amounts.reduce(0) { $0 + Double($1.weight) * Double($1.revenue) } / count
    var (second, third) = (0.0, 0.0)
    for amount in amounts {
      let distance = Double(amount.revenue) - mean
      second += Double(amount.weight) * distance * distance
      third += Double(amount.weight) * distance * distance * distance
    }
    let deviation = (second / count).squareRoot()
    // Rounded, so that the last bits of sums do not show.
    let skewness = deviation < 1 ? 0 : (third / count / (deviation * deviation * deviation) * 1e6).rounded() / 1e6
    self.init(
      deviation: Int(min(deviation, 0x1p53).rounded()), skewness: skewness, topShare: own.topShare,
      amounts: hasAmounts ? amounts : [])
  }
}

extension RevenueSpread {
  /// The mean amount of each bin, in order.
  fileprivate func amounts(weighing weight: Int) -> [Worth.Amount] {
    sorted.map { bin in
      Worth.Amount(
        weight: bin.count.multipliedSaturating(by: weight), revenue: WorthEstimate.ratio(bin.sum, bin.count) ?? 0)
    }
  }
}
