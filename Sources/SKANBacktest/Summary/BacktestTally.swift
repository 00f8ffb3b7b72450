import SKANDevice
import SKANRun

/// The counts of the devices that run with one model.
///
/// Whole numbers only, so that the sum of parts is the same in any order: money is in millionths of the report's currency,
/// time in seconds. At the end of its range a number stays there.
package struct BacktestTally: Sendable, Equatable {
  /// Devices that ran.
  package var devices = 0
  /// By fine value, 0-63.
  package var fine = [ValueCell](repeating: ValueCell(), count: 64)
  /// By window, and in it by coarse value: none, low, medium, high.
  package var coarse = PerWindow<[CoarseCell]>(repeating: [CoarseCell](repeating: CoarseCell(), count: 4))
  package var locks = PerWindow<LockCell>(repeating: LockCell())
  /// By window: the postbacks that leave.
  package var postbacks = PerWindow<PostbackCell>(repeating: PostbackCell())
  /// By the UTC day on which they leave (days since 1970): how many of each window.
  package var departures: [Int: [Int]] = [:]
  /// By postback data tier, 0-3: what it leaves of the first postback.
  package var tiers = [TierCell](repeating: TierCell(), count: 4)
  /// By the index of the outcome.
  package var outcomes = [Int](repeating: 0, count: Outcome.allCases.count)
  /// Sessions and events, of any name.
  package var events = EventCell()
  /// By the index of the name among those that the model asks for.
  package var names: [EventCell]

  /// - Parameter nameCount: how many event names the model asks for.
  package init(nameCount: Int) { names = Array(repeating: EventCell(), count: nameCount) }

  /// Users with a value, and their revenue.
  package struct ValueCell: Sendable, Equatable {
    package var users = 0
    /// True revenue in the first 48 hours, 7 days and 35 days.
    package var revenue48h = 0, revenue7d = 0, revenue35d = 0
    /// The decoded value.
    package var decoded = 0
    /// The sum of each user's distance from decoded to true revenue of 48 hours.
    package var error = 0
  }

  /// Users with a coarse value in a window.
  package struct CoarseCell: Sendable, Equatable {
    package var users = 0
    /// True revenue in the window.
    package var revenue = 0
    package var decoded = 0
    package var error = 0
  }

  /// Locks of a window.
  package struct LockCell: Sendable, Equatable {
    package var locks = 0
    /// How much sooner than at the window's end the postbacks are prepared, in seconds.
    package var secondsGained = 0
    /// True revenue in the rest of the window.
    package var revenueLost = 0
    /// Users who would have another value in this window without the lock.
    package var valuesLost = 0
  }

  package struct PostbackCell: Sendable, Equatable {
    package var postbacks = 0
    /// From the first call to the middle of the time in which they leave, in seconds.
    package var seconds = 0
  }

  /// What a tier leaves of first postbacks.
  package struct TierCell: Sendable, Equatable {
    package var fine = 0
    package var coarse = 0
    package var withoutValue = 0
    package var decoded = 0
    package var error = 0
  }

  /// Sessions and events, by when they happen.
  package struct EventCell: Sendable, Equatable {
    /// Seen in each window, and not lost.
    package var seen = PerWindow<Int>(repeating: 0)
    /// In a window that is locked.
    package var afterLock = 0
    /// After the third window.
    package var afterWindows = 0
  }
}

/// The counts of a group of devices: with the model, and with the one that it is compared with.
package struct GroupTally: Sendable, Equatable {
  package var model: BacktestTally
  /// With the other model; nil without `--compare`.
  package var other: BacktestTally?
  package var changes = Changes()

  /// How many devices have other values with the other model.
  package struct Changes: Sendable, Equatable {
    package var fineHigher = 0
    package var fineLower = 0
    /// By window.
    package var coarse = PerWindow<Int>(repeating: 0)
    /// Of any kind.
    package var any = 0
  }

  package init(nameCount: Int, compares: Bool) {
    model = BacktestTally(nameCount: nameCount)
    other = compares ? BacktestTally(nameCount: nameCount) : nil
  }

  package static func += (left: inout GroupTally, right: GroupTally) {
    left.model += right.model
    if let other = right.other { left.other? += other }
    let numbers = right.changes.numbers
    var index = 0
    left.changes.forEachNumber {
      $0.add(numbers[index])
      index += 1
    }
  }
}

extension GroupTally.Changes {
  /// Calls `body` with each number, in one fixed order.
  mutating func forEachNumber(_ body: (inout Int) -> Void) {
    body(&fineHigher)
    body(&fineLower)
    for window in ConversionWindow.allCases { body(&coarse[window]) }
    body(&any)
  }

  package var numbers: [Int] {
    var (copy, numbers) = (self, [Int]())
    copy.forEachNumber { numbers.append($0) }
    return numbers
  }

  /// Adds a device.
  mutating func count(_ values: LifeValues, _ others: LifeValues) {
    if others.fine > values.fine { fineHigher += 1 }
    if others.fine < values.fine { fineLower += 1 }
    for window in [ConversionWindow.p0, .p1, .p2] where values.coarse[window] != others.coarse[window] {
      coarse[window] += 1
    }
    if values.fine != others.fine || values.coarse != others.coarse { any += 1 }
  }
}

/// A tally's numbers, in one fixed order: what a partial holds, and what a sum adds.
extension BacktestTally {
  /// Calls `body` with each number but those of the days.
  mutating func forEachNumber(_ body: (inout Int) -> Void) {
    body(&devices)
    for index in fine.indices { fine[index].forEachNumber(body) }
    for window in ConversionWindow.allCases {
      for index in coarse[window].indices { coarse[window][index].forEachNumber(body) }
      locks[window].forEachNumber(body)
      postbacks[window].forEachNumber(body)
    }
    for index in tiers.indices { tiers[index].forEachNumber(body) }
    for index in outcomes.indices { body(&outcomes[index]) }
    events.forEachNumber(body)
    for index in names.indices { names[index].forEachNumber(body) }
  }

  /// All of them.
  package var numbers: [Int] {
    var (copy, numbers) = (self, [Int]())
    copy.forEachNumber { numbers.append($0) }
    return numbers
  }

  /// Sets all of them.
  ///
  /// - Returns: false, and nothing is changed, when there are not as many as there must be.
  mutating func set(_ numbers: [Int]) -> Bool {
    guard numbers.count == self.numbers.count else { return false }
    var index = 0
    forEachNumber {
      $0 = numbers[index]
      index += 1
    }
    return true
  }

  /// Adds the numbers of other devices.
  ///
  /// - Parameter other: of the same model.
  package static func += (left: inout BacktestTally, right: BacktestTally) {
    let numbers = right.numbers
    var index = 0
    left.forEachNumber {
      $0.add(numbers[index])
      index += 1
    }
    for (day, counts) in right.departures {
      for (window, count) in counts.enumerated() {
        left.departures[day, default: [0, 0, 0]][window].add(count)
      }
    }
  }
}

extension BacktestTally.ValueCell {
  fileprivate mutating func forEachNumber(_ body: (inout Int) -> Void) {
    body(&users)
    body(&revenue48h)
    body(&revenue7d)
    body(&revenue35d)
    body(&decoded)
    body(&error)
  }
}

extension BacktestTally.CoarseCell {
  fileprivate mutating func forEachNumber(_ body: (inout Int) -> Void) {
    body(&users)
    body(&revenue)
    body(&decoded)
    body(&error)
  }
}

extension BacktestTally.LockCell {
  fileprivate mutating func forEachNumber(_ body: (inout Int) -> Void) {
    body(&locks)
    body(&secondsGained)
    body(&revenueLost)
    body(&valuesLost)
  }
}

extension BacktestTally.PostbackCell {
  fileprivate mutating func forEachNumber(_ body: (inout Int) -> Void) {
    body(&postbacks)
    body(&seconds)
  }
}

extension BacktestTally.TierCell {
  fileprivate mutating func forEachNumber(_ body: (inout Int) -> Void) {
    body(&fine)
    body(&coarse)
    body(&withoutValue)
    body(&decoded)
    body(&error)
  }
}

extension BacktestTally.EventCell {
  fileprivate mutating func forEachNumber(_ body: (inout Int) -> Void) {
    for window in ConversionWindow.allCases { body(&seen[window]) }
    body(&afterLock)
    body(&afterWindows)
  }
}

extension Int {
  /// Adds, and stays at the end of the range beyond it.
  package mutating func add(_ other: Int) {
    let (sum, overflow) = addingReportingOverflow(other)
    self = overflow ? (other < 0 ? .min : .max) : sum
  }

  /// The sum, or the end of the range beyond it.
  func adding(_ other: Int) -> Int {
    var sum = self
    sum.add(other)
    return sum
  }

  /// How far two numbers are apart, at most the largest one.
  func distance(from other: Int) -> Int {
    let (difference, overflow) = subtractingReportingOverflow(other)
    return overflow || difference == .min ? .max : abs(difference)
  }
}
