import SKANDevice
import SKANModel

/// The sums of the devices with a value, whole and in each resample.
///
/// All numbers are integers, so that sums depend neither on order nor on threads. Whole sums are clamped to the range of
/// `Int`; those of resamples wrap, beyond nine trillion units.
struct WorthSums: Sendable {
  /// The number of devices, and the sum of their revenue in millionths.
  private(set) var devices = 0
  private(set) var revenue = 0
  /// The weights of the devices, and the weighted revenue, by resample; empty as long as all are 0.
  private(set) var weights: [UInt32] = []
  private(set) var weighted: [Int] = []

  func weight(in resample: Int) -> Int { weights.isEmpty ? 0 : Int(weights[resample]) }

  func weighted(in resample: Int) -> Int { weighted.isEmpty ? 0 : weighted[resample] }

  mutating func add(_ amount: Int, _ others: [UInt8]) {
    devices += 1
    if weights.isEmpty { weights = [UInt32](repeating: 0, count: others.count) }
    unsafe weights.withUnsafeMutableBufferPointer { sums in
      unsafe others.withUnsafeBufferPointer { others in
        for index in 0..<min(sums.count, others.count) { unsafe sums[index] &+= UInt32(others[index]) }
      }
    }
    if amount == 0 { return }
    revenue.add(amount)
    if weighted.isEmpty { weighted = [Int](repeating: 0, count: others.count) }
    unsafe weighted.withUnsafeMutableBufferPointer { sums in
      unsafe others.withUnsafeBufferPointer { others in
        for index in 0..<min(sums.count, others.count) { unsafe sums[index] &+= amount &* Int(others[index]) }
      }
    }
  }

  init() {}

  /// The sums of the devices of `whole` that are not in `part`.
  init(_ whole: WorthSums, less part: WorthSums) {
    self = whole
    devices -= part.devices
    revenue = whole.revenue.less(part.revenue)
    weights.merge(part.weights) { $0 &-= $1 }
    weighted.merge(part.weighted) { $0 &-= $1 }
  }

  static func += (left: inout WorthSums, right: WorthSums) {
    left.devices.add(right.devices)
    left.revenue.add(right.revenue)
    left.weights.merge(right.weights) { $0 &+= $1 }
    left.weighted.merge(right.weighted) { $0 &+= $1 }
  }
}

extension Array {
  /// Combines each element with that of another array; an empty array stands for zeros.
  fileprivate mutating func merge(_ other: [Element], _ add: (inout Element, Element) -> Void) {
    if isEmpty { self = other } else { for index in other.indices { add(&self[index], other[index]) } }
  }
}

/// The devices with a value.
struct WorthCell: Sendable {
  /// By ``Worth/Horizon``.
  private(set) var horizons = [WorthSums](repeating: WorthSums(), count: Worth.Horizon.allCases.count)
  /// Those of day 35 that are held out.
  private(set) var heldOut = WorthSums()
  private(set) var spread = RevenueSpread()

  mutating func add(_ device: WorthDevice, _ weights: [UInt8]) {
    for (horizon, amount) in device.revenue.enumerated() { horizons[horizon].add(amount, weights) }
    guard device.revenue.count > Worth.Horizon.day35.rawValue else { return }
    let amount = device.revenue[Worth.Horizon.day35.rawValue]
    spread.add(amount)
    if device.isHeldOut { heldOut.add(amount, weights) }
  }

  static func += (left: inout WorthCell, right: WorthCell) {
    for index in left.horizons.indices { left.horizons[index] += right.horizons[index] }
    left.heldOut += right.heldOut
    left.spread += right.spread
  }
}

/// A device with its revenue by horizon, as far as it has reached them.
struct WorthDevice {
  let revenue: [Int]
  let isHeldOut: Bool

  init(_ life: DeviceLife, _ amounts: DeviceLife.Amounts) {
    var (sum, revenue) = (0, [Int]())
    for window in [ConversionWindow.p0, .p1, .p2] where life.counts(window) {
      sum.add(amounts.net[window])
      revenue.append(sum)
    }
    if life.counts(.p2) {
      revenue.append(life.events.reduce(into: 0) { $0.add($1.revenue?.micros ?? 0) })
    }
    self.revenue = revenue
    isHeldOut = life.key.isHeldOut
  }
}

/// A histogram of amounts. A bin holds those that differ by at most a sixteenth, its count and its sum.
struct RevenueSpread: Sendable, Equatable {
  struct Bin: Sendable, Equatable {
    var count = 0
    var sum = 0

    static func += (left: inout Bin, right: Bin) {
      left.count.add(right.count)
      left.sum.add(right.sum)
    }
  }

  private(set) var bins: [Int: Bin] = [:]

  mutating func add(_ amount: Int) {
    bins[Self.bin(of: amount), default: Bin()] += Bin(count: 1, sum: amount)
  }

  static func += (left: inout RevenueSpread, right: RevenueSpread) {
    for (key, bin) in right.bins { left.bins[key, default: Bin()] += bin }
  }

  /// The number of the bin: 16 for each doubling, negative for negative amounts.
  static func bin(of amount: Int) -> Int {
    let size = Int(clamping: amount.magnitude)
    let power = Int.bitWidth - 1 - max(size, 1).leadingZeroBitCount
    let bin = power < 4 ? size : power << 4 | size >> (power - 4) & 15
    return amount < 0 ? -bin : bin
  }

  /// The bins in order.
  var sorted: [Bin] { bins.sorted { $0.key < $1.key }.map(\.value) }

  var count: Int { bins.values.reduce(0) { $0.adding($1.count) } }

  /// The share of the revenue above 0 that the top 1 % of the devices have, rounded up to a whole device; nil without
  /// such revenue. Of the last bin a part is taken at its mean.
  var topShare: Double? {
    var rest = (count + 99) / 100
    var (top, whole) = (0, 0)
    for bin in sorted.reversed() where bin.sum > 0 {
      whole.add(bin.sum)
      top.add(bin.sum.scaled(from: bin.count, to: min(rest, bin.count)))
      rest -= min(rest, bin.count)
    }
    return whole > 0 ? Double(top) / Double(whole) : nil
  }
}

/// The devices of a group by value.
struct WorthTally: Sendable {
  /// By fine value, 0-63.
  private(set) var fine = [WorthCell?](repeating: nil, count: 64)
  /// By window and coarse value: none, low, medium, high.
  private(set) var coarse = PerWindow<[WorthCell?]>(repeating: [nil, nil, nil, nil])

  mutating func add(_ device: WorthDevice, _ values: LifeValues, _ life: DeviceLife, _ weights: [UInt8]) {
    fine[values.fine].add(device, weights)
    for window in [ConversionWindow.p0, .p1, .p2] where life.counts(window) {
      coarse[window][values.coarse[window]].add(device, weights)
    }
  }

  static func += (left: inout WorthTally, right: WorthTally) {
    for index in left.fine.indices { left.fine[index] += right.fine[index] }
    for window in ConversionWindow.allCases {
      for index in left.coarse[window].indices { left.coarse[window][index] += right.coarse[window][index] }
    }
  }

  /// All devices.
  var all: WorthCell { fine.compactMap(\.self).reduce(into: WorthCell()) { $0 += $1 } }
}

extension WorthCell? {
  fileprivate mutating func add(_ device: WorthDevice, _ weights: [UInt8]) {
    if self == nil { self = WorthCell() }
    self?.add(device, weights)
  }

  fileprivate static func += (left: inout WorthCell?, right: WorthCell?) {
    guard let right else { return }
    if left == nil { left = right } else { left? += right }
  }
}
