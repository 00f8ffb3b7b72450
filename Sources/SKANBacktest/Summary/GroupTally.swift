import SKANDevice

/// What is counted of a group of devices: with the model, and with the one that it is compared with.
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
