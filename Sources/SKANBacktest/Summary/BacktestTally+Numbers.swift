import SKANDevice

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
