import SKANDevice
import SKANRun

/// The counts of the devices that run with one model.
///
/// All numbers are integers, so that the sum of parts does not depend on their order. Money is in millionths of the
/// report's currency, and times are in seconds. Sums are clamped to the range of `Int`.
package struct BacktestTally: Sendable, Equatable {
  /// Devices with a beginning, including those that are too young for a window.
  package var devices = 0
  /// Users by fine value, 0-63.
  package var fine = [ValueCell](repeating: ValueCell(), count: 64)
  /// Users by window and coarse value: none, low, medium, high.
  package var coarse = PerWindow<[CoarseCell]>(repeating: [CoarseCell](repeating: CoarseCell(), count: 4))
  /// The actual revenue in each window without refunds, of which errors are percentages.
  package var gross = PerWindow<Int>(repeating: 0)
  package var locks = PerWindow<LockCell>(repeating: LockCell())
  /// Sent postbacks by window.
  package var postbacks = PerWindow<PostbackCell>(repeating: PostbackCell())
  /// Sent postbacks by UTC day (days since 1970) and window.
  package var departures: [Int: [Int]] = [:]
  /// The values in first postbacks by postback data tier, 0-3.
  package var tiers = [TierCell](repeating: TierCell(), count: 4)
  /// Steps by the index of their outcome. Exports have no steps of AdAttributionKit, whose outcomes come last; without
  /// them partial results keep their form.
  package var outcomes = [Int](repeating: 0, count: Int(Outcome.forwarded.rawValue) + 1)
  /// Sessions and events of any name.
  package var events = EventCell()
  /// Events by the index of their name among those that the model uses.
  package var names: [EventCell]

  /// Whether a device has revenue in its first 35 days.
  package var hasRevenue: Bool {
    ConversionWindow.allCases.contains { window in gross[window] != 0 || coarse[window].contains { $0.revenue != 0 } }
  }

  /// The number of devices that have ended a window, and therefore count in it. Each of them has a coarse value or none.
  package func devices(in window: ConversionWindow) -> Int { coarse[window].reduce(0) { $0.adding($1.users) } }

  /// - Parameter nameCount: the number of event names that the model uses.
  package init(nameCount: Int) { names = Array(repeating: EventCell(), count: nameCount) }

  /// Users with a value, and their revenue.
  package struct ValueCell: Sendable, Equatable {
    package var users = 0
    /// Those of them who have ended 7 and 35 days.
    package var users7d = 0, users35d = 0
    /// The actual revenue in the first 48 hours, 7 days and 35 days, of the users who have ended them.
    package var revenue48h = 0, revenue7d = 0, revenue35d = 0
    /// The decoded revenue.
    package var decoded = 0
    /// The sum over users of |decoded − true| revenue of 48 hours.
    package var error = 0

    /// Adds the numbers of another cell. Not inlined: in a loop the optimizer needs many minutes for so many saturating
    /// additions.
    @inline(never)
    mutating func add(_ cell: ValueCell) {
      users.add(cell.users)
      users7d.add(cell.users7d)
      users35d.add(cell.users35d)
      revenue48h.add(cell.revenue48h)
      revenue7d.add(cell.revenue7d)
      revenue35d.add(cell.revenue35d)
      decoded.add(cell.decoded)
      error.add(cell.error)
    }
  }

  /// Users with a coarse value in a window.
  package struct CoarseCell: Sendable, Equatable {
    package var users = 0
    /// The actual revenue in the window.
    package var revenue = 0
    package var decoded = 0
    package var error = 0
  }

  /// Locks of a window.
  package struct LockCell: Sendable, Equatable {
    package var locks = 0
    /// The seconds by which postbacks are prepared before the window's end.
    package var secondsGained = 0
    /// The actual revenue in the rest of the window.
    package var revenueLost = 0
    /// Users who would have another value in this window without the lock.
    package var valuesLost = 0
  }

  package struct PostbackCell: Sendable, Equatable {
    package var postbacks = 0
    /// Seconds from the first call to the middle of the period in which postbacks are sent.
    package var seconds = 0
  }

  /// The values that a tier includes in first postbacks.
  package struct TierCell: Sendable, Equatable {
    package var fine = 0
    package var coarse = 0
    package var withoutValue = 0
    package var decoded = 0
    package var error = 0
  }

  /// Sessions and events, by time.
  package struct EventCell: Sendable, Equatable {
    /// Counted in each window, before a lock.
    package var seen = PerWindow<Int>(repeating: 0)
    /// In a locked window.
    package var afterLock = 0
    /// After the third window.
    package var afterWindows = 0
  }
}

/// The counts of a group of devices with each model.
package struct GroupTally: Sendable, Equatable {
  /// The counts by model: that of `--model`, then those of `--compare`.
  package var models: [BacktestTally]
  /// The changes from the first model to each of the others.
  package var changes: [Changes]

  /// The number of devices that have different values with another model.
  package struct Changes: Sendable, Equatable {
    package var fineHigher = 0
    package var fineLower = 0
    /// By window.
    package var coarse = PerWindow<Int>(repeating: 0)
    /// Differences of any kind.
    package var any = 0
  }

  package init(_ header: BacktestHeader) {
    models = Array(repeating: BacktestTally(nameCount: header.names.count), count: header.models.count)
    changes = Array(repeating: Changes(), count: header.models.count - 1)
  }

  /// The counts with the first model.
  package var model: BacktestTally { models[0] }

  package static func += (left: inout GroupTally, right: GroupTally) {
    for index in left.models.indices { left.models[index] += right.models[index] }
    for index in left.changes.indices { left.changes[index].add(right.changes[index]) }
  }
}

/// The unit of a number of a tally, which limits it.
package enum CountedUnit {
  /// Users, steps, seconds, or millionths of an error: not negative.
  case count
  /// Millionths of a currency, negative after refunds.
  case money

  /// The numbers that a partial result may hold.
  var range: ClosedRange<Int> {
    switch self {
    case .count: 0...(1 << 60)
    case .money: -(1 << 60)...(1 << 60)
    }
  }
}

/// Counts whose numbers have a fixed order, for partial results and sums.
package protocol NumberedCounts {
  /// Calls `body` with each number and what it counts.
  mutating func forEachNumber(_ body: (inout Int, CountedUnit) -> Void)
}

extension NumberedCounts {
  /// All numbers.
  package var numbers: [Int] {
    var (copy, numbers) = (self, [Int]())
    copy.forEachNumber { number, _ in numbers.append(number) }
    return numbers
  }

  /// Sets all numbers.
  ///
  /// - Returns: false if there are too many or too few, or if one is out of its range; the numbers are then unknown.
  mutating func set(_ numbers: [Int]) -> Bool {
    guard numbers.count == self.numbers.count else { return false }
    var index = 0
    var isValid = true
    forEachNumber { number, unit in
      number = numbers[index]
      isValid = isValid && unit.range.contains(number)
      index += 1
    }
    return isValid
  }

  /// Adds each number of other counts to its own.
  mutating func add(_ other: Self) {
    let numbers = other.numbers
    var index = 0
    forEachNumber { number, _ in
      number.add(numbers[index])
      index += 1
    }
  }
}

extension GroupTally.Changes: NumberedCounts {
  package mutating func forEachNumber(_ body: (inout Int, CountedUnit) -> Void) {
    body(&fineHigher, .count)
    body(&fineLower, .count)
    for window in ConversionWindow.allCases { body(&coarse[window], .count) }
    body(&any, .count)
  }

  /// Compares the values of a device.
  mutating func count(_ values: LifeValues, _ others: LifeValues) {
    if others.fine > values.fine { fineHigher += 1 }
    if others.fine < values.fine { fineLower += 1 }
    for window in [ConversionWindow.p0, .p1, .p2] where values.coarse[window] != others.coarse[window] {
      coarse[window] += 1
    }
    if values.fine != others.fine || values.coarse != others.coarse { any += 1 }
  }
}

/// The numbers of a tally, except those of the days.
extension BacktestTally: NumberedCounts {
  package mutating func forEachNumber(_ body: (inout Int, CountedUnit) -> Void) {
    body(&devices, .count)
    for index in fine.indices { fine[index].forEachNumber(body) }
    for window in ConversionWindow.allCases {
      for index in coarse[window].indices { coarse[window][index].forEachNumber(body) }
      locks[window].forEachNumber(body)
      postbacks[window].forEachNumber(body)
      body(&gross[window], .count)
    }
    for index in tiers.indices { tiers[index].forEachNumber(body) }
    for index in outcomes.indices { body(&outcomes[index], .count) }
    events.forEachNumber(body)
    for index in names.indices { names[index].forEachNumber(body) }
  }

  /// Adds the counts of other devices.
  ///
  /// - Parameter other: counts with the same model.
  package static func += (left: inout BacktestTally, right: BacktestTally) {
    left.add(right)
    for (day, counts) in right.departures {
      for (window, count) in counts.enumerated() {
        left.departures[day, default: [0, 0, 0]][window].add(count)
      }
    }
  }
}

extension BacktestTally.ValueCell {
  fileprivate mutating func forEachNumber(_ body: (inout Int, CountedUnit) -> Void) {
    body(&users, .count)
    body(&users7d, .count)
    body(&users35d, .count)
    body(&revenue48h, .money)
    body(&revenue7d, .money)
    body(&revenue35d, .money)
    body(&decoded, .money)
    body(&error, .count)
  }
}

extension BacktestTally.CoarseCell {
  fileprivate mutating func forEachNumber(_ body: (inout Int, CountedUnit) -> Void) {
    body(&users, .count)
    body(&revenue, .money)
    body(&decoded, .money)
    body(&error, .count)
  }
}

extension BacktestTally.LockCell {
  fileprivate mutating func forEachNumber(_ body: (inout Int, CountedUnit) -> Void) {
    body(&locks, .count)
    body(&secondsGained, .count)
    body(&revenueLost, .money)
    body(&valuesLost, .count)
  }
}

extension BacktestTally.PostbackCell {
  fileprivate mutating func forEachNumber(_ body: (inout Int, CountedUnit) -> Void) {
    body(&postbacks, .count)
    body(&seconds, .count)
  }
}

extension BacktestTally.TierCell {
  fileprivate mutating func forEachNumber(_ body: (inout Int, CountedUnit) -> Void) {
    body(&fine, .count)
    body(&coarse, .count)
    body(&withoutValue, .count)
    body(&decoded, .money)
    body(&error, .count)
  }
}

extension BacktestTally.EventCell {
  fileprivate mutating func forEachNumber(_ body: (inout Int, CountedUnit) -> Void) {
    for window in ConversionWindow.allCases { body(&seen[window], .count) }
    body(&afterLock, .count)
    body(&afterWindows, .count)
  }
}

extension Int {
  /// Adds a number, clamping the sum to the range of `Int`.
  package mutating func add(_ other: Int) {
    let (sum, overflow) = addingReportingOverflow(other)
    self = overflow ? (other < 0 ? .min : .max) : sum
  }

  /// A sum over some devices, scaled to another number of devices and rounded toward 0; 0 without devices.
  func scaled(from count: Int, to other: Int) -> Int {
    if count == other { return self }
    return count == 0 ? 0 : Int(clamping: Int128(self) * Int128(other) / Int128(count))
  }

  /// The difference, clamped to the range of `Int`.
  func less(_ other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other < 0 ? .max : .min) : difference
  }

  /// The sum, clamped to the range of `Int`.
  func adding(_ other: Int) -> Int {
    var sum = self
    sum.add(other)
    return sum
  }

  /// The distance between two numbers, clamped to the largest number.
  func distance(from other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow || difference == .min ? .max : abs(difference)
  }
}
