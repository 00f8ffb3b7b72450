import SKANBase
import SKANDevice
import SKANModel
import SKANRun
import SKANSystem

/// Runs devices with one model and counts the results. Each thread has its own counter.
final class LifeCounter {
  private(set) var decode: DecodeTable
  private let runner: LifeRunner
  private var ignored: BacktestTally
  /// Seconds from the end of a window to the middle of the period in which its postback is sent.
  private let delays: PerWindow<Int>

  init(
    _ model: ConversionModel, names: NameIndex, profiles: LifeProfiles, currency: CurrencyCode, _ rates: ExchangeRates
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

  /// Runs a device and counts it in the windows that it has ended.
  func count(_ life: DeviceLife, _ amounts: DeviceLife.Amounts, _ tally: inout BacktestTally) -> LifeValues {
    tally.devices += 1
    guard life.counts(.p0) else { return LifeValues() }
    let values = runner.run(life, &tally)
    add(values, life, amounts.net, &tally)
    for window in [ConversionWindow.p0, .p1, .p2] where life.counts(window) {
      addCoarse(values, amounts.net, window, &tally)
      addPostback(values, life, window, &tally)
      tally.gross[window].add(amounts.gross[window])
    }
    if values.lockedAt != PerWindow(repeating: nil) { addLocks(values, life, &tally) }
    return values
  }

  private func add(
    _ values: LifeValues, _ life: DeviceLife, _ revenue: PerWindow<Int>, _ tally: inout BacktestTally
  ) {
    let (first, decoded) = (revenue[.p0], decode.fine[values.fine] ?? 0)
    let week = first.adding(revenue[.p1])
    tally.fine[values.fine].users += 1
    tally.fine[values.fine].revenue48h.add(first)
    if life.counts(.p1) {
      tally.fine[values.fine].users7d += 1
      tally.fine[values.fine].revenue7d.add(week)
    }
    if life.counts(.p2) {
      tally.fine[values.fine].users35d += 1
      tally.fine[values.fine].revenue35d.add(week.adding(revenue[.p2]))
    }
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

  /// |decoded − true| revenue of each window that a device has ended, as ``BacktestTally/told(in:)`` adds it up.
  func errors(of values: LifeValues, _ life: DeviceLife, _ revenue: PerWindow<Int>) -> PerWindow<Int?> {
    var errors = PerWindow<Int?>(repeating: nil)
    for window in ConversionWindow.allCases where life.counts(window) {
      let coarse = values.coarse[window]
      let decoded =
        window == .p0 ? decode.fine[values.fine] : coarse == 0 ? nil : decode.coarse[window][coarse - 1]
      errors[window] = (decoded ?? 0).distance(from: revenue[window])
    }
    return errors
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
      guard life.counts(window), let locked = values.lockedAt[window] else { continue }
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
  /// The quotient rounded toward negative infinity.
  func dividedDown(by divisor: Int) -> Int { (self - ((self % divisor) + divisor) % divisor) / divisor }
}

/// The decoded values of a model, in millionths of the report's currency.
///
/// The estimate for a range of revenue is ``RevenueRange/estimate``. A value without a revenue range is decoded to 0.
struct DecodeTable: Sendable {
  /// By fine value; nil for a value without a revenue range, or if the range's currency has no rate.
  let fine: [Int?]
  /// By window and the number of the coarse value, 0-2.
  let coarse: PerWindow<[Int?]>
  /// The currencies of ranges without a rate, sorted.
  let withoutRate: [String]

  init(_ model: ConversionModel, currency: CurrencyCode, _ rates: ExchangeRates) {
    var missing: Set<String> = []
    func amount(_ value: ModelValue) -> Int? {
      guard let range = model.mapping(of: value)?.revenueRange else { return nil }
      guard let code = CurrencyCode(range.currency),
        let amount = rates.converted(range.estimate, from: code, to: currency, at: nil)
      else {
        missing.insert(range.currency)
        return nil
      }
      return Int(microUnits: amount)
    }
    fine = (0..<64).map { amount(.fine($0)) }
    var coarse = PerWindow<[Int?]>(repeating: [])
    for window in ConversionWindow.allCases {
      coarse[window] = [CoarseValue.low, .medium, .high].map { amount(.coarse($0, window)) }
    }
    self.coarse = coarse
    withoutRate = missing.sorted()
  }
}

extension Int {
  /// Converts an amount to millionths, rounded to the nearest; exact for amounts with up to six decimals and nine
  /// billion units.
  package init(microUnits amount: Double) {
    let rounded = (amount * 1_000_000).rounded()
    self = rounded >= 9e18 ? .max : rounded <= -9e18 ? .min : Int(rounded)
  }
}

/// Runs devices and counts them, on one thread.
final class BacktestWorker {
  private let plan: BacktestPlan
  private var assembler: LifeAssembler
  /// A counter for each model.
  private let counters: [LifeCounter]
  /// The tallies by index of the group.
  private var groups: [Int: GroupTally] = [:]
  private let holdsOut: Bool
  /// The errors of the models in resamples; nil for one model.
  private var resamples: ModelResamples?
  private lazy var weights = ResampleWeights(seed: 1, resamples: ModelResamples.count)
  /// The rows of devices since the last ``takeRows()``; nil unless the plan lists devices.
  private var rows: DeviceRows?

  /// - Parameter until: the end of what was observed.
  init(_ run: BacktestRun, until: Instant) {
    plan = run.plan
    assembler = LifeAssembler(plan, until: until)
    counters = plan.models.map { [plan] model in
      LifeCounter(model.model, names: plan.names, profiles: run.profiles, currency: plan.currency, plan.rates)
    }
    rows = plan.listsDevices ? DeviceRows(run.groups) : nil
    holdsOut = run.holdsOut
    resamples = counters.count > 1 ? ModelResamples(models: counters.count) : nil
  }

  func run(_ key: DeviceKey, _ records: DeviceRecords) {
    if let life = assembler.life(of: key, records) { count(life) }
  }

  /// Runs the device with these rows, which are in order of time.
  func run(_ key: DeviceKey, _ identifier: [UInt8], _ rows: [(time: Instant, event: PackedEvent)]) {
    if let life = assembler.life(of: key, identifier, rows) { count(life) }
  }

  private func count(_ life: DeviceLife) {
    if holdsOut, !life.key.isHeldOut { return }
    let amounts = life.amounts
    var tally = groups.removeValue(forKey: life.group) ?? GroupTally(plan.header)
    let values = counters[0].count(life, amounts, &tally.models[0])
    rows?.add(life, values)
    var errors = resamples == nil ? [] : [counters[0].errors(of: values, life, amounts.net)]
    for index in counters.indices.dropFirst() {
      let others = counters[index].count(life, amounts, &tally.models[index])
      tally.changes[index - 1].count(values, others)
      rows?.add(life, others)
      errors.append(counters[index].errors(of: others, life, amounts.net))
    }
    if !errors.isEmpty, life.counts(.p0) {
      weights.draw(life.key)
      resamples?.add(errors, weights.weights)
    }
    rows?.end(life, amounts)
    groups[life.group] = tally
  }

  /// The number of bytes of rows of devices that were not taken yet.
  var rowBytes: Int { rows?.byteCount ?? 0 }

  /// The rows of devices since the last call, as lines of CSV.
  func takeRows() -> [UInt8] { rows?.take() ?? [] }

  /// Adds all counts to a summary.
  ///
  /// - Parameter names: the names of the groups, by index.
  func add(to summary: inout BacktestSummary, names: [String]) {
    summary.input += assembler.tally
    for (index, tally) in groups { summary.add(tally, to: names[index]) }
    if let resamples { summary.resamples? += resamples }
  }
}
