import SKANDevice
import SKANModel

/// Runs devices with one model and counts what comes of them. Each thread has one of its own.
final class LifeCounter {
  private(set) var decode: DecodeTable
  private let runner: LifeRunner
  private var ignored: BacktestTally
  /// Seconds from the end of a window to the middle of the time in which its postback leaves.
  private let delays: PerWindow<Int>

  init(
    _ model: ConversionModel, names: EventNames, profiles: LifeProfiles, currency: CurrencyCode, _ rates: ExchangeRates
  ) {
    decode = DecodeTable(model, currency: currency, rates)
    runner = LifeRunner(model, names: names, profiles: profiles, rates)
    ignored = BacktestTally(nameCount: names.names.count)
    var delays = PerWindow<Int>(repeating: 0)
    for window in ConversionWindow.allCases {
      delays[window] = Int(
        AdVersion.v4.middleDelay(of: window, isDevelopment: false).microseconds / 1_000_000)
    }
    self.delays = delays
  }

  /// Runs a device, and adds it.
  func count(_ life: DeviceLife, _ tally: inout BacktestTally) -> LifeValues {
    let values = runner.run(life, &tally)
    let revenue = life.revenue
    tally.devices += 1
    add(values, revenue, &tally)
    for window in [ConversionWindow.p0, .p1, .p2] {
      addCoarse(values, revenue, window, &tally)
      addPostback(values, life, window, &tally)
    }
    if values.lockedAt != PerWindow(repeating: nil) { addLocks(values, life, &tally) }
    return values
  }

  private func add(_ values: LifeValues, _ revenue: PerWindow<Int>, _ tally: inout BacktestTally) {
    let (first, decoded) = (revenue[.p0], decode.fine[values.fine] ?? 0)
    let week = first.adding(revenue[.p1])
    tally.fine[values.fine].users += 1
    tally.fine[values.fine].revenue48h.add(first)
    tally.fine[values.fine].revenue7d.add(week)
    tally.fine[values.fine].revenue35d.add(week.adding(revenue[.p2]))
    tally.fine[values.fine].decoded.add(decoded)
    tally.fine[values.fine].error.add(decoded.distance(from: first))
    for tier in 0...3 {
      let coarse = values.coarse[.p0]
      let left: Int
      switch tier {
      case 2, 3:
        tally.tiers[tier].fine += 1
        left = decoded
      case 1 where coarse > 0:
        tally.tiers[tier].coarse += 1
        left = decode.coarse[.p0][coarse - 1] ?? 0
      default:
        tally.tiers[tier].withoutValue += 1
        left = 0
      }
      tally.tiers[tier].decoded.add(left)
      tally.tiers[tier].error.add(left.distance(from: first))
    }
  }

  private func addCoarse(
    _ values: LifeValues, _ revenue: PerWindow<Int>, _ window: ConversionWindow, _ tally: inout BacktestTally
  ) {
    let coarse = values.coarse[window]
    let decoded = coarse == 0 ? 0 : decode.coarse[window][coarse - 1] ?? 0
    tally.coarse[window][coarse].users += 1
    tally.coarse[window][coarse].revenue.add(revenue[window])
    tally.coarse[window][coarse].decoded.add(decoded)
    tally.coarse[window][coarse].error.add(decoded.distance(from: revenue[window]))
  }

  private func addPostback(
    _ values: LifeValues, _ life: DeviceLife, _ window: ConversionWindow, _ tally: inout BacktestTally
  ) {
    guard values.leaves[window] else { return }
    let prepared = values.lockedAt[window] ?? life.end(of: window)
    let leaves = Int(prepared.wholeSeconds) + delays[window]
    tally.postbacks[window].postbacks += 1
    tally.postbacks[window].seconds.add(leaves - Int(life.start.wholeSeconds))
    tally.departures[leaves.dividedDown(by: 86_400), default: [0, 0, 0]][window.rawValue] += 1
  }

  private func addLocks(_ values: LifeValues, _ life: DeviceLife, _ tally: inout BacktestTally) {
    let free = runner.valuesWithoutLocks(life, &ignored)
    for window in [ConversionWindow.p0, .p1, .p2] {
      guard let locked = values.lockedAt[window] else { continue }
      tally.locks[window].locks += 1
      tally.locks[window].secondsGained.add(Int(life.end(of: window).wholeSeconds - locked.wholeSeconds))
      for event in life.events where event.time > locked && life.window(at: event.time) == window {
        tally.locks[window].revenueLost.add(event.revenue?.micros ?? 0)
      }
      if let free, !values.isSame(as: free, in: window) { tally.locks[window].valuesLost += 1 }
    }
  }
}

extension Int {
  /// The quotient rounded towards minus infinity.
  func dividedDown(by divisor: Int) -> Int { (self - ((self % divisor) + divisor) % divisor) / divisor }
}
